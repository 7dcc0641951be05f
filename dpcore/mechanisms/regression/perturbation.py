"""Private logistic regression as published in 2011: noise on the objective, or on the minimiser."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms.pure import PureMechanism
from dpcore.mechanisms.regression.exact_products import on_grid
from dpcore.mechanisms.regression.logistic_objective import BinaryObjective, Penalty
from dpcore.mechanisms.regression.newton import minimise
from dpcore.mechanisms.regression.solver_gap import GAP_SHARE, SolverGap
from dpcore.mechanisms.samplers.norm_noise import GammaSphere
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.privacy import Guarantee, exact
from dpcore.schema.space import Matrix

# A lighter penalty drowns in rounding, and the search for a minimum has no end.
LEAST_REGULARIZATION = 2.0**-30

# Largest second derivative of log(1 + exp(-z)): the "c" of the paper.
_CURVATURE = 0.25


@dataclass(frozen=True, kw_only=True)
class _Perturbation(PureMechanism, ABC):
    """What both have: rows in the unit ball, a penalty, and a vector of Gamma length."""

    regularization: Annotated[float, partial(_check.in_range, LEAST_REGULARIZATION, math.inf)]

    # Whether the vector tilts the objective; else it moves the minimiser.
    _tilts: ClassVar[bool]

    @property
    def effective_regularization(self) -> float:
        """The L that is used."""
        return self.regularization

    @property
    @abstractmethod
    def rate(self) -> float:
        """Rate of the noise vector: its length has mean d / rate."""

    @property
    def _epsilon_without_gap(self) -> float:
        return float(exact(self.epsilon) * (1 - GAP_SHARE))

    def objective(self, rows: Matrix, signs: FloatArray, tilt: FloatArray) -> BinaryObjective:
        """The tilted objective; rows of shape (n, d), signs of shape (n,), tilt of shape (d,).

        Entries are cut to a grid towards zero, which makes no row longer.
        """
        penalty = Penalty(
            regularization=self.effective_regularization, anchor=np.zeros_like(tilt), tilt=tilt
        )
        return BinaryObjective(on_grid(rows), signs, penalty)

    def draw(self, value: tuple[Matrix, FloatArray], noise: NoiseSource) -> FloatArray:
        """Draw the weights, shape (d,), from rows of shape (n, d) and signs of shape (n,)."""
        law = GammaSphere(rate=self.rate, dimension=value[0].shape[1])
        return self._released(value, law.sample(noise), noise)

    def without_noise(self, value: tuple[Matrix, FloatArray]) -> FloatArray:
        """The minimiser of the objective without a tilt; for simulations only."""
        return self._released(value, np.zeros(value[0].shape[1]), NoiseOff())

    def _released(
        self, value: tuple[Matrix, FloatArray], vector: FloatArray, noise: NoiseSource
    ) -> FloatArray:
        """The minimiser of the objective that the vector tilts, or moved by the vector."""
        nothing = np.zeros_like(vector)
        tilt, shift = (vector, nothing) if self._tilts else (nothing, vector)
        gap = SolverGap(
            epsilon=exact(self.epsilon) * GAP_SHARE, regularization=self.effective_regularization
        )
        objective = self.objective(*value, tilt)
        solution = minimise(objective, nothing, tolerance=gap.tolerance, radius=gap.radius)
        return gap.hide(solution + shift, noise)


@dataclass(frozen=True, kw_only=True)
class ObjectivePerturbation(_Perturbation):
    """Minimise a logistic loss that was tilted by a random vector.

    With rows x in the unit ball and signs y, it releases the minimiser of

        sum_i log(1 + exp(-y_i w.x_i)) + (L / 2) |w|^2 + b.w,      density of b ~ exp(-rate |b|).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss; positive.
    regularization : float
        Asked for L of the *sum* (the paper's n times Lambda); 2^-30 or more, and public. The
        paper's rule raises it where epsilon would not cover it: see `effective_regularization`.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Argued by the caller: every row has Euclidean length at most 1. Then, for one record,

        - the gradient of its loss has length at most |l'| <= 1, and
        - the matrix of its second derivatives is l'' x x', of rank one and norm at most c = 1/4.

        *Add-remove.* The record appears in one of the two sums only, so for the same minimiser w
        the vectors b differ by one gradient (length <= 1), and the Jacobians det(A) and
        det(A + l'' x x') by the factor 1 + l'' x' A^-1 x, which lies between 1 and 1 + c / L.

        *Replace.* One gradient leaves and another comes (length <= 2). With A of the records that
        stay, the Jacobians are two numbers between det(A) and (1 + c / L) det(A), so their ratio
        is at most 1 + c / L. This is the paper's case, with L = n Lambda; it allows for the square
        of that, because it bounds both eigenvalues of the change, of which one falls.
    Privacy
        The map from b to w is one to one, so the density of w is that of b times the Jacobian, and
        its log moves by at most rate * (1 or 2) + log(1 + c / L). The rule of the paper sets the
        rate to what epsilon leaves; if nothing is left it takes L so large that the Jacobian costs
        half of epsilon. Neither needs the number of records: the sum form is what
        makes the calibration hold under add-remove, where n is private. One thousandth of epsilon
        hides the gap between the numerical and the exact minimiser; see `SolverGap` for what is
        assumed of the solver, and for what is released if it fails: zeros, with noise.

        The noise is made of doubles from 52-bit uniforms; that they are not real numbers is a risk
        that remains, as with every continuous law here.

    References
    ----------
    K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), Differentially private empirical risk
    minimization, JMLR 12, Algorithm 2 and Theorem 9. arXiv:0912.0071

    Examples
    --------
    >>> round(ObjectivePerturbation(epsilon=1, regularization=2.0).rate, 3)
    0.881
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Chaudhuri et al. 2011, Theorem 9")
    _tilts: ClassVar[bool] = True

    @property
    def effective_regularization(self) -> float:
        """The L that is used: as asked for, or raised by the paper's rule."""
        if math.log1p(_CURVATURE / self.regularization) < self._epsilon_without_gap:
            return self.regularization
        return _CURVATURE / math.expm1(self._epsilon_without_gap / 2)

    @property
    def rate(self) -> float:
        """Rate of the noise vector, from what the Jacobian leaves: its length has mean d / rate."""
        for_jacobian = math.log1p(_CURVATURE / self.effective_regularization)
        return (self._epsilon_without_gap - for_jacobian) / self.neighbors.steps


@dataclass(frozen=True, kw_only=True)
class OutputPerturbation(_Perturbation):
    """Minimise a regularised logistic loss, then add noise to the minimiser.

    With rows x in the unit ball and signs y, it releases w + b, where w minimises

        sum_i log(1 + exp(-y_i w.x_i)) + (L / 2) |w|^2,      density of b ~ exp(-rate |b|).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss; positive.
    regularization : float
        L of the *sum* (the paper's n times Lambda); 2^-30 or more, and public.
    neighbors : Neighbors, default add-remove

    Sensitivity
        Argued by the caller: every row has Euclidean length at most 1. The gradient of a record's
        loss then has length at most |l'| < 1, and the sum without it is L-strongly convex.

        *Add-remove.* Let w minimise F, and w' minimise F + g. Then grad F(w') = -grad g(w'), and
        by strong convexity L |w - w'| <= |grad F(w') - grad F(w)| = |grad g(w')| <= 1. So the
        minimiser moves by at most 1 / L (the paper's Lemma 7).

        *Replace.* Two such moves: 2 / L, which is 2 / (n Lambda), the paper's Corollary 8.
    Privacy
        The rate is epsilon_1 * L / (1 or 2), so shifting the centre by the sensitivity changes the
        density by at most e^epsilon_1. One thousandth of epsilon hides the gap between the
        numerical and the exact minimiser, and puts the result on a grid; see `SolverGap`.

        The noise is made of doubles from 52-bit uniforms; that they are not real numbers is a risk
        that remains, as with every continuous law here.

    References
    ----------
    K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), Differentially private empirical risk
    minimization, JMLR 12, Algorithm 1, Lemma 7 and Theorem 6. arXiv:0912.0071

    Examples
    --------
    >>> round(OutputPerturbation(epsilon=1, regularization=2.0).rate, 3)
    1.998
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Chaudhuri et al. 2011, Theorem 6")
    _tilts: ClassVar[bool] = False

    @property
    def rate(self) -> float:
        """Rate of the noise vector: its length has mean d / rate."""
        return self._epsilon_without_gap * self.regularization / self.neighbors.steps
