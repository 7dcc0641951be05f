"""Private logistic regression by noise on the minimiser, as published in 2011."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms.exact_products import on_grid
from dpcore.mechanisms.gamma_sphere import GammaSphere
from dpcore.mechanisms.logistic_objective import BinaryObjective, Penalty
from dpcore.mechanisms.newton import minimise
from dpcore.mechanisms.solver_gap import GAP_SHARE, SolverGap
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.privacy.loss import exact
from dpcore.schema.matrix import Matrix


@dataclass(frozen=True, kw_only=True)
class OutputPerturbation:
    """Minimise a regularised logistic loss, then add noise to the minimiser.

    With rows x in the unit ball and signs y, it releases w + b, where w minimises

        sum_i log(1 + exp(-y_i w.x_i)) + (L / 2) |w|^2,      density of b ~ exp(-rate |b|).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss; positive.
    regularization : float
        L of the *sum* (the paper's n times Lambda); positive and public.
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

    References
    ----------
    K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), Differentially private empirical risk
    minimization, JMLR 12, Algorithm 1, Lemma 7 and Theorem 6. arXiv:0912.0071

    Examples
    --------
    >>> round(OutputPerturbation(epsilon=1, regularization=2.0).rate, 3)
    1.998
    """

    epsilon: int | float | str | Fraction
    regularization: float
    neighbors: Neighbors = Neighbors.ADD_REMOVE

    guarantee: ClassVar[Guarantee] = Guarantee.proven("Chaudhuri et al. 2011, Theorem 6")

    def __post_init__(self) -> None:
        _check.positive(epsilon=exact(self.epsilon), regularization=self.regularization)

    @property
    def loss(self) -> Loss:
        """The privacy loss of the release."""
        return Loss(self.epsilon)

    @property
    def rate(self) -> float:
        """Rate of the noise vector: its length has mean d / rate."""
        steps = self.neighbors.pick(add_remove=1, replace=2)
        return float(exact(self.epsilon) * (1 - GAP_SHARE)) * self.regularization / steps

    def objective(self, rows: Matrix, signs: FloatArray) -> BinaryObjective:
        """The objective; rows of shape (n, d), signs of shape (n,).

        Entries are cut to a grid towards zero, which makes no row longer.
        """
        still = np.zeros(rows.shape[1])
        penalty = Penalty(regularization=self.regularization, anchor=still, tilt=still)
        return BinaryObjective(on_grid(rows), signs, penalty)

    def draw(self, value: tuple[Matrix, FloatArray], noise: NoiseSource) -> FloatArray:
        """Draw the weights, shape (d,), from rows of shape (n, d) and signs of shape (n,)."""
        law = GammaSphere(rate=self.rate, dimension=value[0].shape[1])
        return self._moved(value, law.sample(noise), noise)

    def without_noise(self, value: tuple[Matrix, FloatArray]) -> FloatArray:
        """The minimiser itself; for simulations only."""
        return self._moved(value, np.zeros(value[0].shape[1]), NoiseOff())

    def _moved(
        self, value: tuple[Matrix, FloatArray], by: FloatArray, noise: NoiseSource
    ) -> FloatArray:
        rows, signs = value
        gap = SolverGap(epsilon=exact(self.epsilon) * GAP_SHARE, regularization=self.regularization)
        start = np.zeros(rows.shape[1])
        objective = self.objective(rows, signs)
        solution = minimise(objective, start, tolerance=gap.tolerance, radius=gap.radius)
        return gap.hide(solution + by, noise)
