"""What methods are given: undeclared labels left out, counts, fingerprints."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.data.counting import FeatureCounts, FeatureHistograms, Moments
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import BudgetExceeded, InvalidArgument, PrivateInference
from dpcore.models import DPNaiveBayes, naive_bayes_edges
from dpcore.models.training import CountedTraining, Training
from dpcore.schema import Label, Numeric, Schema
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers
from tests.models._records import SPACE, all_records, training


def model(**arguments: Any) -> DPNaiveBayes:
    given = {"method": "moments", "schema": SCHEMA, "noise": SeededNoise(4)} | arguments
    return DPNaiveBayes(given.pop("epsilon", 1), **given)


def aggregates(frame: pd.DataFrame) -> tuple[FeatureCounts, Moments]:
    return FeatureCounts.from_frame(frame, SCHEMA), Moments.from_frame(frame, SCHEMA)


# The first record has an undeclared label, and a simulation says so.
@pytest.mark.filterwarnings("ignore:no label is one of the declared classes")
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("n", [0, 1, 400])
def test_it_is_the_model_of_the_records_to_the_bit(neighbors: str, n: int) -> None:
    frame = people(400)[:n]
    ours = model(neighbors=neighbors).fit_aggregates(*aggregates(frame))
    theirs = model(neighbors=neighbors).fit(
        frame.drop(columns=SCHEMA.label.name), frame[SCHEMA.label.name]
    )
    assert ours.model_.to_plain() == theirs.model_.to_plain()
    assert ours.release_.charges == theirs.release_.charges
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    fresh = people(50)
    np.testing.assert_array_equal(ours.predict_proba(fresh), theirs.predict_proba(fresh))


@pytest.mark.parametrize(
    "names, classes",
    [(("2", "10"), one) for one in (None, ("2", "10"), (10, 2))]
    + [(names, None) for names in (("10", "2"), ("0", "1"), ("false", "true"))],
)
def test_their_classes_are_those_of_the_records(names: tuple[str, str], classes: Any) -> None:
    """Numbers and truth values of a schema are such in predictions, and sorted as such."""
    schema = Schema((Numeric("age", (0, 100)), Label("ill", names)))
    table = pd.DataFrame({"age": [20, 30, 70, 80] * 25, "ill": [names[0]] * 50 + [names[1]] * 50})
    given = {"schema": schema, "classes": classes}
    counted = FeatureCounts.from_frame(table, schema), Moments.from_frame(table, schema)
    ours, theirs = model(**given).fit_aggregates(*counted), model(**given)
    warnings.simplefilter("ignore")  # of texts, which a frame may hold
    assert ours.to_json() == theirs.fit(table[["age"]], table["ill"]).to_json()
    assert ours.classes_.tolist() == theirs.classes_.tolist()


def test_files_and_parts_give_the_same_model(tmp_path: Path) -> None:
    frame = people(300)
    frame.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=70)
    paths = [tmp_path / "a.parquet"]
    of_files = FeatureCounts.from_files(paths, SCHEMA), Moments.from_files(paths, SCHEMA)
    one, two = aggregates(frame[:100]), aggregates(frame[100:])
    of_parts = one[0] + two[0], one[1] + two[1]
    made = [model().fit_aggregates(*of).to_json() for of in (of_files, of_parts, aggregates(frame))]
    assert len(set(made)) == 1


def test_an_epsilon_too_small_is_refused_before_a_charge() -> None:
    ledger = Ledger()
    refused = DPNaiveBayes("1e-9", method="moments", schema=SCHEMA, ledger=ledger)
    with pytest.raises(InvalidArgument, match="too wide to draw"):
        refused.fit_aggregates(*aggregates(people(40)))
    assert ledger.charges == ()


def test_the_exported_model_is_restored() -> None:
    fitted = model().fit_aggregates(*aggregates(people(200)))
    restored = DPNaiveBayes.from_json(fitted.to_json())
    fresh = people(30)
    np.testing.assert_array_equal(restored.predict_proba(fresh), fitted.predict_proba(fresh))


def test_it_is_charged_before_it_is_drawn_and_refused_when_nothing_is_left() -> None:
    ledger = Ledger(Loss(1))
    given = aggregates(people(100))
    model(ledger=ledger, noise=SystemNoise()).fit_aggregates(*given)
    assert ledger.spent == Loss(1)
    with pytest.raises(BudgetExceeded):
        model(ledger=ledger).fit_aggregates(*given)


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"method": "vaidya"}, "moments, truncated-counts to be trained on aggregates"),
        ({"method": "histogram"}, "histograms"),
        ({"schema": None}, "schema"),
        ({"schema": Schema(SCHEMA.columns[:1])}, "schema"),
        ({"schema": Schema((*SCHEMA.columns[:1], Label("ill", ("no", "yes"))))}, "aggregates"),
        ({"classes": ("yes", "no")}, "classes"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_charge(changed: dict, words: str) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match=words):
        model(ledger=ledger, **changed).fit_aggregates(*aggregates(people(20)))
    assert ledger.charges == ()


def test_nothing_taken_from_the_data_with_real_noise() -> None:
    inferred = Schema(SCHEMA.columns, taken_from_data=frozenset({"age.bounds"}))
    with pytest.raises(PrivateInference):
        model(schema=inferred, noise=SystemNoise()).fit_aggregates(*aggregates(people(20)))


def everything(frame: pd.DataFrame, schema: Schema) -> tuple[Any, ...]:
    """All aggregates of a table."""
    edges = naive_bayes_edges(schema)
    histograms = FeatureHistograms.from_frame(frame, schema, edges=edges)
    return FeatureCounts.from_frame(frame, schema), Moments.from_frame(frame, schema), histograms


ROWS_OF = [(100, 100, 97), (100, 97, 100), (97, 100, 100)]


@pytest.mark.parametrize("rows", ROWS_OF)
@pytest.mark.parametrize("method", ["histogram", "l1-counts", "moments", "truncated-counts"])
def test_aggregates_of_different_records_are_refused_before_a_charge(
    rows: tuple[int, int, int], method: str
) -> None:
    """Shared noise cancels in what one histogram holds more than another: it would be exact."""
    frame, ledger = people(100), Ledger(Loss(1))
    given = [everything(frame[:n], SCHEMA)[place] for place, n in enumerate(rows)]
    with pytest.raises(InvalidArgument, match="the same records"):
        model(method=method, ledger=ledger, noise=SystemNoise()).fit_aggregates(*given)
    assert ledger.charges == ()


NAME, CLASSES = SCHEMA.label.name, SCHEMA.label.classes


@pytest.mark.parametrize("classes", [(*CLASSES, "neither"), CLASSES[::-1], ("no", "maybe", "YES")])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_aggregates_of_other_classes_are_refused_before_a_charge(
    classes: tuple[str, ...], place: int
) -> None:
    """Swapped ones would train a model of the opposite, and nothing else would tell."""
    ledger = Ledger(Loss(1))
    features = tuple(column for column in SCHEMA.columns if column.name != NAME)
    others = everything(people(60), Schema((*features, Label(NAME, classes))))
    given = list(everything(people(60), SCHEMA))
    given[place] = others[place]
    with pytest.raises(InvalidArgument, match="of the schema's label"):
        model(ledger=ledger).fit_aggregates(*given)
    assert ledger.charges == ()


def test_histograms_of_other_cells_are_refused_before_a_charge() -> None:
    ledger, frame = Ledger(Loss(1)), people(60)
    edges = [one[[0, -1]] for one in naive_bayes_edges(SCHEMA)]
    histograms = FeatureHistograms.from_frame(frame, SCHEMA, edges=edges)
    given = {"method": "histogram", "calibration": "none", "ledger": ledger}
    with pytest.raises(InvalidArgument, match="those that were counted"):
        model(**given).fit_aggregates(*aggregates(frame), histograms)
    assert ledger.charges == ()


@pytest.mark.parametrize("method", ["auto", "histogram"])
def test_three_classes_look_where_numbers_lie_in_records_alone(method: str) -> None:
    ledger, frame = Ledger(Loss(1)), people(60)
    assert len(CLASSES) > 2
    with pytest.raises(InvalidArgument, match='calibration must be "none" to train on aggregates'):
        model(method=method, ledger=ledger).fit_aggregates(*everything(frame, SCHEMA))
    assert ledger.charges == ()


@pytest.mark.spanning
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("method", ["auto", "histogram", "l1-counts", "truncated-counts"])
@pytest.mark.parametrize("kind", ["table", "texts"])
# As many records per unit of noise as each of the public grids is for.
@pytest.mark.parametrize("epsilon", [1, 10, 100])
def test_histograms_give_the_model_of_the_records(
    method: str, neighbors: str, kind: str, epsilon: int
) -> None:
    frame, schema = (people(300), SCHEMA) if kind == "table" else (writers(200), TEXTS)
    own = {"max_nonzeros": 6} if method == "truncated-counts" else {"calibration": "none"}
    given = {"epsilon": epsilon, "method": method, "schema": schema, "neighbors": neighbors} | own
    ours = model(**given).fit_aggregates(*everything(frame, schema))
    theirs = model(**given).fit(frame.drop(columns="ill"), frame["ill"])
    assert ours.to_json() == theirs.to_json()


def test_files_and_dask_train_the_same_model(tmp_path: Path) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame, edges = writers(150), naive_bayes_edges(TEXTS)
    frame.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=40)
    paths, remote = [tmp_path / "a.parquet"], dd.from_pandas(frame, npartitions=3)
    both = [
        (
            FeatureCounts.from_files(paths, TEXTS),
            Moments.from_files(paths, TEXTS),
            FeatureHistograms.from_files(paths, TEXTS, edges=edges),
        ),
        (
            FeatureCounts.from_dask(remote, TEXTS),
            Moments.from_dask(remote, TEXTS),
            FeatureHistograms.from_dask(remote, TEXTS, edges=edges),
        ),
        everything(frame, TEXTS),
    ]
    given = {"method": "auto", "schema": TEXTS, "calibration": "none"}
    assert len({model(**given).fit_aggregates(*of).to_json() for of in both}) == 1


@pytest.mark.parametrize("method", ["auto", "histogram", "l1-counts"])
def test_a_calibration_of_counts_is_refused_before_a_charge(method: str) -> None:
    ledger = Ledger(Loss(1))
    given = {"method": method, "schema": TEXTS, "ledger": ledger}
    with pytest.raises(InvalidArgument, match="reads rows once more"):
        model(**given).fit_aggregates(*everything(writers(20), TEXTS))
    assert ledger.charges == ()


def test_texts_that_would_be_cut_are_refused_before_a_charge() -> None:
    ledger = Ledger(Loss(1))
    given = {"method": "truncated-counts", "schema": TEXTS, "max_nonzeros": 3, "ledger": ledger}
    with pytest.raises(InvalidArgument, match="no longer cut"):
        model(**given).fit_aggregates(*everything(writers(20), TEXTS))
    assert ledger.charges == ()


def test_without_a_calibration_its_share_goes_to_the_counts() -> None:
    frame = writers(100)
    X, y = frame.drop(columns="ill"), frame["ill"]
    for method in ("histogram", "l1-counts"):
        # So large that either method would calibrate.
        given = {"epsilon": 100, "method": method, "schema": TEXTS}
        with_one = model(**given).fit(X, y).release_.charges
        without = model(**given, calibration="none").fit(X, y).release_.charges
        assert with_one[-1].label == "calibration"
        # Nor is anything spent on where numbers lie, so that aggregates give the same model.
        with_one = [one for one in with_one[:-1] if one.label != "range of numbers"]
        kinds = [[one.label.split(" of ")[0] for one in some] for some in (without, with_one)]
        assert kinds[0] == kinds[1]
        assert sum(charge.loss.epsilon for charge in without) == 100


def test_undeclared_labels_are_left_out() -> None:
    records = all_records(2)[:9]
    kept = [record for record in records if record[1] >= 0]
    whole, part = training(records, 2), training(kept, 2)
    np.testing.assert_array_equal(whole.rows.numeric, part.rows.numeric)
    np.testing.assert_array_equal(whole.classes, part.classes)
    assert whole.sizes.sum() == len(kept) < len(records)
    assert whole.space is SPACE


def test_counts_per_class() -> None:
    records = [((0.0, 1, 0, 1, 0, 0, 0), 0), ((0.0, 0, 1, 1, 0, 0, 0), 1)]
    counts = training(records, 3).indicator_counts
    assert counts[:, :3].tolist() == [[1, 0, 1], [0, 1, 1], [0, 0, 0]]


def test_the_fingerprint_knows_the_records_and_not_their_container() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=50), (rng.random((50, 6)) < 0.4)]).astype(float)
    classes = rng.integers(0, 2, 50)

    def fingerprint(matrix: object, labels: np.ndarray = classes) -> str:
        return Training.of(BoundedRows.of(matrix, SPACE), labels, 2).fingerprint  # type: ignore[arg-type]

    same = {
        fingerprint(X),
        fingerprint(csr_array(X)),
        fingerprint(np.asfortranarray(X)),
        fingerprint(X[::-1], classes[::-1]),
    }
    assert len(same) == 1
    assert fingerprint(X[1:], classes[1:]) not in same
    assert fingerprint(X, 1 - classes) not in same
    moved = X.copy()
    moved[0, 0] = 1 - moved[0, 0]
    assert fingerprint(moved) not in same


def test_a_design_is_made_of_the_bounded_rows() -> None:
    data = training(all_records(2), 2)
    columns, classes = data.design(lambda rows: 2.0 * rows.scaled)
    np.testing.assert_array_equal(columns, 2.0 * data.rows.scaled)
    assert classes is data.classes


def test_cells_are_not_made_up_where_no_histograms_are_given() -> None:
    counted = CountedTraining.of_aggregates(*aggregates(people(30)))
    with pytest.raises(InvalidArgument, match="^histograms must be given"):
        counted.cell_counts(())
