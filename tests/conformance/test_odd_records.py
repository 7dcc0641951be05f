"""One odd record of each kind, in each kind of column, through each reader and each door.

With the odd record or without it: no exception, no warning, no word of it, and all other records
count alike. What is compared is what enters the gate, exactly: it may differ by what the noise of
the mechanism is made for at most, and of rows by one row. All of it is read as with real noise;
that doors open with the system's noise itself is tried at the end.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpcore.release
from dpcore import Ledger, Loss, SystemNoise
from dpcore.aggregates import FeatureCounts, Moments, ScoreHistogram
from dpcore.cli import main
from dpcore.errors import IntakeError
from dpcore.evaluation import (
    CellCounts,
    ecdf_of_scores,
    private_calibration,
    private_ecdf,
    private_roc_curve,
)
from dpcore.evaluation.scores_of import scores_of
from dpcore.intake import read_dataset, read_predictions
from dpcore.intake.dialect import Dialect
from dpcore.mechanisms.counts.group_totals import GroupTotals
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.noise import NoiseOff
from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, Text, encode
from dpcore.schema.cell_arrays import number_matrix
from dpcore.schema.cells import cell_text, texts
from dpcore.schema.encoding import Design
from dpcore.schema.labels import class_codes, label_vector
from dpcore.selection import DPFeatureSelector, select_features
from tests.conformance._odd_cells import (
    LINES,
    ODD,
    TELLING,
    parquet_column,
    spelled,
    stored,
    written,
)

Table = dict[str, list[Any]]
# A column of two plain cells that alternate, of the types of which NumPy and pandas make columns.
PAIRS: dict[str, list[Any]] = {
    "texts": ["12.50", "free 2020"],
    "small numbers": [0, 1],
    "large numbers": [10**16, 12_345_678_901_234_567],
    "numbers": [0.25, 0.75],
    "truth": [True, False],
    "moments": [pd.Timestamp("2020-01-31"), pd.Timestamp("2021-01-31")],
    "durations": [pd.Timedelta("3s"), pd.Timedelta("4s")],
}
PLAIN = {
    "number": [0.25, 0.75],
    "level": ["u", "v"],
    "binary": ["n", "y"],
    "text": ["free", "12.50"],
    "label": ["no", "yes"],
    "score": [0.2, 0.8],
}
# No type that would leave no plain record to be counted.
UNFIT = {"score": {"texts", "large numbers", "moments", "durations"}}
CASES = [
    (column, name)
    for column in PLAIN
    for name in ("its own", *PAIRS)
    if name not in UNFIT.get(column, set())
]
every_column = pytest.mark.parametrize("column", PLAIN)


@pytest.fixture(autouse=True)
def silence(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing is raised, warned, logged or printed."""
    caplog.set_level(logging.DEBUG)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    assert caplog.records == []
    assert tuple(capfd.readouterr()) == ("", "")


def rows(column: str, pair: list[Any], *odd: Any) -> Table:
    """Plain records, one column of which holds the pair; and one more, of which one cell is odd."""
    plain = PLAIN | {column: pair}
    return {
        name: [*cells * 4, *(odd if name == column else cells[: len(odd)])]
        for name, cells in plain.items()
    }


def schema_of(column: str, pair: list[str]) -> Schema:
    """All of which is declared by what the plain cells say, so that all of them count."""
    said = {name: [cell_text(cell) for cell in cells] for name, cells in PLAIN.items()}
    said[column] = pair
    words = re.findall("[a-z0-9]{2,}", " ".join(["planted", *said["text"]]).lower())
    return Schema(
        (
            Numeric("number", (0, 1)),
            Categorical("level", (*said["level"], "planted")),
            Binary("binary", tuple(said["binary"])),
            Text("text", vocabulary=tuple(sorted(set(words))), max_words=3),
            Label("label", tuple(said["label"])),
        )
    )


SCHEMA = schema_of("label", PLAIN["label"])


def objects(cells: list[Any]) -> Any:
    held = np.empty(len(cells), dtype=object)
    for place, cell in enumerate(cells):
        held[place] = cell
    return held


def series(cells: list[Any]) -> pd.Series:
    """As pandas stores them where it can, or else as objects, as whoever has such cells must."""
    try:
        return pd.Series(cells)
    except Exception:  # noqa: BLE001  what pandas cannot infer, it can hold
        return pd.Series(objects(cells), dtype=object)


# What readers make of a table.


@dataclass
class Read:
    """What a reader gives to the doors: rows, or what was counted of them."""

    schema: Schema
    count_scores: Callable[[], ScoreHistogram]
    frame: Any = None
    count: Callable[[Any], Any] | None = None

    @cached_property
    def scores(self) -> ScoreHistogram:
        return self.count_scores()

    @cached_property
    def counts(self) -> tuple[FeatureCounts, Moments] | None:
        return self.count and (self.count(FeatureCounts), self.count(Moments))

    @cached_property
    def design(self) -> Design:
        return encode(self.frame, self.schema)

    def as_bytes(self, doors: tuple[Door, ...]) -> bytes:
        """All that doors can know of it."""
        found: list[Any] = []
        if doors != OF_ROWS:
            found += [self.scores.positives, self.scores.negatives, np.array(self.scores.left_out)]
        if doors != OF_SCORES and self.counts:
            counts, moments = self.counts
            found += [counts.sizes, counts.counts, moments.sums]
        elif doors != OF_SCORES:
            found += [_dense(self.design.matrix), self.design.y]
        return b"".join(array.tobytes() for array in found)


def by_data_frame(frame: pd.DataFrame, schema: Schema) -> Read:
    def scores() -> ScoreHistogram:
        return scores_of(frame["label"], frame["score"], schema.label.classes[1], simulated=False)

    return Read(schema, scores, frame)


def by_dask(frame: pd.DataFrame, schema: Schema) -> Read:
    # Made late, for Dask would name a table by what its cells say, and not all say anything.
    parts = dd.from_delayed([dask.delayed(lambda: frame, pure=False)()], meta=frame[:0])
    told = {"label": "label", "score": "score", "positive": schema.label.classes[1]}
    return Read(
        schema,
        lambda: ScoreHistogram.from_dask(parts, **told),
        parts,
        lambda kind: kind.from_dask(parts, schema),
    )


def by_files(path: Path, schema: Schema) -> Read:
    return Read(
        schema,
        lambda: ScoreHistogram.from_files(
            [path], label="label", score="score", positive=schema.label.classes[1], workers=1
        ),
        None,
        lambda kind: kind.from_files([path], schema, workers=1),
    )


def by_desk(path: Path, schema: Schema) -> Read:
    content = path.read_bytes()

    def scores() -> ScoreHistogram:
        read = read_predictions(content, positive=schema.label.classes[1], dialect=Dialect())
        return ScoreHistogram.from_predictions(read)

    return Read(schema, scores, read_dataset(content, schema=schema, dialect=Dialect()).frame)


# Doors: what they let through depends on what was read alone.


def fit(read: Read, account: dict[str, Any]) -> None:
    model = DPNaiveBayes(1, method="moments", schema=read.schema, **account)
    if read.counts:
        model.fit_aggregates(*read.counts)
    else:
        model.fit(read.frame, read.frame["label"])


def fit_regression(read: Read, account: dict[str, Any]) -> None:
    model = DPLogisticRegression(1, method="objective-chaudhuri", schema=read.schema, **account)
    if read.frame is not None:
        model.fit(read.frame, read.frame["label"])


def select(read: Read, account: dict[str, Any]) -> None:
    asked = {"method": "noisy-scores", "score": "difference-count", "top_k": 1, "epsilon": 1}
    if read.counts:
        select_features(read.counts[0], **asked, **account)
    else:
        found = read.design
        select_features(found.matrix, found.y, space=found.space, **asked, **account)


def roc(read: Read, account: dict[str, Any]) -> None:
    private_roc_curve(read.scores, method="laplace", epsilon=1, **account)


def ecdf(read: Read, account: dict[str, Any]) -> None:
    private_ecdf(ecdf_of_scores(read.scores, points=64), method="flat", epsilon=1, **account)


def calibration(read: Read, account: dict[str, Any]) -> None:
    private_calibration(read.scores, edges="fixed", groups=3, epsilon=1, **account)


Door = Callable[[Read, dict[str, Any]], None]
OF_ROWS, OF_SCORES = (fit, fit_regression, select), (roc, ecdf, calibration)
# Of cells that lie in memory, in no line with others, each door sees its own columns.
DOORS: dict[str, tuple[Door, ...]] = dict.fromkeys(PLAIN, OF_ROWS)
DOORS |= {"label": OF_ROWS + OF_SCORES, "score": OF_SCORES}
# Logistic regression is trained on rows.
OF_FILES = {by_files: (fit, select, *OF_SCORES), by_desk: OF_ROWS + OF_SCORES}


@pytest.fixture
def entering(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """What enters the gate with real noise; what leaves it is exact, so that it has no say."""
    entered: list[tuple[Any, Any]] = []
    released = dpcore.release.release

    def look(mechanism: Any, value: Any, *, noise: Any, **account: Any) -> Any:
        if not noise.simulated:
            entered.append((mechanism, value))
        return released(mechanism, value, noise=NoiseOff(), **account)

    monkeypatch.setattr(dpcore.release, "release", look)
    return entered


class Doors:
    """What plain records let into the gate, to compare with what it is with one record more."""

    def __init__(self, entering: list[tuple[Any, Any]], doors: tuple[Door, ...], plain: Read):
        self.entering, self.doors = entering, doors
        self.plain = {door: self.entered(plain, door) for door in doors}
        self.known = {plain.as_bytes(doors)}

    def entered(self, read: Read, door: Door) -> list[tuple[Any, Any]]:
        self.entering.clear()
        ledger = Ledger(Loss(1))
        door(read, {"ledger": ledger})
        assert ledger.spent == Loss(1)
        return list(self.entering)

    def alike(self, name: str, read: Read, always: tuple[Door, ...] = ()) -> None:
        """Try the doors; of what is read as another record was those only that read themselves."""
        said = read.as_bytes(self.doors)
        for door in always if said in self.known else self.doors:
            before, after = self.plain[door], self.entered(read, door)
            assert len(before) == len(after) > 0, name
            for (mechanism, one), (_, other) in zip(before, after, strict=True):
                _same_but_one(f"{name}, {door.__name__}", mechanism, one, other)
        self.known.add(said)


def _same_but_one(name: str, mechanism: Any, before: Any, after: Any) -> None:
    """By what the mechanism's noise is made for at most."""
    if isinstance(mechanism, GroupTotals):
        for one, other, most in zip(before, after, (1, 1, mechanism.unit), strict=True):
            assert np.abs(other - one).sum() <= most, name
    elif isinstance(before, tuple):
        for one, other in zip(map(_dense, before), map(_dense, after), strict=True):
            assert len(one) <= len(other) <= len(one) + 1, name
            np.testing.assert_array_equal(other[: len(one)], one, err_msg=name)
    else:
        change, most = np.abs(after - before).sum(), mechanism.l1_sensitivity
        assert change <= most + 1e-9, f"{name}: changes by {change}, where noise hides {most}"


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


@pytest.mark.parametrize("column, pair", CASES)
def test_data_frames(column: str, pair: str, entering: list[Any]) -> None:
    """Of each type that pandas gives a column, which one odd cell turns into another."""
    cells = PLAIN[column] if pair == "its own" else PAIRS[pair]
    schema = schema_of(column, texts(pd.Series(cells)))

    def read(*odd: Any) -> Read:
        table = rows(column, cells, *odd)
        return by_data_frame(
            pd.DataFrame({name: series(some) for name, some in table.items()}), schema
        )

    doors = Doors(entering, DOORS[column], read())
    for name, odd in ODD.items():
        doors.alike(name, read(odd), (fit,) if pair == "its own" and column != "score" else ())


@every_column
def test_dask(column: str, entering: list[Any]) -> None:
    schema = schema_of(column, texts(pd.Series(PLAIN[column])))

    def read(*odd: Any) -> Read:
        table = rows(column, PLAIN[column], *odd)
        return by_dask(pd.DataFrame({name: series(some) for name, some in table.items()}), schema)

    with dask.config.set({"scheduler": "synchronous", "dataframe.convert-string": False}):
        doors = Doors(entering, DOORS[column], read())
        for name, odd in ODD.items():
            doors.alike(name, read(odd))


def csv_of(table: dict[str, list[bytes]]) -> bytes:
    lines = [
        ",".join(table).encode(),
        *(b",".join(row) for row in zip(*table.values(), strict=True)),
    ]
    return b"\n".join(lines) + b"\n"


def as_csv(column: str, *odd: bytes) -> bytes:
    table = rows(column, PLAIN[column], *odd)
    return csv_of(
        {
            name: [cell if isinstance(cell, bytes) else str(cell).encode() for cell in cells]
            for name, cells in table.items()
        }
    )


@every_column
@pytest.mark.parametrize("reader", [by_files, by_desk])
def test_csv(column: str, reader: Any, tmp_path: Path, entering: list[Any]) -> None:
    """Every door, for on the lines that an odd cell might disturb stand cells of every column."""
    schema, path = schema_of(column, texts(pd.Series(PLAIN[column]))), tmp_path / "some.csv"

    def read(*odd: bytes) -> Read:
        path.write_bytes(as_csv(column, *odd))
        return reader(path, schema)

    doors = Doors(entering, OF_FILES[reader], read())
    unwritten = [name for name in ODD if written(name) is None]
    assert unwritten == ["mute object"]
    for name in ODD:
        if name not in unwritten:
            doors.alike(name, read(written(name)))
    for name, line in LINES.items():
        doors.alike(name, read(line))


def parquet_of(column: str, kind: str, extra: list[Any]) -> pa.Table:
    type_, pair, _ = stored(kind)
    table = rows(column, pair, *extra)
    return pa.table(
        {
            name: parquet_column(type_, cells) if name == column else pa.array(cells)
            for name, cells in table.items()
        }
    )


@every_column
@pytest.mark.parametrize("reader", [by_files, by_desk])
def test_parquet(column: str, reader: Any, tmp_path: Path, entering: list[Any]) -> None:
    """Where its type has a place for the odd cell, as a column of that type; or else of texts."""
    path = tmp_path / "some.parquet"
    for kind in ODD:
        if stored(kind) is None:
            continue
        type_, pair, odd = stored(kind)
        schema = schema_of(column, spelled(type_, pair))
        found = []
        for extra in ([], [odd], [None]):
            pq.write_table(parquet_of(column, kind, extra), path)
            found.append(reader(path, schema))
            # Read now, for the next file takes its place.
            found[-1].as_bytes(OF_FILES[reader])
        doors = Doors(entering, OF_FILES[reader], found[0])
        for read in found[1:]:
            doors.alike(kind, read)


@pytest.mark.parametrize("reader", [by_files, by_desk])
def test_a_parquet_column_that_holds_no_cells(reader: Any, tmp_path: Path) -> None:
    """Is refused for its type, which is the file's; no record is odd there."""
    path, schema = tmp_path / "some.parquet", schema_of("number", ["0.25", "0.75"])
    for odd, pair in (([1, [2]][:1], [1]), ({"a": 1}, {"a": 2})):
        said = []
        for extra in ([], [odd]):
            table = rows("number", [pair, pair], *extra)
            pq.write_table(pa.table({name: pa.array(cells) for name, cells in table.items()}), path)
            with pytest.raises(IntakeError) as refused:
                reader(path, schema).as_bytes(OF_ROWS)
            said.append(str(refused.value))
        assert said[0] == said[1]


@dataclass
class Arrays:
    """A matrix of records and their labels, in whatever form."""

    X: Any
    y: Any

    def as_bytes(self, doors: Any) -> bytes:
        labels = class_codes(label_vector(self.y, simulated=False), np.array([0, 1]))
        return bytes(np.asarray(number_matrix(self.X), dtype=float).tobytes() + labels.tobytes())


def fit_a_matrix(read: Arrays, account: dict[str, Any]) -> None:
    told = {"bounds": (0, 1), "classes": (0, 1)}
    DPNaiveBayes(1, method="moments", **told, **account).fit(read.X, read.y)


def regress_on_a_matrix(read: Arrays, account: dict[str, Any]) -> None:
    told = {"bounds": (0, 1), "classes": (0, 1)}
    DPLogisticRegression(1, method="objective-chaudhuri", **told, **account).fit(read.X, read.y)


def select_in_a_pipeline(read: Arrays, account: dict[str, Any]) -> None:
    asked = {"method": "noisy-scores", "criterion": "difference-count", "top_k": 1}
    DPFeatureSelector(1, classes=(0, 1), **asked, **account).fit(read.X, read.y)


def select_of_a_matrix(read: Arrays, account: dict[str, Any]) -> None:
    select_features(read.X, method="noisy-scores", top_k=1, epsilon=1, **account)


OF_ARRAYS = (fit_a_matrix, regress_on_a_matrix, select_in_a_pipeline, select_of_a_matrix)


def vectors(cells: list[Any]) -> Iterator[Any]:
    """The forms in which cells are handed over, each of which gives all of them another type."""
    yield cells
    yield objects(cells)
    yield series(cells)
    try:
        array = np.array(cells)
    except Exception:  # noqa: BLE001  what NumPy cannot hold, nobody hands over so
        return
    # As moments or durations the other cells would be other values.
    if array.ndim == 1 and array.dtype.kind not in "mM":
        yield array


def test_arrays_of_features_and_labels(entering: list[Any]) -> None:
    """A cell alone is odd, or a label is, in every form of array."""
    records, labels = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]] * 2, [0, 1, 1, 0] * 2
    doors = Doors(entering, OF_ARRAYS, Arrays(np.array(records), labels))
    for name, odd in ODD.items():
        cells = [*records, [odd, 1.0]]
        held = np.stack([objects([row[place] for row in cells]) for place in (0, 1)], axis=1)
        frame = pd.DataFrame({"x": series(held[:, 0].tolist()), "z": held[:, 1]})
        for X in (held, frame, cells):
            doors.alike(name, Arrays(X, [*labels, 0]), (fit_a_matrix,))
        for y in vectors([*labels, odd]):
            doors.alike(name, Arrays([*records, [0, 1]], y), (select_in_a_pipeline,))


def test_arrays_of_labels_and_scores(entering: list[Any]) -> None:
    labels, scores = [0, 1, 1, 0] * 2, [0.2, 0.8, 0.4, 0.6] * 2
    grid = [0.25, 0.5, 1.0]

    def read(y: Any, p: Any) -> Read:
        return Read(SCHEMA, lambda: scores_of(y, p, None, simulated=False))

    doors = Doors(entering, OF_SCORES, read(labels, scores))
    before = CellCounts.from_values(scores, grid)
    for name, odd in ODD.items():
        for y in vectors([*labels, odd]):
            doors.alike(name, read(y, [*scores, 0.5]))
        for p in vectors([*scores, odd]):
            doors.alike(name, read([*labels, 1], p))
            counted = CellCounts.from_values(p, grid)
            assert np.abs(counted.counts - before.counts).sum() + counted.left_out == 1, name


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_doors_open_with_real_noise(neighbors: str) -> None:
    """All odd records at once, whole releases, the system's noise."""
    cells = list(ODD.values())
    table = {name: [*pair * 20, *cells] for name, pair in PLAIN.items()}
    frame = pd.DataFrame({name: objects(some) for name, some in table.items()})
    y, p = frame["label"], frame["score"]

    def account() -> dict[str, Any]:
        return {
            "ledger": Ledger(Loss(1), neighbors),
            "neighbors": neighbors,
            "noise": SystemNoise(),
        }

    for method in ("truncated-counts", "histogram"):
        told = account()
        fitted = DPNaiveBayes(1, method=method, schema=SCHEMA, **told).fit(frame, y)
        assert told["ledger"].spent == Loss(1)
        assert np.isfinite(fitted.predict_proba(frame)).all()
    told = account()
    fitted = DPLogisticRegression(1, schema=SCHEMA, **told).fit(frame, list(y))
    assert np.isfinite(fitted.predict_proba(frame)).all()
    asked = [(private_roc_curve, (y, p), {"pos_label": "yes"})]
    asked += [(private_calibration, (list(y), list(p)), {"pos_label": "yes"})]
    asked += [(private_ecdf, (p.to_numpy(),), {"grid": [0.5, 1.0]})]
    for release, records, facts in asked:
        told = account()
        release(*records, epsilon=1, **facts, **told)
        assert told["ledger"].spent == Loss(1)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_evaluate_quotes_nothing(suffix: str, tmp_path: Path) -> None:
    """The command on a file of all odd records at once: a report, and no word of any of them."""
    odd = [written(name) for name in ODD if written(name) is not None]
    table = {
        "y": [*[b"0", b"1"] * 20, *odd, *[b"1"] * len(odd)],
        "p": [*[b"0.25", b"0.75"] * 20, *[b"0.5"] * len(odd), *odd],
    }
    path = tmp_path / f"some.{suffix}"
    if suffix == "csv":
        path.write_bytes(csv_of(table))
    else:
        texts = {name: parquet_column(pa.string(), cells) for name, cells in table.items()}
        pq.write_table(pa.table(texts), path)
    told = "--label y --score p --positive 1 --epsilon 1 --quiet --curves roc,ecdf,calibration"
    assert main(["evaluate", str(path), *told.split(), "--out", str(tmp_path / "out")]) == 0
    for file in (tmp_path / "out").iterdir():
        said = file.read_text()
        assert not [word for word in TELLING if word in said], file.name
