"""Studies repeat, reuse what did not change, and count what they spend."""

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pandas as pd
import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading import read_predictions
from dpcore.errors import DataError, MissingResource, NotPrivate
from dpcore.evaluation import roc_methods
from dpcore.privacy import Loss
from dpcore.study import (
    DataSource,
    Evaluation,
    Model,
    Selection,
    Split,
    StageCache,
    prepared_records,
    run_workflow,
    steps,
)

STAGES = ("prepare", "select", "train", "score", "noise free", "reference", "evaluate")


class Counted:
    """Counts the calls of every stage through its timings."""

    def __init__(self, dataset, cache):
        self.dataset, self.cache = dataset, cache

    def __call__(self, study):
        self.result = run_workflow(study, data=self.dataset, cache=self.cache)
        return set(self.result.timings)


@pytest.fixture
def run(dataset):
    return Counted(dataset, StageCache())


def test_moving_the_roc_epsilon_reruns_evaluation_only(run, study):
    assert run(study) == set(STAGES)
    before = run.result
    moved = replace(study, epsilon=replace(study.epsilon, evaluation=1))
    assert run(moved) == {"evaluate"}
    assert run.result.truth.model is before.truth.model
    assert not np.array_equal(run.result.roc.tpr, before.roc.tpr)
    # Back again: nothing runs, and the picture is the old one.
    assert run(study) == set()
    assert run.result.to_json() == before.to_json()


def test_the_curve_is_the_same_before_what_it_is_compared_with(dataset, study):
    cache = StageCache()
    sooner = run_workflow(study, data=dataset, cache=cache, beside=False)
    assert sooner.truth.noise_free is sooner.truth.reference is None
    whole = run_workflow(study, data=dataset, cache=cache)
    assert set(whole.timings) == {"noise free", "reference"}
    assert whole.roc is sooner.roc
    assert whole.truth.noise_free is not None


def test_what_a_study_has_prepared_is_not_prepared_again(run, study):
    run(study)
    kept = prepared_records(study, data=run.dataset, cache=run.cache)
    assert prepared_records(study, data=run.dataset, cache=run.cache) is kept
    moved = replace(study, epsilon=replace(study.epsilon, training=2))
    assert prepared_records(moved, data=run.dataset, cache=run.cache) is kept
    # And the other way round: a study takes what is there.
    divided = replace(study, split=replace(study.split, test_fraction=0.5))
    other = prepared_records(divided, data=run.dataset, cache=run.cache)
    assert other.test.y.size > kept.test.y.size
    assert "prepare" not in run(divided)


def test_redrawing_the_evaluation_keeps_the_model(run, study):
    run(study)
    before = run.result
    redrawn = replace(study, evaluation=replace(study.evaluation, seed=8))
    assert run(redrawn) == {"evaluate"}
    assert run.result.model is before.model
    assert run.result.truth.model is before.truth.model
    assert not np.array_equal(run.result.roc.tpr, before.roc.tpr)
    assert run.result.charges == before.charges
    # The study's own seed, said twice, is the study's own picture.
    run(replace(study, evaluation=replace(study.evaluation, seed=7)))
    assert np.array_equal(run.result.roc.tpr, before.roc.tpr)


def test_no_stage_runs_twice_on_the_same_fields(run, study, monkeypatch):
    calls = []
    original = ScoreHistogram.of_read
    monkeypatch.setattr(
        ScoreHistogram,
        "of_read",
        lambda *given, **named: calls.append(1) or original(*given, **named),
    )
    for evaluation in (1, 2, 3, 4):
        run(replace(study, epsilon=replace(study.epsilon, evaluation=evaluation)))
    # Once for the model, once for it without noise, once for the reference.
    assert len(calls) == 3


@pytest.mark.parametrize(
    "change, expected",
    [
        ({"noise": "seed:8"}, {"select", "train", "score", "evaluate"}),
        ({"title": "words"}, set()),
        ({"evaluation": Evaluation(confidence=0.8)}, {"evaluate"}),
    ],
)
def test_a_change_reruns_what_reads_it(run, study, change, expected):
    run(study)
    assert run(replace(study, **change)) == expected


def test_cached_stages_are_charged_again(run, study, dataset):
    run(study)
    moved = replace(study, epsilon=replace(study.epsilon, evaluation=1))
    run(moved)
    assert run.result.charges == run_workflow(moved, data=dataset).charges


def test_the_same_seed_gives_the_same_result(dataset, study):
    first, again = (run_workflow(study, data=dataset).to_json() for _ in range(2))
    assert first == again
    other = run_workflow(replace(study, noise="seed:8"), data=dataset).to_json()
    assert other != first


def test_the_total_is_the_larger_part(dataset, study):
    chosen = replace(study, selection=Selection(method="noisy-scores", parameters={"top_k": 2}))
    for evaluation, total in [("0.25", "2.5"), (3, 3)]:
        config = replace(chosen, epsilon=replace(study.epsilon, evaluation=evaluation))
        result = run_workflow(config, data=dataset)
        assert result.total == Loss(total) == config.cost
        spent = {str(part): Loss(0) for part in (steps.TRAIN, steps.TEST)}
        for charge in result.charges:
            spent[str(charge.part)] += charge.loss
        assert spent == {"split=train": Loss("2.5"), "split=test": Loss(evaluation)}


@pytest.mark.parametrize("kind", ["classifier", "naive-bayes", "logistic"])
def test_a_generous_budget_comes_close_to_no_noise_and_to_the_reference(dataset, study, kind):
    config = replace(
        study,
        model=replace(study.model, kind=kind, method="", parameters={}),
        epsilon=replace(study.epsilon, training=200, evaluation=200),
    )
    truth = run_workflow(config, data=dataset).truth
    assert truth.n_train + truth.n_test == 613
    assert abs(truth.model.auc - truth.noise_free.auc) < 0.01
    assert abs(truth.model.auc - truth.reference.auc) < 0.05
    assert truth.area < 0.05


def test_progress_counts_up_to_done(dataset, study):
    seen = []
    run_workflow(study, data=dataset, progress=lambda *step: seen.append(step))
    assert [name for name, _ in seen] == [*STAGES, "done"]
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_predictions_are_evaluated_without_a_model(study):
    predictions = read_predictions(b"label,score\n" + b"yes,0.9\nno,0.2\nyes,0.4\nno,0.6\n" * 100)
    config = replace(study, data=DataSource(predictions="p.csv"))
    result = run_workflow(config, data=predictions)
    assert (result.model, result.selection) == (None, None)
    assert (result.truth.noise_free, result.truth.reference) == (None, None)
    assert result.truth.n_test == 400
    assert result.total == Loss(3)
    assert all(charge.part is None for charge in result.charges)


def test_a_missing_file_is_named(study, tmp_path):
    with pytest.raises(MissingResource, match=r"small\.csv"):
        run_workflow(study, base=tmp_path)


def test_paths_start_from_the_base(dataset, study, tmp_path):
    (tmp_path / "small.csv").write_text(dataset.frame.to_csv(index=False))
    (tmp_path / "small.toml").write_text(dataset.schema.to_toml())
    from_files = run_workflow(study, base=tmp_path)
    assert from_files.truth.area == run_workflow(study, data=dataset).truth.area


# ------------------------------------------------------------------------------- real noise


@pytest.fixture
def private(study):
    return replace(study, noise="system")


def reachable(value, depth=0):
    """Everything that a result holds, however deep."""
    yield value
    if depth > 8:
        return
    if is_dataclass(value):
        inner = [getattr(value, part.name) for part in fields(value)]
    elif isinstance(value, dict):
        inner = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner = list(value)
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        inner = list(vars(value).values())
    else:
        inner = []
    for item in inner:
        yield from reachable(item, depth + 1)


def test_a_private_result_holds_no_truth(dataset, private):
    result = run_workflow(private, data=dataset)
    assert not result.simulated
    assert result.truth is None
    assert result.data_digest is None
    assert dict(result.timings) == {}
    text = result.to_json()
    assert "canary" not in text
    assert dataset.digest not in text.split('"')
    for value in reachable(result):
        assert not isinstance(value, ScoreHistogram | pd.DataFrame | pd.Series)
        if isinstance(value, np.ndarray):
            # A train or test part has more rows than the schema has features or the curve bins.
            assert value.shape[:1] != (613,)
            assert not (value.ndim == 2 and value.shape[0] > 100)
        if isinstance(value, int) and not isinstance(value, bool):
            assert value != 613


def test_the_search_for_truth_can_find_it(dataset, study):
    simulated = list(reachable(run_workflow(study, data=dataset)))
    assert any(isinstance(value, ScoreHistogram) for value in simulated)


def test_a_private_run_never_reuses_a_stage(dataset, private):
    cache = {}
    first = run_workflow(private, data=dataset, cache=cache)
    again = run_workflow(private, data=dataset, cache=cache)
    assert cache == {}
    assert not np.array_equal(first.roc.tpr, again.roc.tpr)


def test_a_broken_method_is_refused_before_any_noise(dataset, private):
    broken = [name for name, method in roc_methods().items() if not method.guarantee.holds]
    assert broken
    with pytest.raises(NotPrivate):
        run_workflow(replace(private, evaluation=Evaluation(method=broken[0])), data=dataset)


@pytest.mark.parametrize("kind", ["classifier", "naive-bayes", "logistic"])
def test_an_empty_test_part_gives_the_chance_diagonal(dataset, study, kind):
    nobody = replace(study, split=Split(test_fraction=1e-6), model=Model(kind=kind))
    result = run_workflow(nobody, data=dataset)
    assert result.truth.model.auc == 0.5


def test_an_empty_train_part_is_one_sentence(dataset, study):
    with pytest.raises(DataError, match="make split.test_fraction smaller"):
        run_workflow(replace(study, split=Split(test_fraction=1 - 1e-6)), data=dataset)
