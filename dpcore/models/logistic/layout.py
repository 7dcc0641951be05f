"""How bounded rows become the columns of a regression, and its weights a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, hstack
from scipy.special import ndtr

from dpcore._typing import FloatArray, IntArray, NDArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.mechanisms.regression.parted_objective import RowPart
from dpcore.mechanisms.regression.tables import Beside, ColumnGroups, Rows, Table
from dpcore.models.grid import Ends
from dpcore.models.naive_bayes.ratio_tables import RatioTables
from dpcore.models.terms import BagTerm, CellsTerm, IndicatorTerm, PolylineTerm, Term, text_shares
from dpcore.schema import Block
from dpcore.schema.space import Matrix

# Above this share of non-zero entries a dense product is faster than a sparse one.
_DENSE_SHARE = 0.4


def side_by_side(parts: Sequence[Matrix]) -> Matrix:
    """Join matrices of as many rows; dense if much of the result is not zero.

    Examples
    --------
    >>> side_by_side([np.ones((2, 1)), csr_array(np.eye(2))]).tolist()
    [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """
    width = sum(part.shape[1] for part in parts)
    if sum(part.size for part in parts) > _DENSE_SHARE * parts[0].shape[0] * width:
        return np.hstack([one if isinstance(one, np.ndarray) else one.toarray() for one in parts])
    return csr_array(hstack([csr_array(part) for part in parts], format="csr"))


# Mean square around where most are: of a pair of levels as -1 and 1, of which any share may be one,
# and of whatever else is in a box but numbers.
_OF_A_PAIR, _OF_OTHERS = 2.0 / 3.0, 0.2

# Where what numbers add turns, in halves of their part from its middle.
_KNOTS = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])

# A text counts as one of this many words or more: few words say little, and bounding their shares
# lets the penalty be weaker.
_LEAST_WORDS = 10

# Where the log-ratios of counted levels are cut, added up, so that rows lie in a public box.
COUNTED_WIDTH = 4.0


def filled(spreads: float) -> float:
    """Mean square of a normal number that is cut so many spreads from its middle, which is then 1.

    Examples
    --------
    >>> [round(filled(spreads), 2) for spreads in (0.7, 2.0)]
    [0.64, 0.23]
    """
    beyond, density = 2.0 * ndtr(-spreads), np.exp(-(spreads**2) / 2.0) / np.sqrt(2.0 * np.pi)
    return float(beyond + (1.0 - beyond - 2.0 * spreads * density) / spreads**2)


@dataclass(frozen=True)
class Basis:
    """How bounded rows become the columns of the regression, and weights a model; all public.

    The columns are, in order: a box in [-1, 1] of the constant, the two-valued indicators (as -1
    and 1) and the numbers, of those that may be missing the indicators of that (as 0 and 1), and
    what counted levels say (`counted`); then the numbers' distances from their middles, if they
    reach anywhere (`turning`); then, if numbers are cut into cells too, the cells of each number,
    times their reach; then the other one-hot blocks; then, for each text, every word's share of it.

    Parameters
    ----------
    edges
        Grid of each numeric feature; empty if they enter as numbers alone.
    blocks
        All blocks of indicators.
    gaps
        The numeric features that have an indicator of being missing. Such a number enters as 0, the
        middle of its bounds, and its indicator as 1: the row stays in the box, whose width counts
        both. Among cells it has one of its own.
    linear
        Whether numbers enter as numbers.
    reach : float, default 1
        What the indicators of cells are multiplied by; see `RowPart`.
    ends : Ends, default all of them
        The parts of their bounds, mapped to [-1, 1], that numbers are cut to and mapped from
        (`released_places`).
    cut : float, default 2
        So many spreads from their middles, as far as is known, are these ends.
    turning : float, default 0
        The reach of a second column of each number, in a box of their own behind the first: how far
        it is from the middle of its part, from -1 there to 1 a part beyond the ends. None if 0.
    counted : RatioTables, optional
        Released log-odds of blocks, which then have no columns but one for their sum, cut at 4 and
        divided by that. A weight of it below zero is noise, and counts as 0.
    """

    edges: tuple[FloatArray, ...]
    blocks: tuple[Block, ...]
    n_numeric: int
    gaps: tuple[int, ...] = ()
    linear: bool = True
    reach: float = 1.0
    ends: Ends | None = None
    cut: float = 2.0
    turning: float = 0.0
    counted: RatioTables | None = None

    @property
    def pairs(self) -> IntArray:
        """Indicators that are alone in their block."""
        starts = [block.start for block in self.blocks if block.stop - block.start == 1]
        return np.array(starts, dtype=np.int64)

    @cached_property
    def wide(self) -> tuple[Block, ...]:
        """One-hot blocks of more than one indicator."""
        elsewhere = {*self.texts, *(self.counted.blocks if self.counted else ())}
        several = (block for block in self.blocks if block.stop - block.start > 1)
        return tuple(block for block in several if block not in elsewhere)

    @property
    def texts(self) -> tuple[Block, ...]:
        """Blocks of more than one word."""
        return tuple(block for block in self.blocks if block.has_several_words)

    @property
    def score_column(self) -> int:
        """Where what counted levels say stands, if any are: the end of the first box."""
        return 1 + self.pairs.size + (self.n_numeric + len(self.gaps) if self.linear else 0)

    @property
    def _boxes(self) -> int:
        return 2 if self.linear and self.n_numeric and self.turning else 1

    @cached_property
    def parts(self) -> tuple[RowPart, ...]:
        """The shapes of the rows."""
        return (
            RowPart(kind="box", width=self.score_column + (self.counted is not None)),
            *(
                RowPart(kind="box", width=self.n_numeric, reach=self.turning)
                for _ in range(self._boxes - 1)
            ),
            *(RowPart(kind="ones", width=edges.size - 1, reach=self.reach) for edges in self.edges),
            *(
                RowPart(kind="ones", width=block.stop - block.start, most=block.max_nonzeros)
                for block in self.wide
            ),
            *(
                RowPart(kind="shares", width=block.stop - block.start, most=_least(block))
                for block in self.texts
            ),
        )

    @property
    def width(self) -> int:
        """Number of columns."""
        return sum(part.width for part in self.parts)

    @property
    def typical_squares(self) -> FloatArray:
        """Mean square of the entries of each column, as public facts suggest it, shape (d,).

        Numbers are about normal, and levels as frequent as one another.
        """
        means = [
            np.full(part.width, part.squared_length / part.width)
            * (_OF_OTHERS, 1.0)[part.kind != "box"]
            for part in self.parts
        ]
        widths = [1, self.pairs.size, self.n_numeric * self.linear]
        constant, pairs, numbers, _ = np.split(means[0], np.cumsum(widths))
        constant[:], pairs[:], numbers[:] = 1.0, _OF_A_PAIR, filled(self.cut)
        return np.concatenate(means)

    def columns(self, rows: BoundedRows) -> Rows:
        """The design matrix, shape (n, d)."""
        # The constant has a row of its own.
        cells = np.zeros((1 + len(self.edges), rows.n_rows), dtype=np.int16)
        if self.edges:
            cells[1:] = rows.cells(self.edges)
            if self.width == 1 + sum(self._sizes):
                return self._table(cells)
        alone = [block.stop - block.start == 1 for block in self.blocks]
        box = [np.ones((1, rows.n_rows)), np.where(rows.levels[alone] == 0, 1.0, -1.0)]
        turned = []
        if self.linear:
            numbers, distances = self._numbers(rows)
            box += [numbers.T, *([rows.missing.T] if self.gaps else [])]
            turned = [self.turning * distances.T] if self._boxes > 1 else []
        if self.counted:
            box.append(np.clip(self.counted.sums(rows) / COUNTED_WIDTH, -1.0, 1.0)[np.newaxis])
        # Column after column, which is how all of them are multiplied.
        dense = np.vstack([*box, *turned]).T
        found = self._beside(dense, cells[1:], rows) if self.edges or self.wide else dense
        if not self.texts:
            return found
        first = csr_array(found.toarray() if isinstance(found, Beside) else found)
        texts = [(block, rows.indicators[:, block.start : block.stop]) for block in self.texts]
        shares = [text_shares(words, _least(block)) for block, words in texts]
        return side_by_side([first, *shares])

    def _numbers(self, rows: BoundedRows) -> tuple[FloatArray, FloatArray]:
        """Numbers on their parts, cut to [-1, 1], and their distances; missing ones are 0."""
        middle, half = self._middle_and_half
        moved = (rows.scaled - middle) / half
        distances = np.clip(np.abs(moved) - 1.0, -1.0, 1.0)
        np.clip(moved, -1.0, 1.0, out=moved)
        if rows.gaps.size:
            moved[np.isnan(rows.numeric)] = distances[np.isnan(rows.numeric)] = 0.0
        return moved, distances

    @property
    def _middle_and_half(self) -> tuple[FloatArray, FloatArray]:
        low, high = self.ends or (-np.ones(self.n_numeric), np.ones(self.n_numeric))
        return (high + low) / 2.0, (high - low) / 2.0

    def _polylines(self, weights: FloatArray, turns: FloatArray) -> PolylineTerm:
        """What the columns of `_numbers`, and the gaps behind the first, add up to."""
        middle, half = self._middle_and_half
        knots = middle[:, np.newaxis] + np.outer(half, _KNOTS)
        numbers, missing = weights[:, : self.n_numeric], np.zeros(weights.shape[:1] + middle.shape)
        missing[:, self.gaps] = weights[:, self.n_numeric :]
        heights = numbers[..., np.newaxis] * np.clip(_KNOTS, -1.0, 1.0)
        heights = heights + turns[..., np.newaxis] * self.turning * (np.abs(_KNOTS) - 1.0)
        return PolylineTerm(knots, heights, missing)

    @property
    def _sizes(self) -> list[int]:
        return [edges.size - 1 for edges in self.edges]

    def _table(self, cells: NDArray[np.int16]) -> Table:
        """The constant and the cells that the numbers lie in, if there is nothing else."""
        starts = tuple(np.cumsum([0, 1, *self._sizes[:-1]]).tolist())
        entries = (1.0, *[self.reach] * len(self.edges))
        groups = ColumnGroups(starts, (1, *self._sizes), entries, self.width)
        return Table(cells, groups)

    def _beside(self, dense: FloatArray, cells: NDArray[np.int16], rows: BoundedRows) -> Beside:
        """Dense columns; beside them cells of numbers, and of each block one level or none."""
        wide = np.isin([block.start for block in self.blocks], [one.start for one in self.wide])
        sizes = [*self._sizes, *(block.stop - block.start + 1 for block in self.wide)]
        ends = np.cumsum([0, *sizes])
        entries = (*[self.reach] * len(self.edges), *[1.0] * len(self.wide))
        groups = ColumnGroups(tuple(ends[:-1].tolist()), tuple(sizes), entries, int(ends[-1]))
        kept = np.delete(np.arange(ends[-1]), ends[len(self.edges) + 1 :] - 1)
        return Beside(dense, Table(np.vstack([cells, rows.levels[wide]]), groups), kept)

    def model_parts(self, weights: FloatArray) -> tuple[FloatArray, tuple[Term, ...]]:
        """Bias, shape (scores,), and terms from weights of the columns, shape (scores, d)."""
        pieces = np.split(weights, np.cumsum([part.width for part in self.parts])[:-1], axis=1)
        box, turns, rest = pieces[0], pieces[1 : self._boxes], pieces[self._boxes :]
        pairs = box[:, 1 : 1 + self.pairs.size]
        # -1 and 1 for an indicator of 0 and 1: twice the weight, less the weight once.
        bias = box[:, 0] - pairs.sum(axis=1)
        terms: list[Term] = []
        if self.edges:
            weighed = tuple(self.reach * piece for piece in rest[: len(self.edges)])
            terms.append(CellsTerm(self.edges, weighed))
        if self.linear and self.n_numeric:
            numbers = box[:, 1 + self.pairs.size : self.score_column]
            turned = turns[0] if turns else np.zeros((weights.shape[0], self.n_numeric))
            terms.append(self._polylines(numbers, turned))
        rest = rest[len(self.edges) :]
        if self.pairs.size or self.wide or self.counted:
            spread = np.zeros((weights.shape[0], self.blocks[-1].stop))
            spread[:, self.pairs] = 2.0 * pairs
            for block, piece in zip(self.wide, rest, strict=False):
                spread[:, block.start : block.stop] = piece
            if self.counted:
                factor = np.maximum(box[:, self.score_column :], 0.0) / COUNTED_WIDTH
                none, said = self.counted.of_indicators(spread.shape[1])
                bias, spread = bias + factor[:, 0] * none, spread + factor * said
            terms.append(IndicatorTerm(spread))
        for block, piece in zip(self.texts, rest[len(self.wide) :], strict=True):
            none = np.zeros(weights.shape[0])
            terms.append(BagTerm(block.start, block.stop, _least(block), piece, none))
        return bias, tuple(terms)


def _least(block: Block) -> int:
    """Number of words that a text counts as at least; no text can have more than its bound."""
    return min(_LEAST_WORDS, block.max_nonzeros, block.stop - block.start)
