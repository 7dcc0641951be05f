"""Pure mechanisms: the epsilon, the relation and the loss of each, and the counts they take."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, TypedDict

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.privacy import Loss, Neighbors, Number, exact


def _exactly_positive(**numbers: Number) -> None:
    _check.positive(**{name: exact(number, name=name) for name, number in numbers.items()})


PositiveNumber = Annotated[Number, _exactly_positive]


class Terms(TypedDict):
    """What every mechanism is told: what it spends, and in which relation."""

    epsilon: Fraction
    neighbors: Neighbors


@dataclass(frozen=True, kw_only=True, eq=False)
class PureMechanism(_check.Checked):
    """A mechanism that spends its whole epsilon, and no delta, in one draw.

    Parameters
    ----------
    epsilon
        Privacy loss of everything that one draw releases; positive.
    neighbors
        The relation for which the sensitivity was argued.
    """

    epsilon: PositiveNumber
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    @cached_property
    def per_record(self) -> Fraction:
        """Epsilon of one added or removed record, of which a replaced one is two."""
        return exact(self.epsilon) / self.neighbors.steps

    def left_by(self, rounding: Fraction) -> float:
        """Epsilon, less what it costs that chances are rounded.

        Raises
        ------
        InvalidArgument
            If nothing is left.
        """
        left = exact(self.epsilon) - rounding
        if left <= 0:
            requirement = f"above {float(rounding):.1e}, which rounding costs"
            raise InvalidArgument("epsilon", str(self.epsilon), requirement)
        return float(left)

    @property
    def loss(self) -> Loss:
        """The privacy loss of one draw: proven, or what it claims if the guarantee is broken."""
        return Loss(self.epsilon)


_WANTED = {0: "an array of integers", 1: "a vector of integers", 2: "a table of integers"}


def integers_of(value: IntArray, ndim: int = 0) -> IntArray:
    """Counts as an array, of any shape or of so many dimensions and not empty.

    Raises
    ------
    InvalidArgument
        If they are no integers, or of another shape.
    """
    counts = np.asarray(value)
    shaped = not ndim or (counts.ndim == ndim and counts.size > 0)
    if not (shaped and np.issubdtype(counts.dtype, np.integer)):
        raise InvalidArgument("value", f"{counts.dtype} {counts.shape}", _WANTED[ndim])
    return counts
