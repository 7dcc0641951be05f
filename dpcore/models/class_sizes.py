"""Class sizes, released before anything else: what follows is chosen by how many records there are.

Where records are few for their epsilon, no model is better than the larger class, and the noise
of a model does not tell which class that is: a second release says it better.
"""

from fractions import Fraction
from typing import NamedTuple, Self

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms import Geometric
from dpcore.models.training import Training
from dpcore.postprocess.monotone import perhaps_nobody
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.schema.labels import OF_ENCODED

# Thousandths of epsilon for the first release; for the second at most so many, fewer as records
# per noise of a count grow, and no release for fewer than the least.
_FIRST, _MOST, _LEAST = 20, 100, 20
_RECORDS = 30.0

# Least epsilon for the noise of a column, or of class sizes, and for that of a weight.
_FOR_A_COLUMN, _FOR_A_WEIGHT = Fraction(1, 2**20), Fraction(1, 2**30)


def require_epsilon(training: Training, epsilon: Fraction) -> None:
    """Refuse an epsilon of which a share may be too small for its noise to be drawn.

    How epsilon is divided hangs on class sizes, which are charged by then: the least leaves room
    for whatever noise makes of them.

    Raises
    ------
    InvalidArgument
        If it is below 2^-20 for each release of a column, and 2^-30 for each weight.
    """
    space = training.space
    releases = 1 + space.n_numeric + space.max_indicators
    weights = len(space.features) * training.n_classes
    Loss.positive(epsilon, least=_FOR_A_COLUMN * releases + _FOR_A_WEIGHT * weights)


class ClassSizes(NamedTuple):
    """Released sizes, shape (classes,), and the scale of Laplace noise as wide as theirs."""

    counts: FloatArray
    scale: float

    @property
    def total(self) -> float:
        """Records of all classes, as noise has them: perhaps below zero."""
        return float(self.counts.sum())

    @property
    def of_a_pair(self) -> float:
        """Records of two classes, if all are alike: what tells one from another is learned of them.

        Examples
        --------
        >>> [ClassSizes(np.full(classes, 30.0), 1.0).of_a_pair for classes in (1, 2, 3)]
        [30.0, 60.0, 60.0]
        """
        return self.total * min(2.0 / self.counts.size, 1.0)

    def told(self, gate: Gate) -> Self:
        """The same; with a warning if real noise leaves it possible that nobody is of any class.

        No label may make an error then: only what was released may bring it up.
        """
        if not gate.simulated and perhaps_nobody(self.total, self.scale * self.counts.size**0.5):
            what = "the noise leaves it possible that no record is of a declared class: there are"
            why = "too few for this epsilon, or labels are not as classes say"
            _check.warn_caller(f"{what} {why}; {OF_ENCODED}")
        return self


def share_of_second(records: float) -> int:
    """Thousandths of epsilon for class sizes once more, by records times epsilon.

    Examples
    --------
    >>> [share_of_second(records) for records in (100.0, 500.0, 1_000.0, 10_000.0)]
    [100, 60, 30, 0]
    """
    wanted = round(1000.0 * _RECORDS / max(records, 1.0))
    return min(wanted, _MOST) if wanted >= _LEAST else 0


def counted_sizes(
    training: Training, loss: Loss, gate: Gate, label: str = "class sizes"
) -> ClassSizes:
    """Release the class sizes once.

    Sensitivity
        *Add-remove*: a record is in one class, 1. *Replace*: it may leave one class for another, 2.
    Privacy
        All of `loss`, in one charge.
    """
    mechanism = Geometric.of_cells(loss, gate.neighbors)
    counts = gate.release(mechanism, training.sizes, label=label)
    return ClassSizes(counts.astype(np.float64), float(mechanism.scale))


def released_sizes(training: Training, *, loss: Loss, gate: Gate) -> tuple[ClassSizes, Loss]:
    """Release the class sizes, twice where records are few; and what is left of the loss.

    Sensitivity
        Of each release that of `counted_sizes`.
    Privacy
        2 % of `loss`, and up to 10 % more; a charge for each release. What the second costs hangs
        on the first. They are averaged by their precision, which is post-processing.
    """
    for_first, rest = loss.split([_FIRST, 1000 - _FIRST])
    first = counted_sizes(training, for_first, gate)
    part = share_of_second(first.total * float(loss.epsilon) / gate.neighbors.steps)
    if not part or not training.space.features:
        return first.told(gate), rest
    for_second, rest = rest.split([part, 1000 - _FIRST - part])
    second = counted_sizes(training, for_second, gate, "class sizes again")
    precisions = [first.scale**-2.0, second.scale**-2.0]
    counts = np.average([first.counts, second.counts], axis=0, weights=precisions)
    return ClassSizes(counts, sum(precisions) ** -0.5).told(gate), rest
