"""What two attributes say together, beyond what each says by itself: a second regression."""

import math
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from scipy.special import expit

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.mechanisms import BlockObjective, CanonicalTop, Laplace
from dpcore.mechanisms.regression.parted_objective import RowPart
from dpcore.mechanisms.regression.tables import Beside, ColumnGroups, Rows, Table
from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import ClassSizes
from dpcore.models.grid import space_grids
from dpcore.models.logistic.layout import Basis
from dpcore.models.ranges import Places, rising
from dpcore.models.terms import PairsTerm
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate

# Thousandths of the weights' loss for pairs, between so many records per unit of noise, times
# 4 p (1 - p) for a share p of the smaller class; none for fewer records so counted, or where pairs
# are too many to look at.
_MOST, _OVER, _LEAST = 200, (500.0, 2_000.0), 20
_FEWEST_RECORDS, _MOST_ATTRIBUTES = 1_000.0, 32
# Nor for less epsilon: what a choice gets of it would be used up by rounding (`CanonicalTop`).
_LEAST_EPSILON = 0.001

# Parts of that: to choose pairs, to ask what they say, and for their weights.
_CHOICE, _WORTH, _WEIGHTS = 1, 1, 3

# So many pairs are weighed at most, each of so many cells at most; numbers are cut into so many
# cells, to so many spreads from their middles.
_PAIRS, _MOST_CELLS = 4, 40
_CELLS, _SPREADS = 4, 1.5

# Mean absolute residual of a cell by chance, in deviations, and the deviation of that.
_BY_CHANCE, _DEVIATION = math.sqrt(2.0 / math.pi), math.sqrt(1.0 - 2.0 / math.pi)
# Residuals vary by so much of what they do before training.
_LEFT = 0.6

# A pair is weighed if it says more than so many deviations of what is known of it, and more than
# this share of the noise in all its weights.
_SURE, _OF_NOISE = 3.0, 0.5

_STRENGTH = 2.0

# Attributes are counted as one while they have so many cells together.
_JOINED = 128

# Where scores are cut, so that rows lie in a public box.
_WIDTH = 8.0

# Residuals are whole multiples of 2^-20: sums of up to 2^33 of them have no rounding at all.
_UNITS = 2.0**20


def share_for_pairs(per_noise: float, sizes: ClassSizes, attributes: int) -> int:
    """Thousandths of the weights' loss for `with_pairs`, from public facts and released sizes.

    Examples
    --------
    >>> sizes = ClassSizes(np.array([2_000.0, 2_000.0]), 1.0)
    >>> [share_for_pairs(records, sizes, 8) for records in (500.0, 1_000.0, 2_000.0)]
    [0, 100, 200]
    >>> share_for_pairs(2_000.0, sizes, 1), share_for_pairs(2_000.0, sizes, 33)
    (0, 0)
    """
    evenly = 4.0 * _smaller_share(sizes) * (1.0 - _smaller_share(sizes))
    if per_noise * attributes < _LEAST_EPSILON * sizes.total:
        return 0
    if not 1 < attributes <= _MOST_ATTRIBUTES or evenly * sizes.total < _FEWEST_RECORDS:
        return 0
    share = round(rising(evenly * per_noise, (0.0, float(_MOST)), _OVER))
    return share if share >= _LEAST else 0


def _smaller_share(sizes: ClassSizes) -> float:
    return min(max(float(sizes.counts.min()), 0.0) / max(sizes.total, 1.0), 0.5)


@dataclass(frozen=True)
class Pairs:
    """How bounded rows become the columns of the second regression; all public.

    The columns are a box of the constant and the score of a released model, cut at 8 and divided by
    that, and for each pair of attributes a one-hot block of the cells that both lie in.

    Parameters
    ----------
    model
        Released, with one score.
    edges
        Grid of each numeric feature.
    widths
        Number of cells of each attribute: the numeric features, then the blocks of indicators.
    chosen
        Places of both attributes of each pair.
    """

    model: AdditiveModel
    edges: tuple[FloatArray, ...]
    widths: tuple[int, ...]
    chosen: tuple[tuple[int, int], ...]

    @classmethod
    def all_of(cls, model: AdditiveModel, training: Training, places: Places | None) -> "Pairs":
        """All pairs that have few cells."""
        ends = places and places.within(_SPREADS)
        edges = space_grids(training.space, cells=_CELLS, ends=ends) if ends else ()
        levels = [block.stop - block.start + 1 for block in training.rows.indicator_blocks]
        widths = (*(grid.size - 1 for grid in edges), *levels)
        pairs = combinations(range(len(widths)), 2)
        few = (pair for pair in pairs if widths[pair[0]] * widths[pair[1]] <= _MOST_CELLS)
        return cls(model, edges, widths, tuple(few))

    def only(self, places: IntArray) -> "Pairs":
        """Some of the pairs."""
        chosen = tuple(self.chosen[place] for place in places.tolist())
        return Pairs(self.model, self.edges, self.widths, chosen)

    @property
    def sizes(self) -> list[int]:
        """Number of cells of each pair."""
        return [self.widths[first] * self.widths[second] for first, second in self.chosen]

    @property
    def parts(self) -> tuple[RowPart, ...]:
        """The shapes of the rows."""
        blocks = (RowPart(kind="ones", width=size) for size in self.sizes)
        return (RowPart(kind="box", width=2), *blocks)

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Of the released model, shape (n,); asked for residuals first and then for columns."""
        return rows.kept(self.model, lambda: self.model.scores(rows))[:, 0]

    def columns(self, rows: BoundedRows) -> Rows:
        """The design matrix, in the set that `parts` describe whatever the record."""
        scores = np.clip(self.scores(rows) / _WIDTH, -1.0, 1.0)
        dense = np.vstack([np.ones(rows.n_rows), scores]).T
        if not self.chosen:
            return dense
        cells = rows.attribute_cells(self.edges)
        first, second = np.array(self.chosen, dtype=np.int64).T
        wide = np.array(self.widths, dtype=np.int32)[second, np.newaxis]
        ends = np.cumsum([0, *self.sizes]).tolist()
        entries = (1.0,) * len(self.chosen)
        groups = ColumnGroups(tuple(ends[:-1]), tuple(self.sizes), entries, ends[-1])
        return Beside(
            dense, Table(cells[first] * wide + cells[second], groups), np.arange(ends[-1])
        )

    @property
    def attributes(self) -> list[int]:
        """Places of the attributes that are in a pair: none has very many cells."""
        return sorted({place for pair in self.chosen for place in pair})

    def residuals(self, training: Training) -> FloatArray:
        """What the model leaves over in each pair of cells of `attributes`, summed (private).

        Sensitivity
            A residual is at most 1 in size and a whole multiple of 2^-20, and a record has one, in
            one cell of each pair. Sums of them are without error.
        """
        widths = tuple(self.widths[place] for place in self.attributes)
        starts, entries = tuple(np.cumsum([0, *widths[:-1]]).tolist()), (1.0,) * len(widths)
        groups = ColumnGroups(starts, widths, entries, sum(widths), joined=_JOINED)
        return training.summed(partial(_residuals, pairs=self, groups=groups))

    def says(self, training: Training, variance: float) -> FloatArray:
        """How far the residuals in the cells of each pair add up beyond chance (private).

        Parameters
        ----------
        variance
            Of the residuals of all records together, as released numbers tell it.

        Sensitivity
            *Add-remove*: 1 for each pair (L-infinity), so k for k of them (L1), since a record's
            residual moves one sum of each. *Replace*: twice that. What is taken for chance is
            public.
        """
        left, start, cells = self.residuals(training), 0, {}
        for place in self.attributes:
            cells[place] = slice(start, start + self.widths[place])
            start = cells[place].stop
        sums = [np.abs(left[cells[first], cells[second]]).sum() for first, second in self.chosen]
        by_chance = _BY_CHANCE * np.sqrt(variance * np.array(self.sizes))
        # A multiple as well, so that nothing is rounded.
        return np.array(sums) - np.rint(by_chance * _UNITS) / _UNITS


def _residuals(part: Training, pairs: Pairs, groups: ColumnGroups) -> FloatArray:
    units = np.trunc((part.classes - expit(pairs.scores(part.rows))) * _UNITS)
    cells = part.rows.attribute_cells(pairs.edges)
    if len(pairs.attributes) < len(cells):
        cells = cells[pairs.attributes]
    return np.asarray(Table(cells, groups).gram_of_runs(units) / _UNITS, dtype=np.float64)


def with_pairs(
    basis: Basis,
    weights: FloatArray,
    training: Training,
    sizes: ClassSizes,
    places: Places | None,
    *,
    loss: Loss,
    gate: Gate,
) -> AdditiveModel:
    """Weigh a released regression of two classes anew, and pairs of attributes that say enough.

    Parameters
    ----------
    basis
        Without texts.
    weights : float array, shape (1, columns)
        Released.

    Sensitivity
        Of what chooses pairs see `worthwhile`. Rows of the regression lie in the declared set by
        construction, whatever the record; the model is released already.
    Privacy
        `loss`: two fifths for `worthwhile`, if there are pairs, and the rest for the weights
        (`BlockObjective`); a charge for each.
    """
    bias, terms = basis.model_parts(weights)
    found = Pairs.all_of(AdditiveModel("sigmoid", bias, terms), training, places)
    for_weights = loss
    if found.chosen:
        found, for_weights = worthwhile(found, training, sizes, loss=loss, gate=gate)
    anchor = np.zeros(2 + sum(found.sizes))
    anchor[1] = _WIDTH
    mechanism = BlockObjective(
        parts=found.parts, anchor=anchor, strength=_STRENGTH, **gate.terms(for_weights)
    )
    design = training.design(partial(Pairs.columns, found))
    released = gate.release(mechanism, design, label="score and pairs")
    return _joined(basis, weights, found, released[0])


def worthwhile(
    found: Pairs, training: Training, sizes: ClassSizes, *, loss: Loss, gate: Gate
) -> tuple[Pairs, Loss]:
    """The pairs that say more than noise and chance, perhaps none; and what is left of the loss.

    Those whose cells leave most of the residuals are chosen, and what they leave is released.

    Sensitivity
        That of `Pairs.says`.
    Privacy
        A fifth of `loss` to choose (`CanonicalTop`) and a fifth for what the chosen say
        (`Laplace`), or both for that if there is nothing to choose; a charge for each.
    """
    share, steps = _smaller_share(sizes), gate.neighbors.steps
    variance = _LEFT * share * (1.0 - share) * max(sizes.total, 0.0)
    says = found.says(training, variance)
    for_worth, for_weights = loss.split([_CHOICE + _WORTH, _WEIGHTS])
    if says.size > _PAIRS:
        for_choice, for_worth = for_worth.split([_CHOICE, _WORTH])
        choice = CanonicalTop(k=_PAIRS, sensitivity=1.0 * steps, **gate.terms(for_choice))
        top = gate.release(choice, says, label="choice of pairs")
        found, says = found.only(top), says[top]
    worth = Laplace(l1_sensitivity=1.0 * steps * says.size, **gate.terms(for_worth))
    told = gate.release(worth, says, label="worth of pairs")
    bar = _bar(found, float(worth.scale), variance, for_weights, gate)
    return found.only(np.flatnonzero(told > bar)), for_weights


def _bar(found: Pairs, scale: float, variance: float, for_weights: Loss, gate: Gate) -> FloatArray:
    """What each pair must say to be weighed, from public facts."""
    mechanism = BlockObjective(parts=found.parts, strength=_STRENGTH, **gate.terms(for_weights))
    ends = np.cumsum([2, *found.sizes])[:-1]
    noise = np.array([np.sqrt(part).sum() for part in np.split(mechanism.tilt_variances, ends)[1:]])
    known = math.hypot(scale, _DEVIATION * math.sqrt(variance))
    return np.asarray(_SURE * known + _OF_NOISE * noise, dtype=np.float64)


def _joined(basis: Basis, weights: FloatArray, found: Pairs, released: FloatArray) -> AdditiveModel:
    """The model with all its weights multiplied, and the pairs beside them."""
    # A factor below zero is noise: it would turn the other predictions round.
    bias, terms = basis.model_parts(max(float(released[1]), 0.0) / _WIDTH * weights)
    flat = np.split(released, np.cumsum([2, *found.sizes])[:-1])[1:]
    shapes = [(1, found.widths[first], found.widths[second]) for first, second in found.chosen]
    cells = tuple(one.reshape(shape) for one, shape in zip(flat, shapes, strict=True))
    pairs = (PairsTerm(found.edges, found.chosen, cells),) if cells else ()
    return AdditiveModel("sigmoid", bias + released[0], (*terms, *pairs))
