"""Rows that have one entry in each of several groups of columns, such as the cells of numbers.

Products of such rows need fewer steps than those of any sparse matrix: neighbouring groups are
multiplied as one, by a column for each way in which theirs meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from scipy.sparse import csr_array

from dpcore._typing import FloatArray, IntArray, NDArray
from dpcore.schema.space import Matrix, SparseMatrix

# Groups are joined while together they have so many columns at most.
_MOST_JOINED = 1_024

# A product reads its right side many times, a sparse one once per column of the left: out of the
# cache if the rows are cut into pieces of so many, else from memory. A dense product is the faster
# one where more than this share of the entries is not zero.
_CACHED_ROWS, _DENSE_ROWS, _DENSE_SHARE = 8_192, 1_024, 0.1


@dataclass(frozen=True)
class ColumnGroups:
    """Groups of columns, in each of which all entries are the same.

    Parameters
    ----------
    starts, widths
        Where each group begins, and how many columns it has.
    joined
        Groups are multiplied as one while they have so many columns together at most.
    """

    starts: tuple[int, ...]
    widths: tuple[int, ...]
    entries: tuple[float, ...]
    n_columns: int
    joined: int = _MOST_JOINED

    @cached_property
    def runs(self) -> list[list[int]]:
        """Which groups are multiplied as one."""
        runs: list[list[int]] = [[]]
        for group, width in enumerate(self.widths):
            if runs[-1] and width * self._meetings(runs[-1]) > self.joined:
                runs.append([])
            runs[-1].append(group)
        return runs

    def _meetings(self, run: list[int]) -> int:
        return math.prod(self.widths[group] for group in run)

    @cached_property
    def first(self) -> IntArray:
        """Of the joint columns of each run, and one more: how many there are."""
        return np.cumsum([0, *map(self._meetings, self.runs)])

    @cached_property
    def members(self) -> SparseMatrix:
        """The entries that each joint column stands for, shape (joint columns, n_columns)."""
        columns, entries, lengths = [], [], []
        for run in self.runs:
            size = self._meetings(run)
            met = np.unravel_index(np.arange(size), [self.widths[group] for group in run])
            starts = np.array([self.starts[group] for group in run])
            columns.append((np.stack(met, axis=1) + starts).ravel())
            entries.append(np.tile([self.entries[group] for group in run], size))
            lengths.append(np.full(size, len(run)))
        ends = np.cumsum([0, *np.concatenate(lengths)])
        parts = np.concatenate(entries), np.concatenate(columns), ends
        return csr_array(parts, shape=(self.first[-1], self.n_columns))


@dataclass(frozen=True)
class Table:
    """Rows of one entry in each group: `cells @ groups.members`.

    All entries of `cells` are 1, so that sums of products which are without error for the rows
    (`exact_products`) are so for the two factors.

    Parameters
    ----------
    places : int array, shape (groups, n)
        Which column of its group a row has an entry in.

    Examples
    --------
    >>> table = Table(np.array([[0, 1], [1, 1]]), ColumnGroups((0, 2), (2, 2), (1.0, 0.5), 4))
    >>> table.toarray().tolist()
    [[1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 0.0, 0.5]]
    >>> (table @ np.arange(4.0)).tolist(), (table.T @ np.array([1.0, 2.0])).tolist()
    ([1.5, 2.5], [1.0, 2.0, 0.0, 1.5])
    """

    places: NDArray[np.int16 | np.int32]
    groups: ColumnGroups

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.places.shape[1], self.groups.n_columns

    def __getitem__(self, some: slice) -> Table:
        places = self.places[:, some]
        if some.step not in (None, 1):
            return replace(self, places=np.ascontiguousarray(places))
        part = replace(self, places=places)
        if "cells" in vars(self):
            # What the whole has found out, its parts need not.
            vars(part)["cells"] = some_rows(self.cells, some)
        return part

    def __matmul__(self, vectors: FloatArray) -> FloatArray:
        return cast(FloatArray, cast(Any, self.cells) @ (cast(Any, self.groups.members) @ vectors))

    @cached_property
    def T(self) -> TurnedTable:  # noqa: N802
        """Columns and rows."""
        return TurnedTable(self.cells.T, self.groups.members.T)

    def _joint(self, run: list[int]) -> NDArray[np.int32]:
        """Which joint column of a run each row is in, from the first of that run on."""
        joint: NDArray[np.int32] = self.places[run[0]].astype(np.int32)
        for group in run[1:]:
            joint *= np.int32(self.groups.widths[group])
            joint += self.places[group]
        return joint

    @cached_property
    def cells(self) -> SparseMatrix:
        """Which joint columns each row is in, shape (n, joint columns)."""
        runs, first = self.groups.runs, self.groups.first
        n = self.places.shape[1]
        columns = np.empty((n, len(runs)), dtype=np.int32)
        for place, run in enumerate(runs):
            np.add(self._joint(run), np.int32(first[place]), out=columns[:, place])
        ends = np.arange(n + 1, dtype=np.int32) * np.int32(len(runs))
        return csr_array((np.ones(columns.size), columns.ravel(), ends), shape=(n, first[-1]))

    def score_units(self, weights: FloatArray) -> float:
        """How far a row times weights is off at most, in units of roundoff.

        Each weight passes through as many roundings as there are groups and runs, at most, and two
        before.
        """
        starts, widths, entries = self.groups.starts, self.groups.widths, self.groups.entries
        sizes = np.abs(weights)
        parts = zip(starts, widths, entries, strict=True)
        reach = sum(abs(entry) * sizes[at : at + width].max() for at, width, entry in parts)
        return float(reach) * (2.0 * len(widths) + 4.0)

    def sum_units(self, each: float, largest: float) -> float:
        """How far, in length, sums of rows times doubles are off at most, in units of roundoff.

        A joint column adds up the doubles of its rows, one by one: m of them are off by m / 2 units
        of their sizes, since so large are what they add up to on the way. A column adds its joint
        ones up, in any order, which is off by as many units as they are.

        Parameters
        ----------
        each
            How far each double is off at most, in such units.
        largest
            No double is larger in size.
        """
        rows = cast(FloatArray, self.T.cells @ np.ones(self.shape[0]))
        members: Any = abs(cast(Any, self.groups.members))
        most_added = float(np.bincount(members.indices).max()) + 1.0
        off = rows * (each + (0.5 * rows + most_added) * largest)
        return float(np.linalg.norm(members.T @ off))

    def gram(self, scale: FloatArray) -> FloatArray:
        """Rows transposed times diag(scale) times rows, dense: sums over pairs of columns."""
        starts, widths, entries = self.groups.starts, self.groups.widths, self.groups.entries
        total, places = np.zeros((self.shape[1], self.shape[1])), self.places.astype(np.intp)
        for one, mine in enumerate(places):
            rows = slice(starts[one], starts[one] + widths[one])
            alone = np.arange(rows.start, rows.stop)
            total[alone, alone] = entries[one] ** 2 * np.bincount(mine, scale, widths[one])
            wide = 0
            for other in range(one + 1, len(places)):
                if wide != widths[other]:
                    wide = widths[other]
                    moved = mine * wide
                pairs = np.bincount(moved + places[other], scale, widths[one] * wide)
                sums = pairs.reshape(-1, wide) * (entries[one] * entries[other])
                total[rows, starts[other] : starts[other] + wide] = sums
        return total + np.triu(total, 1).T

    def gram_of_runs(self, scale: FloatArray) -> FloatArray:
        """The same by how runs of groups meet: fewer passes over the rows where groups are narrow.

        Without error if sums of the scale in any order are.
        """
        first, n_runs = self.groups.first, len(self.groups.runs)
        places = [self._joint(run) for run in self.groups.runs]
        meetings = np.diff(first).tolist()
        total = np.zeros((first[-1], first[-1]))
        for one in range(n_runs):
            rows = slice(first[one], first[one + 1])
            total[rows, rows] = np.diag(np.bincount(places[one], scale, meetings[one]))
            for other in range(one + 1, n_runs):
                met = places[one] * meetings[other] + places[other]
                sums = np.bincount(met, scale, meetings[one] * meetings[other])
                columns = slice(first[other], first[other + 1])
                total[rows, columns] = sums.reshape(meetings[one], meetings[other])
                total[columns, rows] = total[rows, columns].T
        members: Any = self.groups.members
        return np.asarray(members.T @ (members.T @ total).T)

    def toarray(self) -> FloatArray:
        """The rows as a dense matrix."""
        return np.asarray((self.cells @ self.groups.members).toarray())


@dataclass(frozen=True)
class TurnedTable:
    """A table turned round."""

    cells: Any
    members: Any

    def __matmul__(self, vectors: FloatArray) -> FloatArray:
        return cast(FloatArray, self.members @ (self.cells @ vectors))


@dataclass(frozen=True)
class Beside:
    """Dense columns, and beside them some of a table: rows of numbers, and of levels or none.

    Products take a third of the time of a sparse matrix's. Where they are without error for the
    rows they are so here: both parts' are, and their sum.

    Parameters
    ----------
    dense : float array, shape (n, d)
    kept : int array
        The columns of the table that there are; the others stand for none of a group.
    """

    dense: FloatArray
    table: Table
    kept: IntArray

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.dense.shape[0], self.dense.shape[1] + self.kept.size

    def __getitem__(self, some: slice) -> Beside:
        # In one piece: a product with rows that are not is none of BLAS.
        dense = self.dense[some] if some.step is None else np.asfortranarray(self.dense[some])
        return replace(self, dense=dense, table=self.table[some])

    def __matmul__(self, vectors: FloatArray) -> FloatArray:
        first, rest = np.split(vectors, [self.dense.shape[1]])
        spread = np.zeros((self.table.shape[1], *rest.shape[1:]))
        spread[self.kept] = rest
        return self.dense @ first + self.table @ spread

    @cached_property
    def T(self) -> TurnedBeside:  # noqa: N802
        """Columns and rows."""
        return TurnedBeside(self.dense.T, self.table.T, self.kept)

    def gram(self, scale: FloatArray) -> FloatArray:
        """Rows transposed times diag(scale) times rows, dense."""
        across = (self.table.T @ (self.dense * scale[:, np.newaxis]))[self.kept]
        levels = self.table.gram(scale)[np.ix_(self.kept, self.kept)]
        return np.block([[gram(self.dense, scale), across.T], [across, levels]])

    def toarray(self) -> FloatArray:
        """The rows as a dense matrix."""
        return np.hstack([self.dense, self.table.toarray()[:, self.kept]])


@dataclass(frozen=True)
class TurnedBeside:
    """Such rows turned round."""

    dense: FloatArray
    table: TurnedTable
    kept: IntArray

    def __matmul__(self, vectors: FloatArray) -> FloatArray:
        return np.concatenate([self.dense @ vectors, (self.table @ vectors)[self.kept]])


Rows: TypeAlias = "Matrix | Table | Beside"


def some_rows(rows: SparseMatrix, some: slice) -> SparseMatrix:
    """Neighbouring rows of a sparse matrix, without a copy of its entries."""
    ends = rows.indptr[some.start : some.stop + 1]
    here = slice(ends[0], ends[-1])
    shape = ends.size - 1, rows.shape[1]
    return csr_array((rows.data[here], rows.indices[here], ends - ends[0]), shape=shape)


def gram(rows: Rows, scale: FloatArray) -> FloatArray:
    """Rows transposed times diag(scale) times rows, dense, shape (p, p).

    Parameters
    ----------
    rows : ndarray, csr_array, Table or Beside, shape (n, p)
    scale : float array, shape (n,)

    Examples
    --------
    >>> gram(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([0.5, 1.0])).round(6).tolist()
    [[0.5, 1.0], [1.0, 3.0]]
    """
    if isinstance(rows, Table | Beside):
        return rows.gram(scale)
    total, stored = np.zeros((rows.shape[1], rows.shape[1])), not isinstance(rows, np.ndarray)
    sparse = stored and rows.size <= _DENSE_SHARE * rows.shape[0] * rows.shape[1]
    # A matrix times itself, of which half is computed, unless something would have no root.
    roots = None if sparse or scale.min(initial=0.0) < 0.0 else np.sqrt(scale)
    step = _CACHED_ROWS if sparse else _DENSE_ROWS
    for start in range(0, rows.shape[0], step):
        some = slice(start, start + step)
        if sparse:
            total += _sparse_gram(cast(SparseMatrix, rows), scale, some)
            continue
        piece = cast(Any, rows)[some].toarray() if stored else cast(FloatArray, rows)[some]
        if roots is None:
            total += piece.T @ (piece * scale[some, np.newaxis])
        else:
            piece = piece * roots[some, np.newaxis]
            total += piece.T @ piece
    return total


def _sparse_gram(rows: SparseMatrix, scale: FloatArray, some: slice) -> FloatArray:
    """The product of some of the rows, none of which is copied."""
    ends = rows.indptr[some.start : some.stop + 1]
    entries, columns = rows.data[ends[0] : ends[-1]], rows.indices[ends[0] : ends[-1]]
    weighted = entries * np.repeat(scale[some], np.diff(ends))
    shape = ends.size - 1, rows.shape[1]
    piece = csr_array((entries, columns, ends - ends[0]), shape=shape)
    product = piece.T @ csr_array((weighted, columns, ends - ends[0]), shape=shape)
    return np.asarray(product.toarray(), dtype=np.float64)
