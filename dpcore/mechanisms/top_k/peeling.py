"""Choose one candidate after the other: exponential mechanism, or permute-and-flip."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.pure import PureMechanism
from dpcore.mechanisms.samplers import exponential_noise
from dpcore.mechanisms.top_k import TopChoice, largest
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, exact


@dataclass(frozen=True, kw_only=True)
class Exponential(PureMechanism):
    """Draw a candidate with probability proportional to measure * exp(rate * utility).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy loss of the choice; positive.
    sensitivity : float, default 1
        The largest change of any single utility between neighbours; positive.
    monotone : bool, default False
        True if between neighbours all utilities move in the same direction (add-remove counts do):
        the rate is then epsilon / sensitivity instead of half of it.
    neighbors : Neighbors, default add-remove
        The relation for which the caller argued `sensitivity` and `monotone`.
    log_measure : float array, shape (candidates,), optional
        Logarithm of a *public* weight per candidate, such as the width of an interval.

    Sensitivity
        Argued by the caller, per candidate (L-infinity).
    Privacy
        epsilon-DP. The weight of the chosen candidate moves by at most e^(rate * sensitivity) and
        so does the normalising sum; if all utilities move the same way, one of the two factors is
        at most 1. What rate and weights are rounded by is paid for with 2^-32 of epsilon.

    References
    ----------
    F. McSherry, K. Talwar (2007), Mechanism design via differential privacy, FOCS, Theorem 6.
    doi:10.1109/FOCS.2007.41

    Examples
    --------
    >>> round(Exponential(epsilon=1, monotone=True).rate, 9)
    1.0
    """

    sensitivity: _check.Positive = 1.0
    monotone: bool = False
    log_measure: FloatArray | None = None

    guarantee: ClassVar[Guarantee] = Guarantee.proven("McSherry and Talwar 2007, Theorem 6")

    @property
    def rate(self) -> float:
        """Factor of the utility in the exponent, per unit of utility."""
        left = self.left_by(exact(self.epsilon) / 2**32)
        return left / (self.sensitivity * (1 if self.monotone else 2))

    def log_weights(self, utilities: FloatArray) -> FloatArray:
        """Unnormalised log-probability of each candidate, shape (candidates,)."""
        values = np.asarray(utilities, dtype=np.float64)
        if values.ndim != 1 or values.size == 0:
            raise InvalidArgument("utilities", values.shape, "a vector of at least one candidate")
        measure = 0.0 if self.log_measure is None else self.log_measure
        # Counted from the largest: how far apart two are is rounded, not how large they are.
        with np.errstate(over="ignore"):
            apart: FloatArray = values - values.max()
            return self.rate * apart + measure

    def draw(self, value: FloatArray, noise: NoiseSource) -> int:
        """Draw the index of a candidate from its utilities, shape (candidates,)."""
        return self.draw_many(value, 1, noise)[0]

    def draw_many(self, value: FloatArray, times: int, noise: NoiseSource) -> list[int]:
        """Draw so many indices, each as `draw` does; together they cost so many times the loss."""
        log_weights = self.log_weights(value)
        return [noise.choose(log_weights) for _ in range(times)]


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

    def draw(self, value: FloatArray, noise: NoiseSource) -> IntArray:
        """Draw k positions, ascending, from utilities of shape (candidates,)."""
        cells = self.cells(value)
        noisy = cells + exponential_noise.gumbel_cells(self.cell_scale, cells.size, noise)
        return largest(noisy, np.arange(cells.size), self.k)


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
    far, drawn = exponential_noise.thinned_cells(scale, gap, ranked.size - _HEAD, noise)
    return np.append(near, _HEAD + far[drawn >= ranked[0] - ranked[_HEAD + far]])


def _flip(gaps: IntArray, scale: float, noise: NoiseSource) -> BoolArray:
    return exponential_noise.exponential_cells(scale, gaps.size, noise) >= gaps


def _some(size: int, noise: NoiseSource) -> IntArray:
    """Different random positions in random order, the first of a random permutation."""
    while True:
        drawn = (noise.uniform(_FIRST) * size).astype(np.int64)
        if len(set(drawn.tolist())) == drawn.size:
            return drawn
