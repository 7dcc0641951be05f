"""How bounded rows become the columns of a regression, and its weights a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.mechanisms import RowPart
from dpcore.models.grid import cell_of
from dpcore.models.logistic.columns import one_hot_cells, side_by_side
from dpcore.models.terms import CellsTerm, IndicatorTerm, LinearTerm, Term
from dpcore.schema import Block
from dpcore.schema.matrix import Matrix

__all__ = ["Layout"]


@dataclass(frozen=True)
class Layout:
    """How bounded rows become the columns of the regression, and weights a model; all public.

    The columns are, in order: a box in [-1, 1] of the constant, the two-valued indicators (as -1
    and 1) and, unless they are cut into cells, the numbers; then the cells of each number; then the
    other blocks of indicators.

    Parameters
    ----------
    edges : tuple of float array
        Grid of each numeric feature; empty if they enter as numbers.
    blocks : tuple of Block
        All blocks of indicators.
    n_numeric : int
    """

    edges: tuple[FloatArray, ...]
    blocks: tuple[Block, ...]
    n_numeric: int

    @property
    def pairs(self) -> IntArray:
        """Indicators that are alone in their block."""
        starts = [block.start for block in self.blocks if block.stop - block.start == 1]
        return np.array(starts, dtype=np.int64)

    @property
    def wide(self) -> tuple[Block, ...]:
        """Blocks of more than one indicator."""
        return tuple(block for block in self.blocks if block.stop - block.start > 1)

    @property
    def _box(self) -> int:
        return 1 + self.pairs.size + (0 if self.edges else self.n_numeric)

    def parts(self) -> tuple[RowPart, ...]:
        """The shapes of the rows."""
        return (
            RowPart(kind="box", width=self._box),
            *(RowPart(kind="ones", width=edges.size - 1) for edges in self.edges),
            *(
                RowPart(kind="ones", width=block.stop - block.start, most=block.max_nonzeros)
                for block in self.wide
            ),
        )

    def columns(self, rows: BoundedRows) -> Matrix:
        """The design matrix, shape (n, d)."""
        pairs = 2.0 * rows.indicators[:, self.pairs].toarray() - 1.0
        box = [np.ones((rows.n_rows, 1)), pairs]
        cells: list[Matrix] = [
            one_hot_cells(cell_of(rows.numeric[:, feature], edges), edges.size - 1)
            for feature, edges in enumerate(self.edges)
        ]
        numbers: list[Matrix] = [] if self.edges else [rows.scaled]
        wide = [rows.indicators[:, block.start : block.stop] for block in self.wide]
        return side_by_side([*box, *numbers, *cells, *wide])

    def model_parts(self, weights: FloatArray) -> tuple[FloatArray, tuple[Term, ...]]:
        """Bias, shape (scores,), and terms from weights of the columns, shape (scores, d)."""
        pieces = np.split(weights, np.cumsum([part.width for part in self.parts()])[:-1], axis=1)
        box, rest = pieces[0], pieces[1:]
        pairs = box[:, 1 : 1 + self.pairs.size]
        # -1 and 1 for an indicator of 0 and 1: twice the weight, less the weight once.
        bias = box[:, 0] - pairs.sum(axis=1)
        terms: list[Term] = []
        if self.edges:
            terms.append(CellsTerm(self.edges, tuple(rest[: len(self.edges)])))
        elif self.n_numeric:
            terms.append(LinearTerm(box[:, 1 + self.pairs.size :]))
        if self.blocks:
            spread = np.zeros((weights.shape[0], self.blocks[-1].stop))
            spread[:, self.pairs] = 2.0 * pairs
            for block, piece in zip(self.wide, rest[len(self.edges) :], strict=True):
                spread[:, block.start : block.stop] = piece
            terms.append(IndicatorTerm(spread))
        return bias, tuple(terms)
