"""What each stage does, one by one."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpcore.data.reading import Dialect, read_predictions
from dpcore.errors import InvalidArgument, PrivateInference, SchemaError
from dpcore.evaluation import private_roc_curve, roc_area_between
from dpcore.privacy import Ledger, Neighbors
from dpcore.schema import Categorical, Label, Schema, encode
from dpcore.selection import select_features
from dpcore.study import Dataset, Evaluation, Model, NoiseChoice, Selection, Split, steps
from dpcore.study.sections import ESTIMATORS
from dpcore.study.sources import open_records

PREDICTIONS = read_predictions(b"label,score\nyes,0.9\nno,0.2\nyes,0.4\nno,0.6\n")


def declared_predictions(content=b"label,score\nyes,0.9\nno,0.2\n"):
    return read_predictions(content, positive="yes", negative="no", dialect=Dialect())


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


@pytest.mark.parametrize("model", [Model(), Model(kind="logistic", method="objective")])
@pytest.mark.parametrize("method", ["noisy-scores", "none"])
def test_records_within_their_bounds_give_what_the_records_give(prepared, method, model):
    """Selection, model and scores of a simulation, and those of whoever does it by hand."""
    told = {} if method == "none" else {"top_k": 2}
    selection = Selection(method=method, parameters=told)
    train, noise = prepared.train, NoiseChoice(3)
    selected = steps.select(prepared, selection=selection, epsilon=5, **spending(Ledger()))
    by_hand = select_features(
        train.matrix,
        train.y,
        method=method,
        epsilon=5,
        space=train.space,
        noise=noise.source("select"),
        part=steps.TRAIN,
        **told,
    )
    assert selected.to_json() == by_hand.to_json()
    for _ in range(2):
        fitted = steps.train(prepared, selected, model=model, epsilon=5, **spending(Ledger()))
        chosen = train.take(selected.selected)
        alone = ESTIMATORS[model.kind](
            5,
            method=model.method,
            classes=(0, 1),
            schema=chosen.space,
            noise=noise.source("train"),
            part=steps.TRAIN,
            **model.parameters,
        ).fit(chosen.matrix, chosen.y)
        first, second = json.loads(fitted.to_json()), json.loads(alone.to_json())
        assert first["value"] == second["value"]
        assert first["charges"] == second["charges"]
        scored = steps.score(prepared, selected, fitted, simulated=True).performance
        rows = prepared.test.take(selected.selected).matrix
        assert np.array_equal(scored.exact.scores, alone.predict_proba(rows)[:, prepared.positive])


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
    assert scored.curve is not None
    assert 0.0 < roc_area_between(evaluated.fpr, evaluated.tpr, *scored.curve) < 0.5
    assert scored.performance.auc == pytest.approx(np.trapezoid(scored.curve[1], scored.curve[0]))


def test_reference_and_model_are_tested_on_the_same_records(prepared):
    peer = steps.reference(prepared)
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
    with pytest.raises(PrivateInference, match="how the file is read .*declare data.delimiter"):
        steps.tally(opened, positive="yes", simulated=False)
    declared = declared_predictions()
    assert steps.tally(open_records(declared), positive="yes", simulated=False).curve is None


def test_the_wrong_kind_of_records_is_refused(dataset):
    with pytest.raises(InvalidArgument, match="Dataset"):
        steps.prepare(open_records(PREDICTIONS), split=Split(), simulated=True)
    with pytest.raises(InvalidArgument, match="Predictions"):
        steps.tally(open_records(dataset), positive=None, simulated=True)


def spoilt(dataset, cell):
    frame = dataset.frame.copy()
    frame.loc[7, "ill"] = cell
    return open_records(Dataset(frame, dataset.schema, "d2"))


@pytest.mark.parametrize("cell", ["HIV positive", None])
def test_an_undeclared_label_leaves_its_own_record_out_of_a_release(dataset, cell):
    for fraction in (1e-6, 1 - 1e-6):
        split = Split(test_fraction=fraction)
        prepared = steps.prepare(spoilt(dataset, cell), split=split, simulated=False)
        part = prepared.train if fraction < 0.5 else prepared.test
        assert part.matrix.shape[0] == len(dataset.frame) - 1
        assert prepared.left_out == (0 if fraction < 0.5 else 1)
        whole = encode(dataset.frame.drop(index=7), dataset.schema)
        np.testing.assert_array_equal(part.matrix, whole.matrix)
        np.testing.assert_array_equal(part.y, whole.y)


def test_a_simulation_names_the_undeclared_label(dataset):
    with pytest.raises(SchemaError, match="^row 8, column 'ill': the label 'HIV positive' is no"):
        steps.prepare(spoilt(dataset, "HIV positive"), split=Split(), simulated=True)


def test_a_column_of_cells_that_are_no_numbers_stops_no_release(dataset):
    frame = dataset.frame.assign(age="x")
    opened = open_records(Dataset(frame, dataset.schema, "d2"))
    assert steps.prepare(opened, split=Split(), simulated=False).train.y.size
    with pytest.raises(SchemaError, match="it holds no number"):
        steps.prepare(opened, split=Split(), simulated=True)


def test_a_table_that_was_guessed_stops_a_private_release(dataset):
    guessed = Dataset(dataset.frame, dataset.schema, "d", taken_from_data=frozenset({"types"}))
    steps.prepare(open_records(guessed), split=Split(), simulated=True)
    with pytest.raises(PrivateInference, match=r"^how the file is read \(types\) would be taken"):
        steps.prepare(open_records(guessed), split=Split(), simulated=False)


@pytest.mark.parametrize("simulated", [True, False])
def test_predictions_left_out_stop_nothing(simulated):
    opened = open_records(declared_predictions(b"label,score\nyes,0.9\nno,high\nsecret,0.2\n"))
    scores = steps.tally(opened, positive="yes", simulated=simulated).performance.scores
    assert (scores.n_positive, scores.n_negative, scores.left_out) == (1, 0, 2)


def test_test_records_without_a_label_go_with_the_scores(prepared):
    """Every page that looks at the scores then counts them as the relation asks."""
    some = replace(prepared, left_out=3)
    kept = steps.select(some, selection=Selection(), epsilon=0, **spending(Ledger()))
    model = steps.train(some, kept, model=Model(), epsilon=9, **spending(Ledger()))
    scores = steps.score(some, kept, model, simulated=True).performance.scores
    assert scores.left_out == 3
    assert scores.n_positive + scores.n_negative == prepared.test.y.size


@pytest.mark.parametrize("relation, records", [("add-remove", 2), ("replace", 4)])
def test_the_number_of_records_stays_public_under_replacement(monkeypatch, relation, records):
    seen = []

    def curve(scores, **arguments):
        seen.append(scores)
        return private_roc_curve(scores, **arguments)

    monkeypatch.setattr(steps, "private_roc_curve", curve)
    content = b"label,score\nyes,0.9\nno,0.2\nno,high\nsecret,0.2\n"
    scored = steps.tally(
        open_records(declared_predictions(content)), positive="yes", simulated=False
    )
    ledger = Ledger(neighbors=relation)
    account = {**spending(ledger), "neighbors": Neighbors.of(relation)}
    steps.evaluate(scored, evaluation=Evaluation(), epsilon=1, **account)
    counted = seen[0].as_counted(Neighbors.of(relation))
    assert counted.n_positive + counted.n_negative == records
    assert counted.n_positive == 1


def test_numbers_are_cut_into_bins_that_can_be_chosen(dataset):
    opened = open_records(dataset)
    plain, cut = (
        steps.prepare(opened, split=Split(), simulated=True, bins=bins) for bins in (None, 3)
    )
    numbers = [one for one in plain.train.space.features if one.kind == "numeric"]
    assert numbers
    assert all(one.kind == "indicator" for one in cut.train.space.features)
    assert len(cut.train.space.features) == len(plain.train.space.features) + 2 * len(numbers)
    assert cut.train.space.max_indicators == plain.train.space.max_indicators + len(numbers)
    np.testing.assert_array_equal(cut.test.y, plain.test.y)


def test_groups_are_told_in_any_letters() -> None:
    """As labels are; a level that nobody declared is no group."""
    frame = pd.DataFrame({"sex": ["F", "f", "M", "x"], "y": ["no", "yes", "no", "yes"]})
    schema = Schema((Categorical("sex", ("F", "M")), Label("y", ("no", "yes"))))
    data = Dataset(frame, schema, digest="0" * 64)
    by = steps.grouping(data, "sex", np.array([True, True, True, True]))
    assert by.places.tolist() == [0, 0, 1, -1]
    assert by.levels == ("F", "M")
