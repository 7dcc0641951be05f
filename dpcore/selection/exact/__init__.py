"""Exact output probabilities of the sparse vector variants, and what they lose: no noise is drawn.

These are functions of public example scores, for tests, the audit and teaching; none of them is a
release.
"""

from dataclasses import dataclass

import numpy as np

from dpcore import _check
from dpcore.privacy import Number
from dpcore.selection.exact.laws import Asked, Comparisons, log_probability
from dpcore.selection.exact.one_round import passing_law

__all__ = ["Counterexample", "counterexample", "passing_law"]


@dataclass(frozen=True)
class Counterexample:
    """What two neighbours say to the same answer.

    Parameters
    ----------
    comparisons : Comparisons
        The variant, with the epsilon that it `declared`.
    here, there : tuple of Asked
        The same answers to the scores of both data sets.
    log_here, log_there : float
        Logarithms of their probabilities, or densities if an answer is a number.
    """

    comparisons: Comparisons
    here: tuple[Asked, ...]
    there: tuple[Asked, ...]
    log_here: float
    log_there: float

    @property
    def loss(self) -> float:
        """Absolute log-ratio; infinite if only one data set can give the answer."""
        if np.isneginf(self.log_here) != np.isneginf(self.log_there):
            return float("inf")
        return abs(self.log_here - self.log_there)


def counterexample(
    algorithm: int,
    *,
    epsilon: Number,
    cutoff: int = 1,
    monotone: bool = False,
    size: int = 1_000_000,
    ratio: str = "1:1",
) -> Counterexample:
    """The neighbours on which an algorithm loses most, with exact probabilities of both.

    For Algorithms 1, 2, 4 and 7: `size` questions fail, whose scores rise from 0 to 1, and c pass,
    whose scores fall; the loss tends to what the variant truly costs as `size` grows. Algorithm 3:
    the same with one success that is answered by the number 0. Algorithm 5: scores (-1, 0) against
    (0, 0). Algorithm 6: as many pass as fail. Scores are less the threshold; monotone ones never
    fall.

    Parameters
    ----------
    algorithm : int
        1 to 7.
    epsilon : int, float, str or Fraction
        The published one.
    cutoff : int, default 1
    monotone : bool, default False
        Whether all scores move in the same direction.
    size : int, default 1000000
        How many questions fail (and pass, for Algorithm 6).
    ratio : str, default "1:1"
        Of Algorithm 7.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 3 and appendix. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> round(counterexample(6, epsilon=1, size=20).loss, 1)
    17.1
    >>> counterexample(5, epsilon=1).loss
    inf
    """
    _check.integer_in_range(1, None, size=size)
    comparisons = Comparisons.of(
        algorithm, epsilon=epsilon, cutoff=cutoff, monotone=monotone, ratio=ratio
    )
    here, there = _questions(comparisons, size, fall=0.0 if monotone else 1.0)
    logs = (log_probability(comparisons, side) for side in (here, there))
    return Counterexample(comparisons, here, there, *logs)


def _questions(
    comparisons: Comparisons, size: int, fall: float
) -> tuple[tuple[Asked, ...], tuple[Asked, ...]]:
    fails = Asked(0.0, False, size), Asked(1.0, False, size)
    if comparisons.algorithm == 3:
        return (fails[0], Asked(fall, True, 1, 0.0)), (fails[1], Asked(0.0, True, 1, 0.0))
    if comparisons.algorithm == 5:
        return (Asked(-1.0, False), Asked(0.0, True)), (Asked(0.0, False), Asked(0.0, True))
    if comparisons.algorithm == 6:
        return (fails[0], Asked(fall, True, size)), (fails[1], Asked(0.0, True, size))
    # So far below that each success needs the tail of its noise.
    low = -20.0 * comparisons.query_scale
    if comparisons.refresh:
        runs = comparisons.cutoff
        return (fails[0], Asked(low, True)) * runs, (fails[1], Asked(low - fall, True)) * runs
    passes = Asked(low, True, comparisons.cutoff), Asked(low - fall, True, comparisons.cutoff)
    return (fails[0], passes[0]), (fails[1], passes[1])
