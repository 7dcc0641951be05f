"""Public terms of one secure sum, and what a party holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import FederationError, InvalidArgument, TooFewParties
from dpcore.federated.keys import agreed
from dpcore.federated.messages import Message
from dpcore.federated.ring64 import Words, masks
from dpcore.mechanisms import DyadicPrefixes, Geometric, PolyaShare
from dpcore.mechanisms.counts.additive import geometric_variance
from dpcore.noise.seeded import Generator
from dpcore.privacy import Loss, Neighbors, Number, exact
from dpcore.schema.cell_arrays import numbers_of
from dpcore.schema.labels import class_places

DEEPEST = 20


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Public terms of a federation.

    Parameters
    ----------
    depth : int
        Records lie in 2^depth cells of a public grid.
    classes : int, default 1
        Each record belongs to one of so many classes, which are counted apart.
    epsilon : int, float, str, Fraction or None
        Privacy loss of all evaluations together, however many; None for exact counts, which only a
        simulation may show.
    neighbors : Neighbors, default add-remove

    Sensitivity
        The noise belongs to dyadic intervals of cells, one tree of them for each class, and the
        count up to a cell carries the noise of the depth + 1 intervals that hold the cell. Adding a
        record changes the counts of its class on a final stretch of cells, a signed sum of at most
        ceil((depth + 1) / 2) intervals (Barczewski et al., Lemma 1). Replacing one changes one
        class on an interval, a signed sum of at most depth + 1; or, if the class changes too, two
        classes on a final stretch each.

    Examples
    --------
    >>> Plan(depth=8, epsilon=1).moved, Plan(depth=8, epsilon=1, neighbors=Neighbors.REPLACE).moved
    (5, 9)
    """

    depth: int
    classes: int = 1
    epsilon: Number | None
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    def __post_init__(self) -> None:
        _check.integer_in_range(1, DEEPEST, depth=self.depth)
        _check.integer_in_range(1, 8, classes=self.classes)
        if self.epsilon is not None:
            _check.positive(epsilon=exact(self.epsilon))

    @property
    def cells(self) -> int:
        """Number of cells of the grid."""
        return 1 << self.depth

    def has(self, points: IntArray) -> bool:
        """Whether these may be asked for: a vector of cells of the grid, at least one."""
        listed = points.ndim == 1 and points.size > 0
        return listed and bool(0 <= points.min() <= points.max() < self.cells)

    def asked(self, request: Message) -> IntArray:
        """The points that a message asks a role for, or `FederationError`."""
        points: IntArray = request.array("points", np.int64)
        if not self.has(points):
            raise FederationError("the points asked for are not on the grid", "ask for others")
        return points

    @property
    def intervals(self) -> int:
        """Number of dyadic intervals of all lengths over the cells."""
        return 2 * self.cells - 1

    @property
    def moved(self) -> int:
        """How many intervals' noise makes up, by steps of one, for what a record changes."""
        several = Neighbors.ADD_REMOVE if self.classes > 1 else self.neighbors
        moved = DyadicPrefixes(epsilon=1, neighbors=several).scale(self.cells)
        if self.classes > 1:
            moved *= self.neighbors.steps
        return int(moved)

    @property
    def loss(self) -> Loss:
        """What all evaluations cost together."""
        return Loss(self._epsilon)

    @property
    def noise_variance(self) -> float:
        """Variance of one full noise on one interval, in squared counts; zero without noise."""
        if self.epsilon is None:
            return 0.0
        return float(geometric_variance(float(self.moved / self._epsilon)))

    def redrawn(
        self, draws: int, points: IntArray, full_noises: float, generator: Generator
    ) -> IntArray:
        """So many full noises in counts up to each point, drawn for an integral over their law.

        A full noise is the difference of two geometric numbers, and several, or a share of one,
        that of two negative binomial ones. Shape (draws, classes, points).
        """
        noise = np.zeros((draws, self.classes, points.size), dtype=np.int64)
        if self.epsilon is None:
            return noise
        # With less of a chance to be the last one no count says anything.
        chance = max(-math.expm1(-float(self._epsilon / self.moved)), 1e-12)
        for level in range(self.depth + 1):
            shape = 2, draws, self.classes, self.cells >> level
            plus, minus = generator.negative_binomial(full_noises, chance, shape)
            noise += (plus - minus)[..., points >> level]
        return noise

    def whole_noise(self) -> Geometric:
        """The noise of somebody who adds all of it."""
        return Geometric(epsilon=self._epsilon, l1_sensitivity=self.moved, neighbors=self.neighbors)

    def share_of_noise(self, shares: int) -> PolyaShare:
        """The noise of a party, of which `shares` make one full noise."""
        epsilon, moved, relation = self._epsilon, self.moved, self.neighbors
        return PolyaShare(epsilon=epsilon, shares=shares, l1_sensitivity=moved, neighbors=relation)

    @property
    def _epsilon(self) -> Fraction:
        if self.epsilon is None:
            raise InvalidArgument("epsilon", None, "given, because exact counts have no loss")
        return exact(self.epsilon)


def honest_shares(threshold: int, colluders: int) -> int:
    """How many shares of noise a sum holds at least that nobody can take off again.

    Of an opened sum, of so many parties or more, a coalition knows its own shares; every party is
    a coalition of one, who reads what is published and may be curious about the others.

    Examples
    --------
    >>> [honest_shares(4, colluders) for colluders in range(4)]
    [3, 3, 2, 1]
    """
    return threshold - max(colluders, 1)


# What a party is told of a session; its length is that of the points.
SESSION_FACTS = ("number", "parties", "threshold")


@dataclass(frozen=True, kw_only=True)
class Session(_check.Checked):
    """One secure sum: its number, and who may take part.

    Parameters
    ----------
    number
        Never the same twice in a federation.
    parties
        They are called 0, ..., parties - 1.
    threshold
        The sum is opened for so many parties or more; fewer learn nothing of one another.
    length
        How many numbers are added up, entry by entry.
    """

    number: Annotated[int, _check.whole(0, 2**62)]
    parties: Annotated[int, _check.whole(2, 10_000)]
    threshold: int
    length: Annotated[int, _check.whole(1, 2**24)]

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(2, self.parties, threshold=self.threshold)

    @property
    def context(self) -> bytes:
        """Text that ties keys and messages to this session."""
        return f"dpcore federated sum {self.number}".encode()

    def require(self, present: int) -> None:
        """Raise `TooFewParties` if so few parties are left."""
        if present < self.threshold:
            raise TooFewParties(present, self.threshold)


def pair_mask(secret: bytes, mine: int, other: int, public: bytes, session: Session) -> Words:
    """What party `mine` adds for party `other`: the two contributions cancel in the sum."""
    mask = masks(agreed(secret, public, session.context + b" mask"), session.length)
    return mask if mine < other else np.negative(mask)


@dataclass(frozen=True, eq=False)
class Holding:
    """Private records of one party.

    Parameters
    ----------
    cells : int array, shape (records,)
        Cell of each record; one that is on no grid, such as -1, if it has no value.
    classes : int array, shape (records,)
        Class of each record; zeros if there is but one.

    Raises
    ------
    InvalidArgument
        If there is not one whole number of either kind for each record.
    """

    cells: IntArray
    classes: IntArray

    def __post_init__(self) -> None:
        for name, column in (("cells", self.cells), ("classes", self.classes)):
            if column.ndim != 1 or not np.issubdtype(column.dtype, np.integer):
                raise InvalidArgument(name, str(column.dtype), "a vector of whole numbers")
        if self.cells.size != self.classes.size:
            raise InvalidArgument("classes", "another number of them", "one for each record")

    @classmethod
    def of_values(
        cls, values: ArrayLike, grid: FloatArray, classes: ArrayLike | None = None
    ) -> Holding:
        """Place values: cell j holds what is above grid point j - 1 and at most grid point j.

        Values beyond the last point are moved to it. What is missing or no number has no cell, and
        a class that is no whole number is none; see `as_counted`.

        Raises
        ------
        InvalidArgument
            If values or classes are no vectors of equal length, or of a type that holds no numbers.

        Examples
        --------
        >>> Holding.of_values([0.2, 0.5, 9.0, None], np.array([0.25, 0.5, 1.0])).cells.tolist()
        [0, 1, 2, -1]
        """
        numbers = numbers_of(values, "values")
        places = np.minimum(np.searchsorted(grid, numbers), grid.size - 1)
        cells = np.where(np.isnan(numbers), -1, places).astype(np.int64)
        if classes is None:
            return cls(cells, np.zeros_like(cells))
        return cls(cells, class_places(classes, "classes"))

    @property
    def size(self) -> int:
        """Number of records (private)."""
        return self.cells.size

    def as_counted(self, plan: Plan) -> Holding:
        """The records that are counted: those on the plan's grid, and of one of its classes.

        Privacy
            No record makes an error, which would tell of it for nothing. Under add-remove one off
            the grid is left out. Under replace, where the number of records is public, it counts in
            the first cell of the first class: it is then one record before and after it is
            replaced.

        Examples
        --------
        >>> some = Holding(np.array([1, -1, 7]), np.zeros(3, dtype=np.int64))
        >>> [
        ...     some.as_counted(Plan(depth=2, epsilon=1, neighbors=neighbors)).cells.tolist()
        ...     for neighbors in Neighbors
        ... ]
        [[1], [1, 0, 0]]
        """
        usable = np.ones(self.size, dtype=np.bool_)
        for column, end in ((self.cells, plan.cells), (self.classes, plan.classes)):
            usable &= (column >= 0) & (column < end)
        if plan.neighbors is Neighbors.REPLACE:
            return Holding(np.where(usable, self.cells, 0), np.where(usable, self.classes, 0))
        return Holding(self.cells[usable], self.classes[usable])

    def counts_up_to(self, points: IntArray, plan: Plan) -> IntArray:
        """Exact numbers of records in the cells up to each point, shape (classes, points)."""
        rows = [np.sort(self.cells[self.classes == one]) for one in range(plan.classes)]
        found = [np.searchsorted(row, points, side="right") for row in rows]
        return np.asarray(found, dtype=np.int64).reshape(plan.classes, points.size)


def records_of(scores: ScoreHistogram, most: int) -> tuple[FloatArray, IntArray]:
    """Scores and labels (private) of counted records, or of so many, for demonstrations.

    A score is the middle of its cell; who was left out has none, and the label 0. Neighbours in the
    order are not alike.

    Examples
    --------
    >>> scores, labels = records_of(ScoreHistogram.from_arrays([0, 1], [0.25, 0.75]), 10)
    >>> scores.round(3).tolist(), labels.tolist()
    ([0.25, 0.75], [0, 1])
    """
    each = np.stack([scores.negatives, scores.positives], axis=1)
    values = np.repeat(scores.centers, each.sum(axis=1))
    labels = np.repeat(np.tile([0, 1], scores.centers.size), each.ravel())
    if values.size > most:
        some = np.linspace(0, values.size - 1, most).round().astype(np.int64)
        values, labels = values[some], labels[some]
    values = np.append(values, np.full(scores.left_out, np.nan))
    labels = np.append(labels, np.zeros(scores.left_out, dtype=np.int64))
    mixed = np.argsort(np.arange(values.size) * 0.6180339887 % 1.0, kind="stable")
    return values[mixed], labels[mixed]


def divided(whole: Holding, parties: int) -> tuple[Holding, ...]:
    """Records dealt out to parties in turn, for demonstrations.

    Examples
    --------
    >>> whole = Holding(np.arange(5), np.zeros(5, dtype=np.int64))
    >>> [one.cells.tolist() for one in divided(whole, 2)]
    [[0, 2, 4], [1, 3]]
    """
    shares = (slice(first, None, parties) for first in range(parties))
    return tuple(Holding(whole.cells[share], whole.classes[share]) for share in shares)
