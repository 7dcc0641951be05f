"""Public terms of one secure sum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore import _check
from dpcore.errors import InvalidArgument, TooFewParties
from dpcore.federated.keys import agreed
from dpcore.federated.ring64 import Words, masks
from dpcore.mechanisms import DyadicPrefixes, Geometric, PolyaShare
from dpcore.privacy import Loss, Neighbors, Number, exact

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
            moved *= self.neighbors.pick(add_remove=1, replace=2)
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
        ratio = Fraction(self._epsilon, self.moved)
        # The law is too narrow to matter long before a power could overflow.
        return 0.5 / math.sinh(min(float(ratio) / 2.0, 300.0)) ** 2

    def whole_noise(self) -> Geometric:
        """The noise of somebody who adds all of it."""
        return Geometric(epsilon=self._epsilon, l1_sensitivity=self.moved, neighbors=self.neighbors)

    def share_of_noise(self, shares: int) -> PolyaShare:
        """The noise of a party, of which `shares` make one full noise."""
        return PolyaShare(
            epsilon=self._epsilon,
            shares=shares,
            l1_sensitivity=self.moved,
            neighbors=self.neighbors,
        )

    @property
    def _epsilon(self) -> Fraction:
        if self.epsilon is None:
            raise InvalidArgument("epsilon", None, "given, because exact counts have no loss")
        return exact(self.epsilon)


@dataclass(frozen=True, kw_only=True)
class Session:
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

    number: int
    parties: int
    threshold: int
    length: int

    def __post_init__(self) -> None:
        _check.integer_in_range(0, 2**62, number=self.number)
        _check.integer_in_range(2, 10_000, parties=self.parties)
        _check.integer_in_range(2, self.parties, threshold=self.threshold)
        _check.integer_in_range(1, 2**24, length=self.length)

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
