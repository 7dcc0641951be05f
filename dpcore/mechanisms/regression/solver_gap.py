"""Hide how far a numerical solution is from the exact minimiser that a proof speaks of."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore._typing import FloatArray
from dpcore.noise import NoiseSource

# Share of epsilon that pays for the gap, and the decrement that the solver must reach (times the
# root of the regularization, if that is above 1). At these the extra noise is thousands of times
# smaller than that of the objective perturbation itself.
GAP_SHARE = Fraction(1, 1000)

_DECREMENT = 4e-9

# Numbers of records for which the bound on rounding holds: up to 2^40.
_RECORD_BITS = 40

_UNIT_ROUNDOFF = 2.0**-53

_RESOLUTION_BITS = 10

_LARGEST_CELL = 2.0**62


@dataclass(frozen=True, kw_only=True)
class SolverGap:
    """Tiny noise on a fine grid that makes an approximate minimiser as private as the exact one.

    Parameters
    ----------
    epsilon
        The part of the privacy loss that pays for it.
    regularization
        Strong convexity L of the minimised function.
    n_classes
        K, of the logistic or softmax loss.
    radius : float, default 1
        R, the largest length of a row.

    Sensitivity
        `distance` bounds, from public numbers alone, how far a solution is from the exact
        minimiser. Pair the runs on two neighbours that have the *same* exact minimiser: their
        solutions are then at most twice that apart, sqrt(d) times that in L1, and rounding to the
        grid adds one cell per entry.

        *From decrement to distance.* The decrement of a point w is the length of the gradient in
        the norm of H^-1, H the second derivatives at w. Along a direction v they change by a factor
        of at most e^(t sqrt(2) R |v|), so a decrement z with sqrt(2) R z <= sqrt(L) / 4 leaves the
        minimiser within 1.17 z of w in the norm of H, and within 1.17 z / sqrt(L) in length.

        *Rounding.* Rows lie on a grid on which margins and sums of rows are exact
        (`exact_products`), in one place or in parts (`PartedObjective`), so that only residuals
        are rounded, each to within a few units of its own last place. A record whose residual is
        off by a share h adds at most h^2 (K - 1) to the squared decrement, because its curvature is
        as large as its residual: with
        h = (10 + K) 2^-53 that is a decrement of h sqrt((K - 1) n). The bound grows with the root
        of n only, and is used at n = 2^40 whatever n is. Residuals are cut at 2^-72, which adds
        2^-33 K R / sqrt(L). Weights, within sqrt(2 n log(K) / L) of their anchor but for the tilt,
        and the gradient of the penalty are rounded as numbers are, which adds
        2^-30 sqrt(log2(K)). Exaggerated labels (`BlockObjective`) add to a residual what is exact.
        Weights are then within n R (1 + g) / L <= n epsilon_1 / R of their anchor, so that the
        same is added for n epsilon_1 up to 2^23 R; they are exaggerated only where released sizes
        say that there are at most 640 records times epsilon per column.

        A gradient of doubles will do where it is short enough with all that it may be off by.
    Privacy
        Let p be the density of the exact minimiser, w its value, and e(w) the error of the solver,
        a function of the data and w. The output is w + e(w) + noise, so its probability is the
        integral of p(w) P(noise in S - w - e(w)); between neighbours the first factor moves by
        e^epsilon_objective and the second by e^epsilon_gap: the losses add. The grid also removes
        the low bits of the floating-point solution.

        Assumed: at most 2^40 records, and exponentials and tangents right to four units in the last
        place. The tolerance is then above what rounding adds, and `minimise` reaches it after
        finitely many steps, by a theorem and for all data. Should arithmetic be rougher than
        assumed, the centre of the penalty, a public point, takes the minimiser's place, and nothing
        else tells of it: no error, and the same noise.

    References
    ----------
    T. Sun, Q. Tran-Dinh (2019), Generalized self-concordant functions, Mathematical Programming
    178, for the change of the second derivatives. doi:10.1007/s10107-018-1282-4

    Examples
    --------
    >>> gap = SolverGap(epsilon=Fraction(1, 1000), regularization=4.0)
    >>> gap.tolerance, gap.distance < 1e-8
    (8e-09, True)
    """

    epsilon: Fraction
    regularization: float
    n_classes: int = 2
    radius: float = 1.0

    @property
    def tolerance(self) -> float:
        """The Newton decrement that the solver must reach."""
        return _DECREMENT * max(math.sqrt(self.regularization), 1.0)

    @property
    def rounding(self) -> float:
        """What rounding adds to the decrement at most, for up to 2^40 records."""
        share = (10 + self.n_classes) * _UNIT_ROUNDOFF
        residuals = share * math.sqrt((self.n_classes - 1) * 2.0**_RECORD_BITS)
        cut = 2.0**-33 * self.n_classes * self.radius / math.sqrt(self.regularization)
        return residuals + cut + 2.0**-30 * math.sqrt(math.log2(self.n_classes))

    @property
    def distance(self) -> float:
        """Largest Euclidean distance of a solution from the exact minimiser."""
        return 1.25 * (self.tolerance + self.rounding) / math.sqrt(self.regularization)

    def reach(self, size: int) -> float:
        """Largest L1 distance between the solutions of two runs with the same exact minimiser."""
        return math.sqrt(size) * 2.0 * self.distance

    def cell(self, size: int) -> float:
        """Width of the grid for so many entries: a power of two, far below the reach."""
        return 2.0 ** (math.floor(math.log2(self.reach(size) / size)) - _RESOLUTION_BITS)

    def scale(self, size: int) -> Fraction:
        """Scale of the noise in cells: reach and rounding, in L1, over epsilon."""
        return (Fraction(self.reach(size)) / Fraction(self.cell(size)) + size) / self.epsilon

    def hide(self, solution: FloatArray, noise: NoiseSource) -> FloatArray:
        """Round to the grid and add noise, shape (d,)."""
        cell = self.cell(solution.size)
        cells = np.clip(np.rint(solution / cell), -_LARGEST_CELL, _LARGEST_CELL)
        noisy = cells.astype(np.int64) + noise.discrete_laplace(
            self.scale(solution.size), solution.size
        )
        return noisy.astype(np.float64) * cell
