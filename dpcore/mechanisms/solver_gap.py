"""Hide how far a numerical solution is from the exact minimiser that a proof speaks of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore._typing import FloatArray
from dpcore.noise import NoiseSource

# Share of epsilon that pays for the gap, and the gap that the solver must reach. At these the extra
# noise is thousands of times smaller than that of the objective perturbation itself.
GAP_SHARE = Fraction(1, 1000)
_GAP = 1e-8
_RESOLUTION_BITS = 10
_LARGEST_CELL = 2.0**62


@dataclass(frozen=True, kw_only=True)
class SolverGap:
    """Tiny noise on a fine grid that makes an approximate minimiser as private as the exact one.

    Parameters
    ----------
    epsilon : Fraction
        The part of the privacy loss that pays for it.
    regularization : float
        Strong convexity of the minimised function.

    Sensitivity
        A gradient of length t leaves the solution within t / regularization of the exact minimiser.
        Pair the runs on two neighbours that have the *same* exact minimiser: their solutions are
        then at most 2 t / regularization apart, sqrt(d) times that in L1, and rounding to the grid
        adds one cell per entry.
    Privacy
        Let p be the density of the exact minimiser, w its value, and e(w) the error of the solver,
        a function of the data and w. The output is w + e(w) + noise, so its probability is the
        integral of p(w) P(noise in S - w - e(w)); between neighbours the first factor moves by
        e^epsilon_objective and the second by e^epsilon_gap: the losses add. The grid also removes
        the low bits of the floating-point solution.

    Examples
    --------
    >>> SolverGap(epsilon=Fraction(1, 1000), regularization=4.0).tolerance
    2e-08
    """

    epsilon: Fraction
    regularization: float

    @property
    def tolerance(self) -> float:
        """Length of the gradient that the solver must reach; half of what the noise hides."""
        return self._hidden_gradient / 2.0

    @property
    def _hidden_gradient(self) -> float:
        # A weaker regularization than 1 would ask for gradients below rounding errors.
        return _GAP * max(self.regularization, 1.0)

    def reach(self, size: int) -> float:
        """Largest L1 distance between the solutions of two runs with the same exact minimiser."""
        return math.sqrt(size) * 2.0 * self._hidden_gradient / self.regularization

    def hide(self, solution: FloatArray, noise: NoiseSource) -> FloatArray:
        """Round to the grid and add noise, shape (d,)."""
        size = solution.size
        cell = 2.0 ** (math.floor(math.log2(self.reach(size) / size)) - _RESOLUTION_BITS)
        scale = (Fraction(self.reach(size)) / Fraction(cell) + size) / self.epsilon
        cells = np.clip(np.rint(solution / cell), -_LARGEST_CELL, _LARGEST_CELL)
        noisy = cells.astype(np.int64) + noise.discrete_laplace(scale, size)
        return noisy.astype(np.float64) * cell
