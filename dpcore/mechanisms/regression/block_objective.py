"""Private logistic regression with noise shaped like the rows, and no price for the Jacobian."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.mechanisms.regression.exact_products import on_grid
from dpcore.mechanisms.regression.logistic_objective import (
    BinaryObjective,
    Objective,
    Penalty,
    SoftmaxObjective,
)
from dpcore.mechanisms.regression.newton import minimise
from dpcore.mechanisms.regression.parted_objective import (
    Law,
    OnGrid,
    PartedObjective,
    Repeated,
    RowPart,
    RowsOrPartitions,
    laws,
    squared_radius,
)
from dpcore.mechanisms.regression.solver_gap import GAP_SHARE, SolverGap
from dpcore.mechanisms.regression.tables import Rows
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.privacy import Guarantee, exact

# A penalty that is lighter still drowns in rounding, and the search for a minimum has no end.
_MOST_EPSILON = Fraction(2**30)

# Residuals are then exact (`BinaryObjective`).
_EXAGGERATION_STEP, _MOST_EXAGGERATED = 1.0 / 16.0, 3.0


@dataclass(frozen=True, kw_only=True)
class BlockObjective(PureMechanism):
    """Minimise a logistic loss that was tilted by block-wise noise.

    It releases the minimiser of

        sum_i loss(W x_i, class_i) + (L / 2) |W - anchor|^2 + <B, W>

    where loss is log(1 + exp(-y w.x)) - g_c y w.x for two classes, g_c the exaggeration of the
    record's class and y its sign, and -log softmax for more. The log-density of
    B is -rate * sum_k sum_j share_j * norm_j(B_kj): norm_j is the largest entry over the columns of
    a box, and the sum of absolute entries (by the number of ones) over a one-hot or word block.
    One-hot blocks of similar size have one norm together: the most that the positive entries of one
    of them add up to, plus the most of negative ones (`SignedBlocks`); for more than two classes
    they have what pairs of classes, or classes, add of such noise (`ContrastsOfBlocks`). For
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
        L is strength * R^2 / epsilon_1, with R the largest row length; 1 + the larger exaggeration
        or more (see Privacy).
    exaggeration : tuple of float, default (0, 0)
        g_0 and g_1, for two classes: sixteenths, up to 3. The labels 0 and 1 of a logistic
        regression become -g_0 and 1 + g_1. With g the larger one, records then say
        (1 + g_0 + g_1) / (1 + g) times as much per unit of noise where scores are small, and scores
        are 1 + g_0 + g_1 times as far apart; large ones say little.
    anchor : float array, shape (parameters,), optional
        Public centre of the penalty; zeros if left out. Parameters: d for two classes, K d for K.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Argued by the caller: every row lies in the set that `parts` describe. One record's gradient
        is then the row times a residual r, one number of size s + g_c, s = 1 - p(class), for two
        classes and p - e(class) for K, whose absolute entries add up to 2 s. With g the larger of
        g_0 and g_1 its norm is therefore at most s + g for two classes and 2 s for K; the noise
        rate is epsilon_1 / (1 + g) or epsilon_1 / 2, so the log-density of B moves by at most
        rate * (s + g) or epsilon_1 * s.
    Privacy
        *Add-remove, two classes.* The curvature of one record is s (1 - s), so the Jacobian of the
        map from b to w moves by a factor between 1 and 1 + k s (1 - s), k = R^2 / L. Adding the
        record moves the log-density of w by at most

            rate (s + g) + log(1 + k s (1 - s)),    rate = epsilon_1 / (1 + g),

        which is concave in s and has slope rate - k at s = 1: if k <= rate, that is
        strength >= 1 + g, its maximum over [0, 1] is epsilon_1. Removing it moves it by at most
        rate (s + g). The loss is epsilon_1, with nothing to pay for the Jacobian.

        *Add-remove, K > 2 classes.* The curvature is diag(p) - p p', of trace at most
        2 s - s^2 K / (K - 1) and rank K - 1, so the bound is

            epsilon_1 s + (K - 1) log(1 + k (2 s - s^2 K / (K - 1)) / (K - 1)),

        again concave, with its maximum at s = 1 if epsilon_1 >= 2 k / (K - 1), where it is below
        epsilon_1 + k (K - 2) / (K - 1). That sum is set to epsilon.

        *Replace.* A replacement is a removal and an addition, so everything runs at epsilon / 2.

        One thousandth of epsilon hides the solver's gap; see `SolverGap` for what is assumed of it,
        and for what is released if the solver fails: the anchor, with noise.

        The noise is made of doubles from 52-bit uniforms; that they are not real numbers is a risk
        that remains, as with every continuous law here.

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
    exaggeration: tuple[float, float] = (0.0, 0.0)
    anchor: FloatArray | None = None

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "objective perturbation with the concavity bound on gradient and Jacobian"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(2, None, n_classes=self.n_classes)
        most = _MOST_EXAGGERATED if self.n_classes == 2 else 0
        for exaggeration in self.exaggeration:
            _check.in_range(0, most, exaggeration=exaggeration)
            if exaggeration % _EXAGGERATION_STEP:
                raise InvalidArgument("exaggeration", exaggeration, "a multiple of a sixteenth")
        _check.in_range(1 + max(self.exaggeration), 1e9, strength=self.strength)
        if not self.parts:
            raise InvalidArgument("parts", self.parts, "at least one part")

    @property
    def epsilon_1(self) -> float:
        """What one record's gradient may cost: of an epsilon beyond 2^30 no more than of that."""
        per_record = float(min(self.per_record, _MOST_EPSILON) * (1 - GAP_SHARE))
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
        return self.epsilon_1 / (1.0 + max(self.exaggeration) if self.n_classes == 2 else 2.0)

    @cached_property
    def _laws(self) -> list[tuple[IntArray, Law]]:
        return laws(self.parts, self.rate, self.n_classes)

    @property
    def tilt_variances(self) -> FloatArray:
        """About the variance of the noise in one entry of each column, shape (d,)."""
        found = np.empty(self.dimension)
        for columns, law in self._laws:
            found[columns] = law.column_variances / self.n_vectors
        return found

    def log_density(self, tilt: FloatArray) -> float:
        """Log-density of the noise, shape (parameters,), up to a constant; NaN if none is known."""
        matrix = tilt.reshape(self.n_vectors, self.dimension)
        return sum(law.log_density(matrix[:, columns]) for columns, law in self._laws)

    def _tilt(self, noise: NoiseSource) -> FloatArray:
        """Noise of that density, shape (n_vectors, d)."""
        tilt = np.empty((self.n_vectors, self.dimension))
        for columns, law in self._laws:
            tilt[:, columns] = law.sample(noise)
        return tilt

    def objective(
        self, rows: Rows, classes: IntArray, tilt: FloatArray
    ) -> BinaryObjective | SoftmaxObjective:
        """The tilted objective; rows of shape (n, d), classes of shape (n,).

        Entries are cut to a grid towards zero, which keeps a row in the set of its parts.
        """
        return self._of((rows, classes), self._penalty(tilt))

    def _penalty(self, tilt: FloatArray) -> Penalty:
        anchor = np.zeros_like(tilt) if self.anchor is None else self.anchor
        return Penalty(regularization=self.regularization, anchor=anchor, tilt=tilt)

    def _tilted(self, value: RowsOrPartitions, tilt: FloatArray) -> Objective:
        if isinstance(value, tuple):
            return self._of(value, self._penalty(tilt))
        # No tilt leaves for the workers: the penalty is added here.
        untilted = partial(self._of, penalty=Penalty.none(tilt.size))
        return PartedObjective(value.turned(untilted).kept(), self._penalty(tilt))

    def _of(
        self, records: tuple[Rows, IntArray], penalty: Penalty
    ) -> BinaryObjective | SoftmaxObjective:
        rows = records.on_grid if isinstance(records, OnGrid) else on_grid(records[0])
        classes = records[1]
        if self.n_classes == 2:
            signs = 2.0 * (classes == 1) - 1.0
            return BinaryObjective(rows, signs, penalty, self.exaggeration)
        return SoftmaxObjective(rows, classes, self.n_classes, penalty)

    def draw(self, value: RowsOrPartitions, noise: NoiseSource) -> FloatArray:
        """Draw weights, shape (n_vectors, d), from rows of shape (n, d) and classes, shape (n,).

        Records may be in parts that stay where they are; see `PartedObjective` for why the gap of
        the solver is the same.
        """
        return self._solved(value, self._tilt(noise), noise)

    def without_noise(self, value: RowsOrPartitions) -> FloatArray:
        """The minimiser of the objective without a tilt; for simulations only."""

        def solved() -> FloatArray:
            return self._solved(value, np.zeros((self.n_vectors, self.dimension)), NoiseOff())

        if not isinstance(value, Repeated):
            return solved()
        anchor = None if self.anchor is None else self.anchor.tobytes()
        return value.common.of((self.regularization, self.exaggeration, anchor), solved)

    def _solved(self, value: RowsOrPartitions, tilt: FloatArray, noise: NoiseSource) -> FloatArray:
        objective = self._tilted(value, tilt.ravel())
        gap = SolverGap(
            epsilon=exact(self.epsilon) * GAP_SHARE,
            regularization=self.regularization,
            n_classes=self.n_classes,
            radius=math.sqrt(squared_radius(self.parts)),
        )
        start = objective.penalty.anchor
        common = value.common if isinstance(value, Repeated) and noise.simulated else None
        solution = minimise(
            objective, start, tolerance=gap.tolerance, radius=gap.radius, common=common
        )
        return gap.hide(solution, noise).reshape(self.n_vectors, self.dimension)
