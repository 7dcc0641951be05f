"""Logistic objectives: of records in the parts in which they are kept, tilted part by part."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import methodcaller
from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.mechanisms.regression.exact_products import added_sums, on_grid
from dpcore.mechanisms.regression.logistic_objective import (
    BinaryObjective,
    LossSums,
    Objective,
    Penalty,
    SoftmaxObjective,
)
from dpcore.mechanisms.regression.newton import ONE_BLAS_THREAD, minimise
from dpcore.mechanisms.regression.solver_gap import GAP_SHARE, SolverGap
from dpcore.mechanisms.samplers.norm_noise import (
    MOST_CLASSES,
    CubeContrasts,
    GammaCube,
    LaplaceContrasts,
    LaplaceVector,
)
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.privacy import Guarantee, exact
from dpcore.schema.encoding import Matrix


class Law(Protocol):
    """A law of noise: vectors, or matrices of one row per class."""

    @property
    def variance(self) -> float:
        """Expected squared Euclidean length, at least roughly."""

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

    def sample(self, noise: NoiseSource) -> FloatArray:
        """Draw one matrix."""
        return np.stack([self.law.sample(noise) for _ in range(self.n_rows)])

    def log_density(self, value: FloatArray, /) -> float:
        """Log-density up to a constant."""
        return sum(self.law.log_density(row) for row in value)


@dataclass(frozen=True, kw_only=True)
class RowPart:
    """Neighbouring columns of a design matrix and the set in which a row's entries lie.

    Parameters
    ----------
    kind : {"box", "ones", "shares"}
        "box": every entry in [-1, 1]. "ones": entries in [0, 1] that add up to `most` or less, such
        as a one-hot block (most 1). "shares": entries in [0, 1 / most] that add up to 1 or less,
        such as each word's share of a text that counts as `most` words or more.
    width : int
        Number of columns.
    most : int, default 1
        Not used by "box".
    reach : float, default 1
        Every entry is multiplied by it; above 0 and at most 1. Weights of columns that reach less
        far are noisier and more strongly penalised, and cost all others less.

    Examples
    --------
    >>> RowPart(kind="box", width=4).squared_length, RowPart(kind="ones", width=9).squared_length
    (4.0, 1.0)
    """

    kind: Literal["box", "ones", "shares"]
    width: int
    most: int = 1
    reach: float = 1.0

    def __post_init__(self) -> None:
        _check.one_of(("box", "ones", "shares"), kind=self.kind)
        _check.integer_in_range(1, None, width=self.width, most=self.most)
        _check.in_range(2.0**-20, 1.0, reach=self.reach)

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
            if 2 < n_classes <= MOST_CLASSES:
                return CubeContrasts(rate=rate, dimension=self.width, n_classes=n_classes)
            cube = GammaCube(rate=rate, dimension=self.width)
            return PerRow(cube, 1 if n_classes == 2 else n_classes)
        slow = rate / self.most if self.kind == "ones" else rate
        if n_classes > 2:
            return LaplaceContrasts(rate=slow, dimension=self.width, n_classes=n_classes)
        return PerRow(LaplaceVector(rate=slow, dimension=self.width), 1)


def shares(parts: Sequence[RowPart], n_classes: int = 2) -> list[float]:
    """Shares of the rate for each part, adding to 1, that make the total noise variance least.

    Variance is cost / share^2 for each part, and the sum is least at shares ~ cost^(1/3).
    """
    roots = [part.law(1.0, n_classes).variance ** (1.0 / 3.0) for part in parts]
    return [root / sum(roots) for root in roots]


def squared_radius(parts: Sequence[RowPart]) -> float:
    """Largest squared Euclidean length of a whole row."""
    return sum(part.squared_length for part in parts)


def split_columns(matrix: FloatArray, parts: Sequence[RowPart]) -> list[FloatArray]:
    """Cut a matrix, or a vector, into the columns of each part."""
    ends = np.cumsum([part.width for part in parts])[:-1]
    return list(np.split(matrix, ends, axis=-1))


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


RowsOrPartitions: TypeAlias = "tuple[Matrix, IntArray] | Partitions[tuple[Matrix, IntArray]]"

"""Rows of shape (n, p) and classes of shape (n,), here or in parts."""

_Part: TypeAlias = "BinaryObjective | SoftmaxObjective"


@dataclass(frozen=True)
class PartedObjective:
    """The sum of the losses of all parts, plus a penalty that is known here alone.

    What leaves a part are sums over its records: how many there are, a number per 2^16 of them for
    the value, p numbers per slice and class for the gradient, and one per pair of parameters for
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
        sums = self.parts.folded(partial(_loss_sums, weights=weights), _added)
        return sums.with_penalty(self.penalty, weights)

    @cached_property
    def n_records(self) -> int:
        """Number of records in all parts."""
        return self.parts.folded(_n_records, _counted)

    def sampled(self, stride: int) -> PartedObjective:
        """Every so many-th record of each part, and that share of the penalty."""
        parts = self.parts.turned(methodcaller("sampled", stride))
        return PartedObjective(parts.kept(), self.penalty.share(stride))

    def expansion(self, weights: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The function, its gradient and the second derivatives, asked for at once."""
        sums, matrix = self.parts.folded(partial(_expansion, weights=weights), _both_added)
        return *sums.with_penalty(self.penalty, weights), self._with_penalty(matrix)

    def rough_gradient(self, weights: FloatArray) -> None:
        """A pass over all parts takes as long for a rough gradient as for an exact one."""

    def hessian(self, weights: FloatArray) -> FloatArray:
        """The matrix of second derivatives, shape (parameters, parameters)."""
        return self._with_penalty(self.parts.folded(partial(_hessian, weights=weights), _total))

    def _with_penalty(self, matrix: FloatArray) -> FloatArray:
        return matrix + self.penalty.regularization * np.eye(len(matrix))

    def curvature(self, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """The map from a direction to hessian times direction; each product asks all parts."""

        def times(direction: FloatArray) -> FloatArray:
            task = partial(_product, weights=weights, direction=direction)
            return self.parts.folded(task, _total) + self.penalty.regularization * direction

        return times


def _n_records(part: _Part) -> int:
    return part.n_records


def _counted(sizes: Sequence[int]) -> int:
    return sum(sizes)


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


def _added(sums: Sequence[LossSums]) -> LossSums:
    losses = [lost for one in sums for lost in one.losses]
    return LossSums(losses, added_sums(one.gradients for one in sums))


def _both_added(
    parts: Sequence[tuple[LossSums, FloatArray]],
) -> tuple[LossSums, FloatArray]:
    sums, matrices = zip(*parts, strict=True)
    return _added(sums), _total(matrices)


def _total(arrays: Sequence[FloatArray]) -> FloatArray:
    return sum(arrays[1:], arrays[0])


@dataclass(frozen=True, kw_only=True)
class BlockObjective(PureMechanism):
    """Minimise a logistic loss that was tilted by block-wise noise.

    It releases the minimiser of

        sum_i loss(W x_i, class_i) + (L / 2) |W - anchor|^2 + <B, W>

    where loss is log(1 + exp(-y w.x)) for two classes and -log softmax for more. The log-density of
    B is -rate * sum_k sum_j share_j * norm_j(B_kj): norm_j is the largest entry over the columns of
    a box, and the sum of absolute entries (by the number of ones) over a one-hot or word block. For
    more than two classes B adds up to zero over the classes, as every gradient does: the density is
    that on the matrices which do, and W then adds up to what the anchor adds up to.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss; positive.
    parts : tuple of RowPart
        The shapes of the rows, in the order of the columns.
    n_classes : int, default 2
    strength : float, default 1
        L is strength * R^2 / epsilon_1, with R the largest row length; 1 or more (see Privacy).
    anchor : float array, shape (parameters,), optional
        Public centre of the penalty; zeros if left out. Parameters: d for two classes, K d for K.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Argued by the caller: every row lies in the set that `parts` describe. One record's gradient
        is then the row times a residual r, one number of size s = 1 - p(class) for two classes and
        p - e(class) for K, whose absolute entries add up to 2 s. Its norm is therefore at most
        s for two classes and 2 s for K; the noise rate is epsilon_1 or epsilon_1 / 2, so the
        log-density of B moves by at most epsilon_1 * s.
    Privacy
        *Add-remove, two classes.* The curvature of one record is s (1 - s), so the Jacobian of the
        map from b to w moves by a factor between 1 and 1 + k s (1 - s), k = R^2 / L. Adding the
        record moves the log-density of w by at most

            epsilon_1 s + log(1 + k s (1 - s)),

        which is concave in s and has slope epsilon_1 - k at s = 1: if k <= epsilon_1, that is
        strength >= 1, its maximum over [0, 1] is epsilon_1. Removing it moves it by at most
        epsilon_1 s. The loss is epsilon_1, with nothing to pay for the Jacobian.

        *Add-remove, K > 2 classes.* The curvature is diag(p) - p p', of trace at most
        2 s - s^2 K / (K - 1) and rank K - 1, so the bound is

            epsilon_1 s + (K - 1) log(1 + k (2 s - s^2 K / (K - 1)) / (K - 1)),

        again concave, with its maximum at s = 1 if epsilon_1 >= 2 k / (K - 1), where it is below
        epsilon_1 + k (K - 2) / (K - 1). That sum is set to epsilon.

        *Replace.* A replacement is a removal and an addition, so everything runs at epsilon / 2.

        One thousandth of epsilon hides the solver's gap; see `SolverGap` for what is assumed of it,
        and for what is released if the solver fails: the anchor, with noise.

    References
    ----------
    The method follows K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), JMLR 12, Algorithm 2, with
    the bounds above in place of Theorem 9; K-norm noise is from M. Hardt, K. Talwar (2010), STOC,
    doi:10.1145/1806689.1806786

    Examples
    --------
    >>> mechanism = BlockObjective(epsilon=1, parts=(RowPart(kind="box", width=4),))
    >>> round(mechanism.regularization, 2)
    4.0
    """

    parts: tuple[RowPart, ...]
    n_classes: int = 2
    strength: float = 1.0
    anchor: FloatArray | None = None

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "objective perturbation with the concavity bound on gradient and Jacobian"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(2, None, n_classes=self.n_classes)
        _check.in_range(1, 1e9, strength=self.strength)
        if not self.parts:
            raise InvalidArgument("parts", self.parts, "at least one part")

    @property
    def epsilon_1(self) -> float:
        """What one record's gradient may cost."""
        steps = self.neighbors.pick(add_remove=1, replace=2)
        per_record = float(exact(self.epsilon) * (1 - GAP_SHARE)) / steps
        for_jacobian = (self.n_classes - 2) / (self.n_classes - 1) / self.strength
        return per_record / (1.0 + for_jacobian)

    @property
    def regularization(self) -> float:
        """The L that is used."""
        return self.strength * squared_radius(self.parts) / self.epsilon_1

    @property
    def dimension(self) -> int:
        """Number of columns."""
        return sum(part.width for part in self.parts)

    @property
    def n_vectors(self) -> int:
        """Number of weight vectors: one for two classes, else one per class."""
        return 1 if self.n_classes == 2 else self.n_classes

    @property
    def rate(self) -> float:
        """Rate of the noise, before it is shared among the parts."""
        return self.epsilon_1 / (1.0 if self.n_classes == 2 else 2.0)

    @cached_property
    def _laws(self) -> list[Law]:
        return [
            part.law(self.rate * share, self.n_classes)
            for part, share in zip(self.parts, shares(self.parts, self.n_classes), strict=True)
        ]

    @property
    def tilt_variances(self) -> FloatArray:
        """About the variance of the noise in one entry of each column, shape (d,)."""
        each = [
            np.full(part.width, law.variance / (part.width * self.n_vectors))
            for part, law in zip(self.parts, self._laws, strict=True)
        ]
        return np.concatenate(each)

    def log_density(self, tilt: FloatArray) -> float:
        """Log-density of the noise, shape (parameters,), up to a constant."""
        pieces = split_columns(tilt.reshape(self.n_vectors, self.dimension), self.parts)
        return sum(law.log_density(piece) for law, piece in zip(self._laws, pieces, strict=True))

    def objective(
        self, rows: Matrix, classes: IntArray, tilt: FloatArray
    ) -> BinaryObjective | SoftmaxObjective:
        """The tilted objective; rows of shape (n, d), classes of shape (n,).

        Entries are cut to a grid towards zero, which keeps a row in the set of its parts.
        """
        return _of_records((rows, classes), self.n_classes, self._penalty(tilt))

    def _penalty(self, tilt: FloatArray) -> Penalty:
        anchor = np.zeros_like(tilt) if self.anchor is None else self.anchor
        return Penalty(regularization=self.regularization, anchor=anchor, tilt=tilt)

    def _tilted(self, value: RowsOrPartitions, tilt: FloatArray) -> Objective:
        if isinstance(value, tuple):
            return self.objective(*value, tilt)
        # No tilt leaves for the workers: the penalty is added here.
        untilted = partial(_of_records, n_classes=self.n_classes, penalty=Penalty.none(tilt.size))
        return PartedObjective(value.turned(untilted).kept(), self._penalty(tilt))

    def draw(self, value: RowsOrPartitions, noise: NoiseSource) -> FloatArray:
        """Draw weights, shape (n_vectors, d), from rows of shape (n, d) and classes, shape (n,).

        Records may be in parts that stay where they are; see `PartedObjective` for why the gap of
        the solver is the same.
        """
        return self._solved(value, np.hstack([law.sample(noise) for law in self._laws]), noise)

    def without_noise(self, value: RowsOrPartitions) -> FloatArray:
        """The minimiser of the objective without a tilt; for simulations only."""
        return self._solved(value, np.zeros((self.n_vectors, self.dimension)), NoiseOff())

    def _solved(self, value: RowsOrPartitions, tilt: FloatArray, noise: NoiseSource) -> FloatArray:
        objective = self._tilted(value, tilt.ravel())
        gap = SolverGap(
            epsilon=exact(self.epsilon) * GAP_SHARE,
            regularization=self.regularization,
            n_classes=self.n_classes,
            radius=math.sqrt(squared_radius(self.parts)),
        )
        start = objective.penalty.anchor
        solution = minimise(objective, start, tolerance=gap.tolerance, radius=gap.radius)
        return gap.hide(solution, noise).reshape(self.n_vectors, self.dimension)


def _of_records(
    records: tuple[Matrix, IntArray], n_classes: int, penalty: Penalty
) -> BinaryObjective | SoftmaxObjective:
    rows, classes = on_grid(records[0]), records[1]
    if n_classes == 2:
        return BinaryObjective(rows, np.where(classes == 1, 1.0, -1.0), penalty)
    return SoftmaxObjective(rows, classes, n_classes, penalty)
