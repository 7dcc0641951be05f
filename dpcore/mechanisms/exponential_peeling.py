"""Choose several of many candidates by their private utilities, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.exponential_noise import gumbel_cells, tail_scale
from dpcore.mechanisms.noisy_top import largest
from dpcore.mechanisms.top_choice import TopChoice
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee
from dpcore.privacy.loss import exact


@dataclass(frozen=True, kw_only=True)
class ExponentialPeeling(TopChoice):
    """Apply the exponential mechanism k times, each time without the candidates chosen before.

    The k choices are drawn at once, as the k largest scores with Gumbel noise: the first of them is
    distributed as the first choice, the second as the next choice among the rest, and so on
    (Yellott 1977). The *set* is released.

    Parameters
    ----------
    epsilon, k, sensitivity, monotone, whole, neighbors
        As in `TopChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
    Privacy
        epsilon-DP. With exact real numbers each choice is `Exponential` with epsilon / k on the
        candidates that are left, and the losses add up. With the whole cells that are really drawn
        the proof of `OneShot` holds word for word: it needs of the noise that a shift of its tail
        by one step multiplies the tail by at most e^(epsilon / k), and speaks of the set alone.
        Hence the order of the choices is not released.

    References
    ----------
    F. McSherry, K. Talwar (2007), Mechanism design via differential privacy, FOCS, Theorem 6.
    doi:10.1109/FOCS.2007.41
    J. I. Yellott (1977), The relationship between Luce's choice axiom, Thurstone's theory of
    comparative judgment, and the double exponential distribution. doi:10.1016/0022-2496(77)90026-8

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> mechanism = ExponentialPeeling(epsilon=100, k=2, monotone=True)
    >>> mechanism.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0)).tolist()
    [1, 2]
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "McSherry and Talwar 2007, Theorem 6, composed k times"
    )

    @property
    def cell_scale(self) -> float:
        """By how many cells the chance of a low candidate falls by 1/e: the Gumbel scale."""
        return tail_scale(self.moves, exact(self.epsilon) / self.k)

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, ascending, from utilities of shape (candidates,)."""
        cells = self.cells(value)
        noisy = cells + gumbel_cells(self.cell_scale, cells.size, noise)
        return largest(noisy, np.arange(cells.size), self.k)
