"""Choose several candidates at once by noisy score, without revealing their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.samplers.exponential_noise import tail_scale
from dpcore.mechanisms.top_k.choice import NoisyTop, TopChoice
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee
from dpcore.privacy.loss import exact


@dataclass(frozen=True, kw_only=True)
class OneShot(TopChoice):
    """Add exponential noise to every score and release the *set* of the k largest.

    Parameters
    ----------
    epsilon, k, sensitivity, monotone, whole, neighbors
        As in `TopChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
    Privacy
        epsilon-DP. Let M be the largest noisy score of the candidates outside of a set S, with its
        position to break ties. S comes out if all of its scores beat M, so
        P(S) = E_M[product over i in S of P(Z >= M - q_i)], each tail exponential with scale b.
        Raising the scores in S by up to one step multiplies P(S) by something between 1 and
        e^(k/b). Raising the others by up to one step raises M by at most one step and multiplies
        P(S) by something between e^(-k/b) and 1. Monotone scores do both or the opposite of both,
        so b = k steps / epsilon is enough; in general one may rise and the other fall, and b is
        twice that. The argument uses the tail of Z only, as it is really drawn (`tail_scale`).

    References
    ----------
    The proof above is the project's own; for k = 1 the mechanism is permute-and-flip: Z. Ding,
    D. Kifer, S. M. Saghaian N. E., T. Steinke, Y. Wang, Y. Xiao, D. Zhang (2021), The
    permute-and-flip mechanism is identical to report-noisy-max with exponential noise.
    arXiv:2105.07260

    Examples
    --------
    >>> from fractions import Fraction
    >>> OneShot(epsilon=Fraction(1, 2), k=3, monotone=True, whole=True).scale
    6.00000...
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven("OneShot, proof under Privacy")

    @property
    def cell_scale(self) -> float:
        """Mean of the noise in cells of the grid."""
        return tail_scale(self.moves, exact(self.epsilon) / self.k)

    @property
    def scale(self) -> float:
        """Mean of the noise in units of the scores."""
        return self.cell_scale * self.grid.cell

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, ascending, from scores of shape (candidates,)."""
        return self.draw_many(value, 1, noise)[0]

    def draw_many(self, value: FloatArray, times: int, noise: NoiseSource) -> list[IntArray]:
        """Draw so many sets, each as `draw` does; together they cost so many times the loss."""
        cells, scale = self.grid.of(value), self.cell_scale
        return [NoisyTop(cells, self.k).take(self.k, scale, noise) for _ in range(times)]
