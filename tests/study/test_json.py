"""Studies and their results as JSON."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation import roc_methods
from dpcore.privacy import Neighbors
from dpcore.study import (
    DataSource,
    Epsilons,
    Evaluation,
    Model,
    NoiseChoice,
    Selection,
    Split,
    Workflow,
    digest,
    from_json,
    run_workflow,
    to_json,
)
from dpcore.study.sections import ESTIMATORS

SAMPLE = Workflow(data=DataSource(sample="messages"))

names = st.text(min_size=1, max_size=12)

sources = st.one_of(
    st.builds(DataSource, sample=st.sampled_from(["messages", "breast-cancer"])),
    st.builds(DataSource, file=names, schema=names),
    st.builds(
        DataSource,
        predictions=names,
        scale=st.sampled_from(["probability", "log-odds"]),
        positive=st.none() | names,
    ),
)

selections = st.just(Selection()) | st.builds(
    lambda k, s: Selection(
        method="noisy-scores", parameters={"top_k": k} if s is None else {"threshold": s}
    ),
    st.integers(1, 99),
    st.none() | st.floats(-5, 1e6),
)

epsilons = st.fractions(min_value="1/1000", max_value=50)

both = [name for name, method in roc_methods().items() if len(method.neighbors) == 2]

workflows = st.builds(
    Workflow,
    data=sources,
    split=st.builds(Split, test_fraction=st.floats(0.01, 0.99), seed=st.integers(0, 2**63 - 1)),
    selection=selections,
    model=st.builds(Model, kind=st.sampled_from(sorted(ESTIMATORS))),
    evaluation=st.builds(
        Evaluation,
        method=st.sampled_from(both),
        confidence=st.floats(0.5, 0.99),
        seed=st.none() | st.integers(0, 2**63 - 1),
    ),
    epsilon=st.builds(Epsilons, selection=epsilons, training=epsilons, evaluation=epsilons),
    noise=st.builds(NoiseChoice, st.none() | st.integers(0, 2**63 - 1)),
    title=st.text(max_size=20),
)


@given(workflows)
def test_round_trip(study):
    text = to_json(study)
    again = from_json(text)
    assert again == study
    assert to_json(again) == text
    assert digest(again) == digest(study)


@given(workflows, workflows)
def test_different_studies_have_different_texts(a, b):
    assert (to_json(a) == to_json(b)) is (a == b)


def test_a_study_from_before_evaluations_had_seeds_reads_and_keeps_its_digest():
    document = json.loads(to_json(SAMPLE))
    assert "seed" not in document["evaluation"]
    old = from_json(json.dumps(document))
    assert (old, digest(old)) == (SAMPLE, digest(SAMPLE))
    assert old.evaluation.seed is None


def test_numbers_may_be_written_as_numbers():
    document = json.loads(to_json(SAMPLE)) | {"epsilon": {"training": 0.1, "evaluation": "1/3"}}
    study = from_json(json.dumps(document))
    assert study.epsilon == Epsilons(training="1/10", evaluation="1/3")
    assert json.loads(to_json(study))["epsilon"] == {
        "selection": "0",
        "training": "0.1",
        "evaluation": "1/3",
    }


def test_what_is_left_out_takes_its_default():
    assert from_json('{"data": {"sample": "messages"}}') == SAMPLE


@pytest.mark.parametrize(
    "change, wrong, right",
    [
        ({"evalution": {}}, "evalution", "evaluation"),
        ({"model": {"knd": "logistic"}}, "knd", "kind"),
        ({"epsilon": {"trainig": 1}}, "trainig", "training"),
        ({"data": {"smple": "messages"}}, "smple", "sample"),
    ],
)
def test_an_unknown_key_gets_the_nearest_spelling(change, wrong, right):
    document = json.loads(to_json(SAMPLE)) | change
    with pytest.raises(UnknownMethod, match=f"'{wrong}'; did you mean '{right}'"):
        from_json(json.dumps(document))


@pytest.mark.parametrize(
    "text, fragment",
    [
        ("{", "line 1, column 2"),
        ("[]", "the study must be a JSON object"),
        ("{}", "data must be given"),
        ('{"data": {"sample": "messages"}, "model": 3}', "model must be a JSON object"),
        ('{"data": {"sample": "messages"}, "title": "a", "title": "b"}', "every key once"),
        ('{"data": {"sample": "messages"}, "noise": null}', "noise must be"),
        ('{"data": {"sample": "messages"}, "epsilon": {"training": null}}', "epsilon.training"),
        ('{"data": {"sample": "messages"}, "epsilon": {"training": NaN}}', "epsilon.training"),
    ],
)
def test_a_wrong_text_is_refused_in_one_sentence(text, fragment):
    with pytest.raises(InvalidArgument, match=fragment) as caught:
        from_json(text)
    assert "\n" not in str(caught.value)


def test_neighbours_are_written_by_name():
    text = to_json(replace(SAMPLE, neighbors=Neighbors.REPLACE))
    assert json.loads(text)["neighbors"] == "replace"


def test_the_old_name_of_a_scale_is_read_with_a_warning() -> None:
    told = '{"data": {"predictions": "p.csv", "link": "logit"}}'
    with pytest.warns(DeprecationWarning, match='"link" of a study is now called "scale"'):
        assert from_json(told).data.scale == "log-odds"
    bounded = Workflow(data=DataSource(predictions="p.csv", scale="any", bounds=(300, 850)))
    assert from_json(to_json(bounded)) == bounded


@pytest.fixture(scope="module")
def result(dataset):
    study = Workflow(
        data=DataSource(file="small.csv", schema="small.toml"),
        selection=Selection(method="noisy-scores", parameters={"top_k": 2}),
        epsilon=Epsilons(selection="0.1", training="0.2", evaluation="1/3"),
        noise="seed:7",
    )
    return run_workflow(study, data=dataset)


def test_json_holds_the_study_and_its_cost(result):
    document = json.loads(result.to_json(), parse_constant=pytest.fail)
    assert from_json(json.dumps(document["study"])) == result.config
    assert document["study_digest"] == digest(result.config)
    assert document["simulation"] is True
    assert Fraction(document["privacy"]["epsilon"]) == Fraction(1, 3)
    charged = [Fraction(charge["epsilon"]) for charge in document["privacy"]["charges"]]
    assert sum(charged) == Fraction("0.3") + Fraction(1, 3)
    assert document["truth"]["n_train"] + document["truth"]["n_test"] == 613


def test_json_names_the_chosen_features(result):
    chosen = json.loads(result.to_json())["selection"]
    assert chosen["selected"] == list(result.selected_names)
    assert chosen["features"] == len(result.feature_names) == len(chosen["scores"])
    assert "age" in chosen["selected"]


def test_the_total_follows_the_words(result):
    assert str(result.total) in result.composition
    assert result.total == replace(result, charges=result.charges[::-1]).total
