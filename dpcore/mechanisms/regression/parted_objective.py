"""A logistic objective whose records stay in the parts in which they are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter, methodcaller
from typing import Annotated, Any, Literal, Protocol, TypeAlias, TypeVar, cast, get_args

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.counts.k_norm_histograms import runs_of_similar
from dpcore.mechanisms.regression.blas_threads import ONE_BLAS_THREAD
from dpcore.mechanisms.regression.exact_products import on_grid
from dpcore.mechanisms.regression.logistic_objective import (
    BinaryObjective,
    LossSums,
    Penalty,
    SoftmaxObjective,
)
from dpcore.mechanisms.regression.newton import Common
from dpcore.mechanisms.regression.signed_blocks import ContrastsOfBlocks, SignedBlocks
from dpcore.mechanisms.regression.tables import Rows
from dpcore.mechanisms.samplers import norm_noise
from dpcore.noise import NoiseSource

# Blocks have noise of one law if none has so many times the entries of another, nor more than so
# many: wide ones gain nothing from company.
_SIMILAR, _WIDEST = 4.0, 64


class Law(Protocol):
    """A law of noise: vectors, or matrices of one row per class."""

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length, at least roughly."""

    @property
    def column_variances(self) -> FloatArray:
        """Of each column."""

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw once."""

    def log_density(self, value: FloatArray, /) -> float:
        """Log-density up to a constant."""


@dataclass(frozen=True)
class PerRow:
    """Independent vectors of one law as the rows of a matrix."""

    law: Law
    n_rows: int

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length."""
        return self.n_rows * self.law.variance

    @property
    def column_variances(self) -> FloatArray:
        """Of each column."""
        return self.n_rows * self.law.column_variances

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one matrix."""
        return np.stack([self.law.sample(noise) for _ in range(self.n_rows)])

    def log_density(self, value: FloatArray, /) -> float:
        """Log-density up to a constant."""
        return sum(self.law.log_density(row) for row in value)


# Sets in which the entries of a row lie.
_Entries: TypeAlias = Literal["box", "ones", "shares"]


@dataclass(frozen=True, kw_only=True)
class RowPart(_check.Checked):
    """Neighbouring columns of a design matrix and the set in which a row's entries lie.

    Parameters
    ----------
    kind
        "box": every entry in [-1, 1]. "ones": entries in [0, 1] that add up to `most` or less, such
        as a one-hot block (most 1). "shares": entries in [0, 1 / most] that add up to 1 or less,
        such as each word's share of a text that counts as `most` words or more.
    width
        Number of columns.
    most
        Not used by "box".
    reach : float, default 1
        Every entry is multiplied by it; above 0 and at most 1. Weights of columns that reach less
        far are noisier and more strongly penalised, and cost all others less.

    Examples
    --------
    >>> RowPart(kind="box", width=4).squared_length, RowPart(kind="ones", width=9).squared_length
    (4.0, 1.0)
    """

    kind: Annotated[_Entries, partial(_check.one_of, get_args(_Entries))]
    width: _check.Count
    most: _check.Count = 1
    reach: Annotated[float, partial(_check.in_range, 2.0**-20, 1.0)] = 1.0

    @property
    def squared_length(self) -> float:
        """Largest squared Euclidean length of the part in one row."""
        return self.reach**2 * self._squared_unit_length

    @property
    def _squared_unit_length(self) -> float:
        if self.kind == "box":
            return float(self.width)
        return 1.0 / self.most if self.kind == "shares" else float(min(self.most, self.width))

    def law(self, rate: float, n_classes: int = 2) -> Law:
        """The noise for the weights of these columns: matrices of one row, or one per class.

        Its log-density moves by at most rate * s when it is shifted by the product of residuals,
        whose absolute values add up to s, and a row. For more than two classes the residuals add up
        to zero, and so does the noise. A row of a box has largest entry at most 1. A row of ones
        has L1 norm at most `most`, so its law runs at rate / most; a row of shares at most 1. All
        norms are multiplied by the reach, and so all laws run at their rate over it.
        """
        rate = rate / self.reach
        if self.kind == "box":
            if 2 < n_classes <= norm_noise.MOST_CLASSES:
                return norm_noise.CubeContrasts(
                    rate=rate, dimension=self.width, n_classes=n_classes
                )
            cube = norm_noise.GammaCube(rate=rate, dimension=self.width)
            return PerRow(cube, 1 if n_classes == 2 else n_classes)
        slow = rate / self.most if self.kind == "ones" else rate
        if n_classes > 2:
            return norm_noise.LaplaceContrasts(rate=slow, dimension=self.width, n_classes=n_classes)
        return PerRow(norm_noise.LaplaceVector(rate=slow, dimension=self.width), 1)


def laws(parts: Sequence[RowPart], rate: float, n_classes: int = 2) -> list[tuple[IntArray, Law]]:
    """The noise of all columns: which of them each law is for.

    One-hot blocks of similar size have one law together (`SignedBlocks`; `ContrastsOfBlocks` for
    more classes, where it is the lesser noise), since a record moves all of them by the same
    residual; every other part has its own.

    Examples
    --------
    >>> parts = [RowPart(kind="ones", width=2), RowPart(kind="box", width=1)] * 2
    >>> [columns.tolist() for columns, _ in laws(parts, 1.0)]
    [[2], [5], [0, 1, 3, 4]]
    """
    ends = np.cumsum([part.width for part in parts])
    places = [np.arange(end - part.width, end) for part, end in zip(parts, ends, strict=True)]
    groups = _with_one_law(parts, n_classes)
    unit = [_law_of([parts[place] for place in group], 1.0, n_classes) for group in groups]
    return [
        (
            np.concatenate([places[place] for place in group]),
            _law_of([parts[place] for place in group], rate * share, n_classes),
        )
        for group, share in zip(groups, shares(unit), strict=True)
    ]


def _with_one_law(parts: Sequence[RowPart], n_classes: int) -> list[list[int]]:
    """Places of the parts that get noise of one law, from public facts.

    For more than two classes only those whose noise then has less variance than at the best shares
    for each (`shares`).
    """
    reaches: dict[float, list[int]] = {}
    for place, part in enumerate(parts):
        if part.kind == "ones" and part.most == 1 and part.width <= _WIDEST:
            reaches.setdefault(part.reach, []).append(place)

    def cost(group: list[int]) -> float:
        law = _law_of([parts[place] for place in group], 1.0, n_classes)
        return float(law.variance ** (1.0 / 3.0))

    together = [
        group
        for places in reaches.values()
        for run in runs_of_similar([parts[place].width for place in places], _SIMILAR)
        for group in [[places[position] for position in run]]
        if n_classes == 2 or cost(group) < sum(cost([place]) for place in group)
    ]
    joined = {place for group in together for place in group}
    return [[place] for place in range(len(parts)) if place not in joined] + together


def _law_of(parts: Sequence[RowPart], rate: float, n_classes: int) -> Law:
    if len(parts) == 1:
        return parts[0].law(rate, n_classes)
    rate, sizes = rate / parts[0].reach, tuple(part.width for part in parts)
    if n_classes > 2:
        return ContrastsOfBlocks(rate=rate, sizes=sizes, n_classes=n_classes)
    return PerRow(SignedBlocks(rate=rate, sizes=sizes), 1)


def shares(laws_of_rate_1: Sequence[Law]) -> list[float]:
    """Shares of the rate for each law, adding to 1, that make the total noise variance least.

    Variance is cost / share^2 for each, and the sum is least at shares ~ cost^(1/3).
    """
    roots = [law.variance ** (1.0 / 3.0) for law in laws_of_rate_1]
    return [root / sum(roots) for root in roots]


def squared_radius(parts: Sequence[RowPart]) -> float:
    """Largest squared Euclidean length of a whole row."""
    return sum(part.squared_length for part in parts)


Piece = TypeVar("Piece", covariant=True)

Result = TypeVar("Result")


class Partitions(Protocol[Piece]):
    """Disjoint parts of the records, one or more, such as the partitions of a cluster."""

    def turned(self, change: Callable[[Piece], Result]) -> Partitions[Result]:
        """What each part becomes, made where the part is and when it is asked for."""

    def kept(self) -> Partitions[Piece]:
        """The same, made once and kept where the parts are."""

    def folded(
        self, task: Callable[[Piece], Result], add: Callable[[Sequence[Result]], Result]
    ) -> Result:
        """Results of a task for each part, added in a fixed order, and brought here."""


def added(parts: Sequence[Result]) -> Result:
    """The sum of all parts, first to last; of tuples and lists entry by entry.

    Examples
    --------
    >>> added([(1, [2, 3]), (10, [20, 30])])
    (11, [22, 33])
    """
    several: Any = parts
    if not isinstance(several[0], tuple | list):
        return cast(Result, sum(several[1:], several[0]))
    return cast(Result, type(several[0])(added(each) for each in zip(*several, strict=True)))


RowsOrPartitions: TypeAlias = "tuple[Rows, IntArray] | Partitions[tuple[Rows, IntArray]]"

"""Rows of shape (n, p) and classes of shape (n,), here or in parts."""


class OnGrid(tuple[Rows, IntArray]):
    """Rows that their maker has cut to the grid of `on_grid`, and classes."""

    @property
    def on_grid(self) -> Rows:
        """The rows on the grid."""
        return self[0]


class Repeated(OnGrid):
    """Rows and classes for many simulations, and what their objectives have in common."""

    common: Common

    def __new__(cls, rows: Rows, classes: IntArray, common: Common) -> Repeated:
        """The pair, with `common` beside it."""
        pair = super().__new__(cls, (rows, classes))
        pair.common = common
        return pair

    @cached_property
    def on_grid(self) -> Rows:
        """The rows cut to the grid of `on_grid`, once."""
        return on_grid(self[0])


_Part: TypeAlias = "BinaryObjective | SoftmaxObjective"


@dataclass(frozen=True)
class PartedObjective:
    """The sum of the losses of all parts, plus a penalty that is known here alone.

    What leaves a part are sums over its records: how many there are, a number per chunk for the
    value, p numbers per slice and class for the gradient, and one per pair of parameters for
    the second derivatives.

    Parameters
    ----------
    parts
        Without a penalty, rows on the grid of `on_grid`.

    Sensitivity
        Every record is in one part, so the function is the one of all records in one place, and
        `BlockObjective` argues its sensitivity.
    Privacy
        The bounds of `SolverGap` hold as they stand. Each record's residual depends on that record
        and the weights alone, sums within a chunk are exact, and sums of chunks and of parts are
        `added_sums`, which lose nothing for up to 2^26 chunks of at most 2^16 records: as many
        parts, if each is small. So the gradient is rounded about once, when the penalty is added,
        however the records are divided. Second derivatives choose the step and weigh the
        gradient in the decrement, as in one place; their entries are sums of n products, of which
        any order of summation errs by n units in the last place at most. The value serves the
        search for a length of a step, which the proof does not rest on.

        The parts are told the weights of every step and no tilt, noise or ledger. Whoever holds
        them is trusted with the records, and must be with the weights: these, with all records,
        tell the tilt.

    Examples
    --------
    >>> class Two:
    ...     def folded(self, task, add):
    ...         return add([task(part), task(part)])
    >>> part = BinaryObjective(np.array([[1.0]]), np.array([1.0]), Penalty.none(1))
    >>> still = Penalty(regularization=1.0, anchor=np.zeros(1), tilt=np.zeros(1))
    >>> PartedObjective(Two(), still).hessian(np.zeros(1)).tolist()
    [[1.5]]
    """

    parts: Partitions[_Part]
    penalty: Penalty

    def value_and_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The function and its gradient, shape (parameters,)."""
        sums = self.parts.folded(partial(_loss_sums, weights=weights), added)
        return sums.with_penalty(self.penalty, weights)

    @cached_property
    def n_records(self) -> int:
        """Number of records in all parts."""
        return int(self.parts.folded(attrgetter("n_records"), added))

    def sampled(self, stride: int) -> PartedObjective:
        """Every so many-th record of each part, and that share of the penalty."""
        parts = self.parts.turned(methodcaller("sampled", stride))
        return PartedObjective(parts.kept(), self.penalty.share(stride))

    def expansion(self, weights: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The function, its gradient and the second derivatives, asked for at once."""
        sums, matrix = self.parts.folded(partial(_expansion, weights=weights), added)
        return *sums.with_penalty(self.penalty, weights), self._with_penalty(matrix)

    def rough_gradient(self, weights: FloatArray) -> None:
        """A pass over all parts takes as long for a rough gradient as for an exact one."""

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (parameters, parameters)."""
        return self._with_penalty(self.parts.folded(partial(_hessian, weights=weights), added))

    def _with_penalty(self, matrix: FloatArray) -> FloatArray:
        return matrix + self.penalty.regularization * np.eye(len(matrix))

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction; each product asks all parts."""

        def times(direction: FloatArray) -> FloatArray:
            task = partial(_product, weights=weights, direction=direction)
            return self.parts.folded(task, added) + self.penalty.regularization * direction

        return times


def _loss_sums(part: _Part, weights: FloatArray) -> LossSums:
    with ONE_BLAS_THREAD:
        return part.loss_sums(weights)


def _hessian(part: _Part, weights: FloatArray) -> FloatArray:
    with ONE_BLAS_THREAD:
        return part.hessian(weights)


def _expansion(part: _Part, weights: FloatArray) -> tuple[LossSums, FloatArray]:
    with ONE_BLAS_THREAD:
        return part.loss_sums(weights), part.hessian(weights)


def _product(part: _Part, weights: FloatArray, direction: FloatArray) -> FloatArray:
    with ONE_BLAS_THREAD:
        return part.curvature(weights)(direction)
