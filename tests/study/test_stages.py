"""A stage's key is a digest of exactly the fields that it reads."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.study import (
    DataSource,
    Epsilons,
    Evaluation,
    Model,
    NoiseChoice,
    Selection,
    Split,
    StageCache,
    Workflow,
)
from dpcore.study.stages import key, plan

places = st.tuples(st.sampled_from(["train", "evaluate"]), st.sampled_from("abcdef"))


@given(st.integers(1, 4), st.lists(st.tuples(places, st.integers())))
def test_holds_the_newest_of_each_stage(entries, writes):
    cache = StageCache(entries=entries)
    for place, output in writes:
        cache[place] = output
    latest = {place: position for position, (place, _) in enumerate(writes)}
    for stage in ("train", "evaluate"):
        written = sorted((p for p in latest if p[0] == stage), key=latest.__getitem__)
        assert [place for place in cache if place[0] == stage] == written[-entries:]
    assert all(cache[place] == dict(writes)[place] for place in cache)
    assert len(cache) == len(list(cache))


def test_an_output_can_be_dropped():
    cache = StageCache()
    cache["train", "a"] = 1
    del cache["train", "a"]
    assert ("train", "a") not in cache


def test_threads_may_share_it():
    cache = StageCache(entries=300)

    def write(thread):
        for number in range(600):
            cache["train", f"{thread}-{number}"] = number

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(write, range(4)))
    finally:
        sys.setswitchinterval(interval)
    assert len(cache) <= 300


def test_keeps_at_least_one():
    with pytest.raises(InvalidArgument, match="^entries"):
        StageCache(entries=0)


BASE = Workflow(
    data=DataSource(sample="messages"),
    selection=Selection(method="noisy-scores", parameters={"top_k": 5}),
    epsilon=Epsilons(selection=1, training=1, evaluation=1),
)

FEWER = Selection(method="noisy-scores", parameters={"top_k": 4})

NOISY = {"select", "train", "score", "evaluate"}

ALL = NOISY | {"prepare", "noise free", "reference"}

# With the noise off it is the same study.
AFTER_SELECT = NOISY | {"noise free"}

AFTER_TRAIN = AFTER_SELECT - {"select"}


def keys(config, data="digest"):
    found = {"data": data}
    for stage in plan(config):
        found[stage.name] = key(stage, config, found)
    return found


def moved(config, data="digest"):
    before, after = keys(BASE), keys(config, data)
    return {name for name in ALL if before[name] != after[name]}


@pytest.mark.parametrize(
    "change, expected",
    [
        ({"epsilon": replace(BASE.epsilon, evaluation=2)}, {"evaluate"}),
        ({"evaluation": Evaluation(confidence=0.8)}, {"evaluate"}),
        ({"evaluation": Evaluation(seed=1)}, {"evaluate"}),
        ({"epsilon": replace(BASE.epsilon, training=2)}, AFTER_TRAIN),
        ({"model": Model(kind="logistic")}, AFTER_TRAIN),
        ({"epsilon": replace(BASE.epsilon, selection=2)}, AFTER_SELECT),
        ({"selection": FEWER}, AFTER_SELECT),
        ({"noise": NoiseChoice(1)}, NOISY),
        ({"neighbors": "replace"}, AFTER_SELECT),
        ({"split": Split(seed=1)}, ALL),
        ({"title": "other words"}, set()),
    ],
)
def test_only_the_stages_that_read_a_field_move(change, expected):
    assert moved(replace(BASE, **change)) == expected


def test_other_data_move_everything():
    assert moved(BASE, data="other") == ALL


def test_the_source_is_read_through_its_key_alone():
    assert moved(replace(BASE, data=DataSource(sample="bank-calls"))) == set()


def test_real_noise_compares_with_nothing():
    run = {stage.name for stage in plan(replace(BASE, noise="system"))}
    assert run == NOISY | {"prepare"}


def test_what_a_study_is_compared_with_can_be_left_for_later():
    study = Workflow(data=DataSource(sample="heart-risk"), noise=NoiseChoice(7))
    sooner, whole = plan(study, beside=False), plan(study)
    assert {one.name for one in whole} - {one.name for one in sooner} == {"noise free", "reference"}
    assert [one for one in whole if one in sooner] == [*sooner]


def test_stages_need_only_earlier_ones():
    for config in (BASE, replace(BASE, data=DataSource(predictions="p.csv"))):
        known = {"data"}
        for stage in plan(config):
            assert set(stage.needs) <= known
            known.add(stage.name)


def test_whether_predictions_are_turned_round_is_read():
    usual = Workflow(data=DataSource(predictions="p.csv"))
    turned = Workflow(data=DataSource(predictions="p.csv", positive="no"))
    assert keys(usual)["score"] != keys(turned)["score"]
