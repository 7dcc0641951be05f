"""Readers of tables, doors to the gate, and whether what enters is alike but for one record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from dpcore import Ledger, Loss
from dpcore.data.counting import FeatureCounts, Moments, ScoreHistogram
from dpcore.data.reading import read_dataset, read_predictions
from dpcore.data.reading.dialect import Dialect
from dpcore.evaluation import (
    ecdf_of_scores,
    private_calibration,
    private_ecdf,
    private_roc_curve,
)
from dpcore.evaluation.score_evaluation import evaluate_scores
from dpcore.evaluation.scores_of import scores_of
from dpcore.mechanisms.counts.joint_counts import GroupTotals
from dpcore.mechanisms.counts.quantiles import RecursiveQuantiles
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.noise import NoiseOff
from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, Text, encode
from dpcore.schema.cell_arrays import number_matrix
from dpcore.schema.cells import cell_text
from dpcore.schema.encoding import Design
from dpcore.schema.labels import class_codes, label_vector
from dpcore.selection import DPFeatureSelector, select_features
from tests.evaluation._kinds import OF_ONE_SCORE

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


class Exact(NoiseOff):
    """No noise; what would be chosen at random is public, and the same for all records."""

    def choose(self, log_weights: Any) -> Any:
        return len(log_weights) // 2


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

    @cached_property
    def scores_as_bytes(self) -> bytes:
        found = self.scores
        counted = (found.positives, found.negatives, found.edges, np.array(found.left_out))
        return b"".join(array.tobytes() for array in counted)

    def as_bytes(self) -> bytes:
        """All that doors can know of it."""
        found = []
        if self.counts:
            counts, moments = self.counts
            found += [counts.sizes, counts.counts, moments.sums]
        elif self.frame is not None:
            found += [_dense(self.design.matrix), self.design.y]
        return b"".join([self.scores_as_bytes, *(array.tobytes() for array in found)])


def by_data_frame(frame: pd.DataFrame, schema: Schema) -> Read:
    def scores() -> ScoreHistogram:
        return scores_of(frame["label"], frame["score"], schema.label.classes[1], simulated=False)

    return Read(schema, scores, frame)


def by_arrow(path: Path, schema: Schema) -> Read:
    """Its columns, labels and scores too, as Arrow hands them over."""
    return by_data_frame(pq.read_table(path), schema)


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
        return ScoreHistogram.of_read(read.y_true == 1, read.y_score, read.left_out)

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


def evaluate(read: Read, account: dict[str, Any]) -> None:
    # The AUC of few records is that of the default curve, whose statistic is no vector of counts.
    wanted = [name for name in OF_ONE_SCORE if name != "auc"]
    account["ledger"] = evaluate_scores(
        read.scores, epsilon=1, wanted=wanted, method="laplace"
    ).ledger


Door = Callable[[Read, dict[str, Any]], None]
OF_SCORES: tuple[Door, ...] = (roc, ecdf, calibration, evaluate)
# Logistic regression is trained on rows.
OF_COUNTS: tuple[Door, ...] = (fit, select, *OF_SCORES)
DOORS: tuple[Door, ...] = (*OF_COUNTS, fit_regression)


# What the doors that are shown scores alone let in, by door and scores: with whatever odd record
# of whatever reader these were counted, they are counted alike.
_OF_SCORES: dict[tuple[Door, bytes], list[tuple[Any, Any]]] = {}


class Doors:
    """What plain records let into the gate, to compare with what it is with one record more."""

    def __init__(self, entering: list[tuple[Any, Any]], doors: tuple[Door, ...], plain: Any):
        self.entering, self.doors, self.records = entering, doors, plain
        self.plain: dict[Door, list[tuple[Any, Any]]] = {}
        self.known = {plain.as_bytes()}

    def entered(self, read: Any, door: Door) -> list[tuple[Any, Any]]:
        if door not in OF_SCORES:
            return self._entered(read, door)
        key = (door, read.scores_as_bytes)
        if key not in _OF_SCORES:
            _OF_SCORES[key] = self._entered(Read(read.schema, lambda: read.scores), door)
        return _OF_SCORES[key]

    def _entered(self, read: Any, door: Door) -> list[tuple[Any, Any]]:
        self.entering.clear()
        account = {"ledger": Ledger(Loss(1))}
        door(read, account)
        assert account["ledger"].spent == Loss(1)
        return list(self.entering)

    def alike(self, name: str, read: Any, always: tuple[Door, ...] = ()) -> None:
        """Try the doors; of what is read as another record was those only that read themselves."""
        said = read.as_bytes()
        for door in always if said in self.known else self.doors:
            if door not in self.plain:
                self.plain[door] = self.entered(self.records, door)
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
    elif isinstance(mechanism, RecursiveQuantiles):
        assert np.abs(after - before).max() <= 1, name
    else:
        # Of counts under tents the cells are looked at, of which a record has one.
        change, most = np.abs(after - before).sum(), getattr(mechanism, "l1_sensitivity", 1)
        assert change <= most + 1e-9, f"{name}: changes by {change}, where noise hides {most}"


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


@dataclass
class Arrays:
    """A matrix of records and their labels, in whatever form."""

    X: Any
    y: Any

    def as_bytes(self) -> bytes:
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
