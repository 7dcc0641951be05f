"""One odd record of each kind, in each kind of column, through each reader and each door.

With the odd record or without it: no exception, no warning, no quoting, and all other records count
alike. What is compared is what enters the gate, exactly: it may differ by what one record
contributes at most. That a door opens is tried with the system's noise, which nobody is told about.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore import Ledger, Loss, SystemNoise
from dpcore.data.counting import FeatureCounts, Moments, ScoreHistogram
from dpcore.data.reading import read_dataset, read_predictions
from dpcore.data.reading.dialect import Dialect
from dpcore.evaluation import CellCounts, private_calibration, private_ecdf, private_roc_curve
from dpcore.evaluation.scores_of import scores_of
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, Text
from dpcore.selection import DPFeatureSelector, select_features
from tests.conformance._odd_cells import ODD

# What plain columns hold: each pair gives pandas or NumPy another type for the whole column.
NUMBERS = [0.25, 0.75] * 4
COLUMNS: dict[str, list[list[Any]]] = {
    "number": [NUMBERS, [0, 1] * 4],
    "level": [["u", "v"] * 4, [1, 2] * 4],
    "binary": [["n", "y"] * 4, [False, True] * 4, [0.0, 1.0] * 4],
    "text": [
        ["12.50", "free 2020"] * 4,
        [10**16, 12_345_678_901_234_567] * 4,
        [12.5, 1e16] * 4,
        [True, False] * 4,
        [pd.Timestamp("2020-01-31"), pd.Timestamp("2021-01-31")] * 4,
        [pd.Timedelta("3s"), pd.Timedelta("4s")] * 4,
    ],
    "label": [["no", "yes"] * 4, ["no"] * 4 + ["yes"] * 4],
}
WORDS = ("12", "50", "free", "2020", "10000000000000000", "true", "00", "31")
SCHEMA = Schema(
    (
        Numeric("number", (0, 1)),
        Categorical("level", ("u", "v", "1")),
        Binary("binary", ("n", "y")),
        Text("text", vocabulary=WORDS, max_words=3),
        Label("label", ("no", "yes")),
    )
)
CASES = [(name, place) for name, given in COLUMNS.items() for place in range(len(given))]
EPSILON = 1
# What one record may add: to sizes, to indicators (a level, a binary, three words), to moments.
MOST_INDICATORS, MOST_MOMENT = 5, 1.5
every_column = pytest.mark.parametrize("column, place", CASES)


@contextmanager
def silence() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def base(column: str, place: int) -> dict[str, list[Any]]:
    """Plain records, one column of which is of the type in question."""
    return {name: list(given[place if name == column else 0]) for name, given in COLUMNS.items()}


def framed(columns: dict[str, list[Any]]) -> pd.DataFrame:
    """As pandas stores them where it can, or else as objects, as whoever has such cells must."""
    return pd.DataFrame({name: series(cells) for name, cells in columns.items()})


def series(cells: list[Any]) -> pd.Series:
    try:
        return pd.Series(cells)
    except Exception:  # noqa: BLE001  what pandas cannot infer, it can hold
        return objects(cells)


def objects(cells: list[Any]) -> pd.Series:
    held = np.empty(len(cells), dtype=object)
    for place, cell in enumerate(cells):
        held[place] = cell
    return pd.Series(held, dtype=object)


def odd_tables(column: str, place: int) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """The plain records and one more, with each odd cell in its turn."""
    for name, odd in ODD.items():
        columns = base(column, place)
        for other, cells in columns.items():
            cells.append(odd if other == column else cells[0])
        yield name, columns


def odd_frames(column: str, place: int) -> Iterator[tuple[str, pd.DataFrame]]:
    return ((name, framed(columns)) for name, columns in odd_tables(column, place))


def same_but_one(name: str, before: Any, after: Any, most: float) -> None:
    change = np.abs(np.asarray(after) - np.asarray(before)).sum()
    assert change <= most + 1e-9, f"{name}: changes the counts by {change}, declared {most}"


class Counted:
    """What a reader makes of plain records, to compare with what it makes of one record more."""

    def __init__(self, count: Callable[[Any, Any], Any], plain: Any) -> None:
        self.count = count
        self.before = count(FeatureCounts, plain), count(Moments, plain)

    def alike(self, name: str, after: Any, column: str = "number") -> None:
        counts, moments = self.before
        more = self.count(FeatureCounts, after)
        same_but_one(name, counts.sizes, more.sizes, 1)
        same_but_one(name, counts.counts, more.counts, MOST_INDICATORS)
        if column == "number":
            more = self.count(Moments, after)
            same_but_one(name, moments.sums, more.sums, MOST_MOMENT)


@every_column
def test_data_frames(column: str, place: int) -> None:
    plain = framed(base(column, place))

    def count(kind: Any, frame: pd.DataFrame) -> Any:
        return kind.from_frame(frame, SCHEMA)

    with silence():
        counted = Counted(count, plain)
        for name, frame in odd_frames(column, place):
            counted.alike(name, frame, column)


@every_column
def test_dask(column: str, place: int) -> None:
    def count(kind: Any, frame: pd.DataFrame) -> Any:
        with dask.config.set({"scheduler": "synchronous", "dataframe.convert-string": False}):
            return kind.from_dask(dd.from_pandas(frame, npartitions=1, sort=False), SCHEMA)

    plain = framed(base(column, place))
    # Dask cannot name a partition by an object that says nothing; the rest is every pandas reader.
    known = {"moment", "text", "nothing", "truth", "beyond doubles", "infinity"}
    with silence():
        counted = Counted(count, plain)
        for name, frame in odd_frames(column, place):
            if name in known:
                counted.alike(name, frame, column)


def written(cell: Any) -> str:
    text = "" if cell is None or cell is pd.NA or cell is pd.NaT else str(cell)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if '"' in text else text


def csv_bytes(columns: dict[str, list[Any]]) -> bytes:
    rows = [",".join(columns)]
    rows += [",".join(map(written, row)) for row in zip(*columns.values(), strict=True)]
    return ("\n".join(rows) + "\n").encode("utf-8", "surrogatepass")


def textual(name: str) -> bool:
    """Whether a CSV file can hold it in one cell."""
    return name not in {"5,000 digits", "list", "deep list", "mute object", "mapping", "array"}


@every_column
def test_csv(column: str, place: int, tmp_path: Path) -> None:
    """Counted part by part, and read by its declared dialect: the reader of the release desk."""

    def from_files(kind: Any, columns: dict[str, list[Any]]) -> Any:
        path = tmp_path / "some.csv"
        path.write_bytes(csv_bytes(columns))
        return kind.from_files([path], SCHEMA, workers=1)

    def from_desk(kind: Any, columns: dict[str, list[Any]]) -> Any:
        read = read_dataset(csv_bytes(columns), schema=SCHEMA, dialect=Dialect())
        return kind.from_frame(read.frame, SCHEMA)

    with silence():
        plain = base(column, place)
        readers = Counted(from_files, plain), Counted(from_desk, plain)
        for name, columns in odd_tables(column, place):
            for counted in readers if textual(name) else ():
                counted.alike(name, columns, column)


PARQUET: dict[str, tuple[pa.DataType, list[Any], Any]] = {
    "whole numbers": (pa.int64(), [12_345_678_901_234_567, 1], None),
    "small numbers": (pa.int8(), [12, 1], None),
    "unsigned": (pa.uint64(), [12, 1], 2**64 - 1),
    "numbers": (pa.float32(), [12.5, 1.0], float("inf")),
    "decimals": (pa.decimal128(30, 2), [Decimal("12.50"), Decimal(1)], None),
    "truth values": (pa.bool_(), [True, False], None),
    "dates": (pa.date32(), [0, 1], 2**31 - 1),
    "moments": (pa.timestamp("us"), [0, 1], 2**62),
    "moments of a zone": (pa.timestamp("ns", "Europe/Berlin"), [0, 86_400 * 10**9], -(2**62)),
    "times": (pa.time64("us"), [0, 1], 2**62),
    "durations": (pa.duration("s"), [3, 4], 2**62),
    "texts": (pa.string(), ["12.50", "free"], "\x00"),
    "repeated texts": (pa.dictionary(pa.int8(), pa.string()), ["12.50", "free"], None),
    "nothing": (pa.null(), [None, None], None),
}


@pytest.mark.parametrize("kind", PARQUET)
def test_parquet(kind: str, tmp_path: Path) -> None:
    """A column of each type, declared as each kind of column, with an odd record and without."""
    stored, cells, odd = PARQUET[kind]

    def table(extra: list[Any]) -> pa.Table:
        column = pa.array([*cells * 4, *extra], stored)
        label = pa.array([*COLUMNS["label"][0], "no"][: len(column)])
        return pa.table({name: label if name == "label" else column for name in COLUMNS})

    def from_files(counted: Any, extra: Any) -> Any:
        path = tmp_path / "some.parquet"
        pq.write_table(table(extra), path)
        return counted.from_files([path], SCHEMA, workers=1)

    def from_desk(counted: Any, extra: Any) -> Any:
        stream = pa.BufferOutputStream()
        pq.write_table(table(extra), stream)
        read = read_dataset(stream.getvalue().to_pybytes(), schema=SCHEMA, dialect=Dialect())
        return counted.from_frame(read.frame, SCHEMA)

    with silence():
        readers = Counted(from_files, []), Counted(from_desk, [])
        for counted in readers:
            for extra in ([odd], [None]):
                counted.alike(kind, extra)
        first, second = (counted.before[0] for counted in readers)
        np.testing.assert_array_equal(first.counts, second.counts)


def trained(model: Any, X: Any, y: Any) -> tuple[Any, ...]:
    """What a classifier hands to its method, which reads nothing else of the records."""
    found = model._training(X, y, simulated=False)
    return found.sizes, found.indicator_counts, found.moment_sums


@every_column
def test_fit_of_a_data_frame(column: str, place: int) -> None:
    model = DPNaiveBayes(EPSILON, method="truncated-counts", schema=SCHEMA, noise=SystemNoise())
    plain = framed(base(column, place))
    before = trained(model, plain, plain["label"])
    with silence():
        for name, frame in odd_frames(column, place):
            for y in (frame["label"], list(frame["label"]), objects(list(frame["label"])).array):
                after = trained(model, frame, y)
                for one, other, most in zip(
                    before, after, (1, MOST_INDICATORS, MOST_MOMENT), strict=True
                ):
                    same_but_one(name, one, other, most)
        model.fit(frame, frame["label"])


def test_fit_and_select_of_a_matrix() -> None:
    """Two features of 0 and 1: the cell alone is odd, or the label is, in every form of array."""
    rows, labels = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]] * 2, [0, 1, 1, 0] * 2
    told = {"classes": (0, 1), "noise": SystemNoise()}
    models = [
        DPNaiveBayes(EPSILON, method="moments", bounds=(0, 1), **told),
        DPLogisticRegression(EPSILON, bounds=(0, 1), **told),
    ]
    selector = DPFeatureSelector(EPSILON, criterion="difference-count", top_k=1, **told)
    before = [trained(model, np.array(rows), labels) for model in models]
    with silence():
        for name, odd in ODD.items():
            cells = [*rows, [odd, 1.0]]
            held = np.empty((len(cells), 2), dtype=object)
            for place, row in enumerate(cells):
                held[place, 0], held[place, 1] = row
            forms = [held, pd.DataFrame({"x": objects(list(held[:, 0])), "y": held[:, 1]}), cells]
            for X, y in [*((X, [*labels, 0]) for X in forms), (np.array([*rows, [0, 1]]), [*labels, odd])]:  # fmt: skip # noqa: E501
                for model, one in zip(models, before, strict=True):
                    for ours, theirs, most in zip(
                        one, trained(model, X, y), (1, 0, 3), strict=True
                    ):
                        same_but_one(name, ours, theirs, most)
                selector.fit(X, y)
                select_features(
                    X, y, method="best", score="difference-count", epsilon=EPSILON, top_k=1
                )
            models[0].fit(held, [*labels, 0])


SCORES, LABELS = [0.2, 0.8, 0.4, 0.6] * 2, [0, 1, 1, 0] * 2


def vectors(cells: list[Any]) -> Iterator[Any]:
    """The forms in which cells are handed over, each of which gives all of them another type."""
    yield cells
    yield objects(cells)
    yield objects(cells).to_numpy()
    yield series(cells)
    try:
        array = np.array(cells)
    except Exception:  # noqa: BLE001  what NumPy cannot hold, nobody hands over so
        return
    # As moments or durations the other cells would be other values.
    if array.ndim == 1 and array.dtype.kind not in "mM":
        yield array


def test_labels_and_scores_of_every_evaluator() -> None:
    before = scores_of(LABELS, SCORES, None, simulated=False)
    grid = [0.25, 0.5, 1.0]
    cells = CellCounts.from_values(SCORES, grid)
    with silence():
        for name, odd in ODD.items():
            odd_labels, odd_scores = vectors([*LABELS, odd]), vectors([*SCORES, odd])
            pairs = [*((y, [*SCORES, 0.5]) for y in odd_labels)]
            for y_true, y_score in [*pairs, *(([*LABELS, 1], p) for p in odd_scores)]:
                after = scores_of(y_true, y_score, None, simulated=False)
                change = np.abs(after.positives - before.positives).sum()
                change += np.abs(after.negatives - before.negatives).sum() + after.left_out
                assert change == 1, name
            for values in vectors([*SCORES, odd]):
                found = CellCounts.from_values(values, grid)
                same_but_one(name, cells.counts, found.counts, 1)


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_every_evaluator_opens_with_real_noise(neighbors: str) -> None:
    def spends_all(evaluate: Callable[..., Any], *records: Any, **arguments: Any) -> None:
        ledger = Ledger(Loss(EPSILON), neighbors)
        evaluate(*records, epsilon=EPSILON, neighbors=neighbors, ledger=ledger, **arguments)
        assert ledger.spent == Loss(EPSILON)

    with silence():
        for odd in ODD.values():
            spends_all(private_calibration, [*LABELS, odd], [*SCORES, 0.5], groups=3)
            spends_all(private_roc_curve, [*LABELS, 1], [*SCORES, odd], bins=3)
            spends_all(private_ecdf, [*SCORES, odd], grid=[0.5, 1.0])


def test_evaluate_and_the_desk_read_predictions(tmp_path: Path) -> None:
    """Counted from a file as `evaluate` does, and read by its dialect as a release does."""

    def counted(y: list[Any], p: list[Any]) -> Iterator[tuple[Any, int]]:
        content = csv_bytes({"y": y, "p": p})
        (tmp_path / "some.csv").write_bytes(content)
        found = ScoreHistogram.from_files([tmp_path / "some.csv"], label="y", score="p")
        yield found, found.left_out
        read = read_predictions(content, positive="1", dialect=Dialect())
        yield ScoreHistogram.from_arrays(read.y_true, read.y_score), read.left_out

    before = [one for one, _ in counted(LABELS, SCORES)]
    with silence():
        for name in filter(textual, ODD):
            odd = ODD[name]
            for y, p in (([*LABELS, odd], [*SCORES, 0.5]), ([*LABELS, 1], [*SCORES, odd])):
                for one, (after, left_out) in zip(before, counted(y, p), strict=True):
                    change = np.abs(after.positives - one.positives).sum()
                    change += np.abs(after.negatives - one.negatives).sum() + left_out
                    assert change == 1, name
