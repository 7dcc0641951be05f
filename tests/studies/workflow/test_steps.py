"""What each stage does, one by one."""

import numpy as np
import pytest

from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.intake import read_predictions
from dpcore.privacy import Ledger, Neighbors
from dpcore.schema import encode
from dpcore.studies.workflow import Dataset, Evaluation, Model, NoiseChoice, Selection, Split, steps
from dpcore.studies.workflow.sources import open_records

PREDICTIONS = read_predictions(b"label,score\nyes,0.9\nno,0.2\nyes,0.4\nno,0.6\n")


@pytest.fixture
def prepared(dataset):
    return steps.prepare(open_records(dataset), split=Split(test_fraction=0.4), simulated=True)


def spending(ledger):
    return {"neighbors": Neighbors.ADD_REMOVE, "noise": NoiseChoice(3), "ledger": ledger}


def test_the_parts_are_disjoint_and_complete(dataset, prepared):
    whole = encode(dataset.frame, dataset.schema).matrix
    together = np.vstack([prepared.train.matrix, prepared.test.matrix])
    assert sorted(map(tuple, together)) == sorted(map(tuple, whole))
    # 613 coins at 0.4: six standard deviations.
    assert abs(prepared.test.matrix.shape[0] - 245) < 73


def test_the_split_follows_its_own_seed_only(dataset):
    opened = open_records(dataset)
    first, again = (steps.prepare(opened, split=Split(seed=1), simulated=True) for _ in range(2))
    other = steps.prepare(opened, split=Split(seed=2), simulated=True)
    assert np.array_equal(first.test.matrix, again.test.matrix)
    assert not np.array_equal(first.test.matrix, other.test.matrix)


def test_real_noise_splits_by_real_coins(dataset):
    opened = open_records(dataset)
    first, again = (steps.prepare(opened, split=Split(seed=1), simulated=False) for _ in range(2))
    assert not np.array_equal(first.test.matrix, again.test.matrix)


def test_bounds_taken_from_the_data_stop_a_private_release(dataset, schema):
    marked = type(schema)(schema.columns, "", frozenset({"age.bounds"}))
    opened = open_records(Dataset(dataset.frame, marked, "d"))
    steps.prepare(opened, split=Split(), simulated=True)
    with pytest.raises(PrivateInference, match=r"age\.bounds"):
        steps.prepare(opened, split=Split(), simulated=False)


def test_training_reads_the_chosen_features_of_the_train_part(prepared):
    ledger = Ledger()
    selected = steps.select(
        prepared,
        selection=Selection(method="noisy-scores", parameters={"top_k": 2}),
        epsilon=5,
        **spending(ledger),
    )
    assert selected.selected.size == 3  # the numeric feature, and two indicators
    model = steps.train(prepared, selected, model=Model(), epsilon=5, **spending(ledger))
    assert model.n_features_in_ == 3
    assert {charge.part for charge in ledger.charges} == {steps.TRAIN}
    scored = steps.score(prepared, selected, model, simulated=False)
    assert scored.curve is None
    assert scored.part == steps.TEST


def test_the_curve_is_charged_to_the_test_part(prepared):
    kept = steps.select(prepared, selection=Selection(), epsilon=0, **spending(Ledger()))
    model = steps.train(prepared, kept, model=Model(), epsilon=9, **spending(Ledger()))
    scored = steps.score(prepared, kept, model, simulated=True)
    ledger = Ledger()
    evaluated = steps.evaluate(scored, evaluation=Evaluation(), epsilon=9, **spending(ledger))
    assert {charge.part for charge in ledger.charges} == {steps.TEST}
    assert 0.0 < evaluated.area < 0.5
    assert scored.performance.auc == pytest.approx(np.trapezoid(scored.curve[1], scored.curve[0]))


def test_peer_and_model_are_tested_on_the_same_records(prepared):
    peer = steps.peer(prepared, kind="naive-bayes")
    y = prepared.test.y
    assert peer.scores.n_positive == np.sum(y == 1)
    assert peer.scores.n_negative == np.sum(y == 0)
    assert peer.accuracy > max(y.mean(), 1 - y.mean())


def test_predictions_are_counted_as_they_are():
    scored = steps.tally(open_records(PREDICTIONS), positive=None, simulated=True)
    assert scored.performance.auc == pytest.approx(0.75)
    assert (scored.part, scored.performance.accuracy, scored.n_train) == (None, None, 0)


def test_real_noise_must_be_told_the_positive_label():
    opened = open_records(PREDICTIONS)
    with pytest.raises(PrivateInference, match="positive label"):
        steps.tally(opened, positive=None, simulated=False)
    assert steps.tally(opened, positive="yes", simulated=False).curve is None


def test_the_wrong_kind_of_records_is_refused(dataset):
    with pytest.raises(InvalidArgument, match="Dataset"):
        steps.prepare(open_records(PREDICTIONS), split=Split(), simulated=True)
    with pytest.raises(InvalidArgument, match="Predictions"):
        steps.tally(open_records(dataset), positive=None, simulated=True)
