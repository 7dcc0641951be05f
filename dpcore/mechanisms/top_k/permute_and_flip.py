"""Choose several candidates one after the other, each by permute-and-flip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.mechanisms.samplers.exponential_noise import (
    exponential_cells,
    tail_scale,
    thinned_cells,
)
from dpcore.mechanisms.top_k.choice import TopChoice
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee
from dpcore.privacy.loss import exact

# So many coins are flipped before all others at once, where so many more are about to show heads.
_FIRST = 128

_HEAD = 8 * _FIRST


@dataclass(frozen=True, kw_only=True)
class PermuteAndFlip(TopChoice):
    """Apply permute-and-flip k times, each time without the candidates chosen before.

    One choice goes through the candidates in random order and takes the first whose coin comes up
    heads; the coin of candidate i does with probability exp(-(max q - q_i) / scale).

    Parameters
    ----------
    epsilon, k, sensitivity, monotone, whole, neighbors
        As in `TopChoice`.

    Sensitivity
        Argued by the caller, per candidate (L-infinity); see `FixedPoint` for the grid.
    Privacy
        Each choice costs epsilon / k: it has the law of the largest score with exponential noise
        (the coins say whose noise reaches the largest score, and by how much it does is again
        exponential, the same for all), which is `OneShot` with k = 1. The choices are released in
        order, so the losses add up.

    Notes
    -----
    A coin is an exponential draw, compared with the gap. What its chances are off by in double
    precision is paid for: see `exponential_noise.tail_scale`. Which of several heads comes first is
    read off one 52-bit uniform, so that each of h heads is as likely as another up to h / 2^52.

    References
    ----------
    R. McKenna, D. Sheldon (2020), Permute-and-flip: a new mechanism for differentially private
    selection, NeurIPS 33. arXiv:2010.12603

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> mechanism = PermuteAndFlip(epsilon=100, k=2, monotone=True)
    >>> mechanism.draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0)).tolist()
    [1, 2]
    """

    guarantee: ClassVar[Guarantee] = Guarantee.proven(
        "McKenna and Sheldon 2020, permute-and-flip, composed k times"
    )

    @property
    def cell_scale(self) -> float:
        """By how many cells below the largest score the chance of heads falls by 1/e."""
        return tail_scale(self.moves, exact(self.epsilon) / self.k)

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, in the order of choice, from scores of shape (candidates,)."""
        cells = self.cells(value)
        positions = np.argsort(-cells, kind="stable")
        ranked, scale = cells[positions], self.cell_scale
        chosen = np.zeros(self.k, dtype=np.int64)
        for step in range(self.k):
            place = _choose(ranked, scale, noise)
            chosen[step] = positions[place]
            # The gap is closed from the front, where the chosen ones mostly are.
            ranked[1 : place + 1], positions[1 : place + 1] = ranked[:place], positions[:place]
            ranked, positions = ranked[1:], positions[1:]
        return chosen


def _choose(ranked: IntArray, scale: float, noise: NoiseSource) -> int:
    """One choice by permute-and-flip among cells in falling order."""
    first = np.zeros(0, dtype=np.int64)
    if ranked.size > _HEAD and ranked[0] - ranked[_HEAD] < scale:
        first = _some(ranked.size, noise)
        heads = np.flatnonzero(_flip(ranked[0] - ranked[first], scale, noise))
        if heads.size:
            return int(first[heads[0]])
    # The first heads in a random order is any of the heads; those flipped before showed tails.
    # The largest always shows heads, so there is one.
    heads = _heads(ranked, scale, noise)
    if first.size:
        heads = np.setdiff1d(heads, first)
    return int(heads[int(noise.uniform(1)[0] * heads.size)])


def _heads(ranked: IntArray, scale: float, noise: NoiseSource) -> IntArray:
    """Places of all candidates whose coin comes up heads; low scores are thinned, not flipped."""
    near = np.flatnonzero(_flip(ranked[0] - ranked[:_HEAD], scale, noise))
    if ranked.size <= _HEAD:
        return near
    gap = float(ranked[0] - ranked[_HEAD])
    far, drawn = thinned_cells(scale, gap, ranked.size - _HEAD, noise)
    return np.append(near, _HEAD + far[drawn >= ranked[0] - ranked[_HEAD + far]])


def _flip(gaps: IntArray, scale: float, noise: NoiseSource) -> BoolArray:
    return exponential_cells(scale, gaps.size, noise) >= gaps


def _some(size: int, noise: NoiseSource) -> IntArray:
    """Different random positions in random order, the first of a random permutation."""
    while True:
        drawn = (noise.uniform(_FIRST) * size).astype(np.int64)
        if len(set(drawn.tolist())) == drawn.size:
            return drawn
