"""From a matrix to private scores, with the row bound enforced and every sensitivity argued."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import FeatureCounts
from dpcore.data.counting.bounded_rows import BoundedRows, first_nonzeros, weighted_rows
from dpcore.data.counting.feature_counts import feature_sums
from dpcore.errors import InvalidArgument
from dpcore.privacy import Neighbors
from dpcore.schema import FeatureSpace
from dpcore.schema.labels import class_places
from dpcore.schema.space import Matrix, SparseMatrix
from dpcore.selection.problem import Records, SelectionProblem
from dpcore.selection.run import Columns
from dpcore.selection.scores import SCORES, PublicRows, Score


def feature_points(indicators: SparseMatrix, classes: IntArray | None) -> FloatArray:
    """The two counts of every feature, or sums of weights (private), shape (features, 2).

    Without classes all records lie outside.
    """
    inside = np.zeros(indicators.shape[0], dtype=np.int64)
    if classes is not None:
        inside = (classes == 1).astype(np.int64)
    return np.ascontiguousarray(feature_sums(indicators, inside, 2).T)


def counted_points(table: FeatureCounts) -> FloatArray:
    """The same of a table that was counted elsewhere."""
    outside = np.delete(table.counts, 1, axis=0).sum(axis=0)
    return np.column_stack([outside, table.counts[1:2].sum(axis=0)]).astype(np.float64)


def group_sizes(table: FeatureCounts) -> IntArray:
    """Number of records outside and inside of class 1 (private), shape (2,)."""
    inside = table.sizes[1:2].sum()
    return np.array([table.sizes.sum() - inside, inside])


ROW_BOUNDS = ("truncate", "weight")


@dataclass(frozen=True, kw_only=True)
class RowBound:
    """How much one row may count for.

    Parameters
    ----------
    most
        The largest sum of its entries; what the space allows if left out.
    how : {"truncate", "weight"}
        A row with more keeps its first ones in the order of the columns, or all of them with
        smaller weights.
    max_rows
        Later rows are not read by scores whose sensitivity grows with the number of rows. Others
        read all: a record that pushes another one out would move them more.
    """

    most: int | None = None
    how: str = "truncate"
    max_rows: int | None = None

    def __post_init__(self) -> None:
        _check.one_of(ROW_BOUNDS, row_bound=self.how)
        if self.most is not None:
            _check.integer_in_range(1, None, max_nonzeros=self.most)
        if self.max_rows is not None:
            _check.integer_in_range(1, None, max_rows=self.max_rows)

    def enforce(self, matrix: Matrix) -> SparseMatrix:
        """The rows within the bound, as a csr_array of ones or weights."""
        rows = matrix if self.max_rows is None else matrix[: self.max_rows]
        most = max(matrix.shape[1], 1) if self.most is None else self.most
        return weighted_rows(rows, most) if self.how == "weight" else first_nonzeros(rows, most)

    def public(self, width: int, allowed: int, neighbors: Neighbors) -> PublicRows:
        """The facts that sensitivities rest on; `allowed` is what the space allows in a row."""
        return PublicRows(
            neighbors=neighbors,
            bound=max(1, allowed if self.most is None else min(self.most, allowed)),
            features=width,
            weighted=self.how == "weight" and self.most is not None and self.most < allowed,
            max_rows=self.max_rows,
        )


def scored_records(
    X: Matrix | BoundedRows,
    y: object,
    *,
    score: str,
    space: FeatureSpace | None,
    bound: RowBound,
    neighbors: Neighbors,
    with_classes: bool = False,
    simulated: bool = True,
) -> tuple[Columns, FloatArray, Records]:
    """Which columns are scored, their exact scores (private), and the rows that these came from.

    Raises
    ------
    InvalidArgument
        If the score needs the classes or `max_rows`, and they are not given.
    UnknownMethod
    """
    scored = cast(Score, SCORES.get(score))
    columns, indicators = scored_columns(X, space)
    if scored.needs_max_rows and bound.max_rows is None:
        requirement = f"given, because the sensitivity of {score!r} grows with it"
        raise InvalidArgument("max_rows", None, requirement)
    bound = bound if scored.needs_max_rows else replace(bound, max_rows=None)
    classes = None
    if scored.needs_classes or with_classes:
        classes = _classes(y, indicators.shape[0], scored, simulated=simulated)
    if classes is not None:
        # Each by its own label, before rows are counted for `max_rows`.
        kept = np.flatnonzero(classes >= 0)
        indicators, classes = indicators[kept], classes[kept]
    rows = bound.enforce(indicators)
    classes = None if classes is None else classes[: rows.shape[0]]
    allowed = rows.shape[1] if space is None else space.max_indicators
    public = bound.public(rows.shape[1], allowed, neighbors)
    records = Records(points=partial(feature_points, rows, classes), public=public, score=scored)
    return columns, scored.run(rows, classes), records


def scored_once(
    X: Matrix | BoundedRows, y: object, **told: Any
) -> tuple[Columns, FloatArray, Records]:
    """The same; of rows for many simulations what was asked last is not scored again."""
    if not isinstance(X, BoundedRows):
        return scored_records(X, y, **told)
    kept = vars(X).get("_scored")
    if kept is None or kept[0] is not y or kept[1] != told:
        vars(X)["_scored"] = kept = y, told, scored_records(X, y, **told)
    return cast("tuple[Columns, FloatArray, Records]", kept[2])


def scored_table(
    table: FeatureCounts, *, score: str, bound: RowBound, neighbors: Neighbors
) -> tuple[Columns, FloatArray, Records]:
    """The same of a table that was counted elsewhere, its rows within the bounds of its space.

    Raises
    ------
    InvalidArgument
        If the score, or the row bound, needs the rows themselves.
    UnknownMethod
    """
    scored, allowed = cast(Score, SCORES.get(score)), table.space.max_indicators
    if not _reads_counts(scored):
        known = [name for name, one in SCORES().items() if _reads_counts(cast(Score, one))]
        requirement = f"{' or '.join(known)} for a counted table, since it reads rows"
        raise InvalidArgument("score", score, requirement)
    if bound.most is not None and bound.most < allowed:
        requirement = f"{allowed} or more, because rows are no longer cut once they are counted"
        raise InvalidArgument("max_nonzeros", bound.most, requirement)
    columns = _columns_of(table.space)
    public = bound.public(columns.scored.size, allowed, neighbors)
    points = partial(counted_points, table)
    if scored.of_counts is not None:
        scores = scored.of_counts(points())
    else:
        assert scored.of_table is not None
        scores = scored.of_table(points(), group_sizes(table))
    return columns, scores, Records(points=points, public=public, score=scored)


def _reads_counts(score: Score) -> bool:
    return score.of_counts is not None or score.of_table is not None


def _columns_of(space: FeatureSpace) -> Columns:
    return Columns(scored=space.indicator_columns, always=space.numeric_columns)


def scored_columns(X: Matrix | BoundedRows, space: FeatureSpace | None) -> tuple[Columns, Matrix]:
    """The columns that are scored, and their entries within the bounds of the space."""
    if isinstance(X, BoundedRows):
        return _columns_of(X.space), X.indicators
    if space is None:
        return Columns(scored=np.arange(X.shape[1])), X
    return _columns_of(space), BoundedRows.of(X, space).indicators


def problem_of(
    scores: FloatArray, records: Records, *, top_k: int | None, threshold: float | None
) -> SelectionProblem:
    """The private scores with the sensitivities that their score declares."""
    score, public = records.score, records.public
    facts = ("sensitivity", "l1_sensitivity", "monotone")
    return SelectionProblem(
        scores=scores,
        whole=score.whole and not public.weighted,
        neighbors=public.neighbors,
        top_k=top_k,
        threshold=threshold,
        records=records,
        **{name: getattr(score, name)(public) for name in facts},
    )


def _classes(y: object, rows: int, score: Score, *, simulated: bool) -> IntArray | None:
    """The place of each record's class, -1 where a label is none."""
    if y is None:
        if not score.needs_classes:
            return None
        raise InvalidArgument("y", None, f"given, because {score.name!r} reads the classes")
    places = class_places(y, "y")
    if places.shape != (rows,):
        raise InvalidArgument("y", places.shape, f"one class for each of the {rows} rows")
    if simulated and (places < 0).any():
        requirement = "whole numbers: the position of each record's class, the second being 1"
        raise InvalidArgument("y", type(y).__name__, requirement)
    return places
