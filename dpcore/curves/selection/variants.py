"""The published selection algorithms side by side: what they draw, and what they truly lose."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from dpcore._numbers import short
from dpcore._typing import FloatArray
from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS, PublishedClusters
from dpcore.privacy import Guarantee
from dpcore.selection import selectors
from dpcore.selection.exact import counterexample
from dpcore.selection.exact.laws import Asked, Comparisons
from dpcore.selection.exact.one_round import accepted, only_the_second
from dpcore.selection.run import ALGORITHMS

# Which of two features is in which cluster is exact.
_TWO, _CENTRES, _BAR = (6.0, 7.0), ((3.0,), (10.0,)), 5.0

# A feature that crosses over carries its whole count to another cluster.
_ZEROS, _COUNT = 50, 1000.0

_CROSSING, _LOW_BAR = ((0.0,), (2 * _COUNT + 1,)), 50.0


@dataclass(frozen=True, eq=False)
class ClusterOdds:
    """Exact probabilities in one round, each of shape (epsilons,).

    Parameters
    ----------
    epsilons
        What is claimed.
    alone
        That of features with counts 6 and 7 the second is selected alone. With counts 6 and 6 it
        never is.
    above, below
        That a feature of count 1001 and of count 1000 is selected, beside 50 features of count 0.
    """

    epsilons: FloatArray
    alone: FloatArray
    above: FloatArray
    below: FloatArray

    @property
    def loss(self) -> FloatArray:
        """Of the second example; that of the first is infinite."""
        return np.log(self.above) - np.log(self.below)


def cluster_odds(epsilons: Sequence[Fraction]) -> ClusterOdds:
    """Follow both examples as epsilon grows.

    Parameters
    ----------
    epsilons
        What one round of the published method claims.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Section 3.3. arXiv:1411.5428

    Examples
    --------
    >>> found = cluster_odds([Fraction(1)])
    >>> found.alone.round(3).tolist(), found.above.round(3).tolist()
    ([0.295], [1.0])
    >>> bool(found.below[0] < 1e-7)
    True
    """
    rows = np.array([_at(epsilon) for epsilon in epsilons]).reshape(-1, 3)
    return ClusterOdds(np.array([float(one) for one in epsilons]), *rows.T)


def _at(epsilon: Fraction) -> tuple[float, float, float]:
    near, far = (
        PublishedClusters(epsilon=epsilon, centres=np.array(centres), rounds=1)
        for centres in (_CENTRES, _CROSSING)
    )
    zeros = np.zeros((_ZEROS, 1))
    one_more, one_less = (np.vstack([zeros, [[count]]]) for count in (_COUNT + 1, _COUNT))
    return (
        only_the_second(near, np.array(_TWO)[:, None], _BAR),
        accepted(far, one_more, _LOW_BAR, 1),
        accepted(far, one_less, _LOW_BAR, 0),
    )


_ORIGINS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class VariantFacts:
    """One column of the table that compares the algorithms.

    Parameters
    ----------
    origin
        Who published it.
    truth
        The true loss; epsilon was published.
    threshold_noise, query_noise
        Laws, for sensitivity 1.
    drawn
        The same as numbers, for the epsilon and the c that were asked for, and how it answers.
    loss
        What its counterexample loses, exactly; infinite for Algorithm 5.
    """

    algorithm: int
    origin: str
    guarantee: Guarantee
    truth: str
    threshold_noise: str
    query_noise: str
    drawn: Comparisons
    loss: float


def facts(
    algorithm: int,
    *,
    epsilon: Fraction,
    cutoff: int,
    monotone: bool,
    ratio: str = "1:1",
    size: int = 1_000_000,
) -> VariantFacts:
    """Describe one algorithm, with its exact loss on its worst neighbours.

    Parameters
    ----------
    algorithm
        1 to 7.
    epsilon, cutoff, monotone, ratio, size
        See `dpcore.selection.exact.counterexample`.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Figure 2. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> four = facts(4, epsilon=Fraction(1), cutoff=3, monotone=False)
    >>> four.origin, four.query_noise, four.truth, round(four.loss, 2)
    ('Lee, Clifton 2014', 'Lap(4/(3ε))', '(1 + 6c)/4 · ε', 4.75)
    """
    worst = counterexample(
        algorithm, epsilon=epsilon, cutoff=cutoff, monotone=monotone, size=size, ratio=ratio
    )
    origin, *truths = _ORIGINS[str(algorithm)]
    guarantee = selectors()[selector_of(algorithm)].guarantee
    laws, found = _laws(algorithm, monotone, ratio), (worst.comparisons, worst.loss)
    return VariantFacts(algorithm, origin, guarantee, truths[monotone], *laws, *found)


def selector_of(algorithm: int) -> str:
    """The name of the selector that runs an algorithm.

    Examples
    --------
    >>> selector_of(4), selector_of(7)
    ('sparse-vector-4', 'sparse-vector')
    """
    return "sparse-vector" if algorithm == 7 else f"sparse-vector-{algorithm}"


def _laws(algorithm: int, monotone: bool, ratio: str) -> tuple[str, str]:
    if algorithm == 7:
        return f"Lap(1/ε1), ε1:ε2 = {ratio}", f"Lap({'c' if monotone else '2c'}/ε2)"
    table = PUBLISHED_SPARSE_VECTORS[algorithm]
    threshold = _law(1 / table.threshold_share, table.threshold_counts)
    if not table.query_factor:
        return threshold, "none"
    return threshold, _law(table.query_factor / (1 - table.threshold_share), table.query_counts)


def _law(scale: Fraction, counts: bool) -> str:
    """A Laplace law whose scale is a number over epsilon, times c or not."""
    top = f"{scale.numerator if scale.numerator > 1 or not counts else ''}{'c' if counts else ''}"
    return f"Lap({top}/ε)" if scale.denominator == 1 else f"Lap({top}/({scale.denominator}ε))"


@dataclass(frozen=True, eq=False)
class Series:
    """Two neighbours' logarithms of the probability of one answer, and the loss.

    Parameters
    ----------
    at : float array, shape (points,)
        Epsilons, or numbers of questions.
    log_here, log_there, loss : float array, shape (points,)
    bound : float array, shape (points,)
        The loss that was claimed: the published epsilon.
    """

    at: FloatArray
    log_here: FloatArray
    log_there: FloatArray
    loss: FloatArray
    bound: FloatArray


def losses(
    *,
    epsilons: Sequence[Fraction],
    sizes: Sequence[int],
    cutoff: int,
    monotone: bool,
    ratio: str = "1:1",
) -> dict[int, Series]:
    """Follow all seven counterexamples as epsilon grows, or the number of questions.

    Parameters
    ----------
    epsilons, sizes
        Of equal length, or one of them of length 1.
    cutoff, monotone, ratio
        See `dpcore.selection.exact.counterexample`.

    Examples
    --------
    >>> two = [Fraction(1), Fraction(2)]
    >>> losses(epsilons=two, sizes=[1], cutoff=1, monotone=False)[5].loss.tolist()
    [inf, inf]
    """
    at = np.array(sizes if len(sizes) > 1 else epsilons, dtype=np.float64)
    published, asked = np.broadcast_arrays(np.array(epsilons, dtype=object), sizes)
    series = {}
    for algorithm in ALGORITHMS:
        worst = partial(counterexample, algorithm, cutoff=cutoff, monotone=monotone, ratio=ratio)
        found = [worst(epsilon=one, size=int(of)) for one, of in zip(published, asked, strict=True)]
        here, there, loss = np.array([(one.log_here, one.log_there, one.loss) for one in found]).T
        series[algorithm] = Series(at, here, there, loss, published.astype(np.float64))
    return series


def answers_of(asked: Sequence[Asked]) -> list[tuple[str, str, str]]:
    """Questions of a counterexample as words: how many, their score less the threshold, the answer.

    Examples
    --------
    >>> answers_of([Asked(0.0, False, 20), Asked(-1.0, True)])
    [('20 times', '0', 'no'), ('once', '−1', 'yes')]
    """
    return [
        (
            "once" if one.times == 1 else f"{one.times:,} times",
            short(one.score),
            ("yes" if one.passed else "no") if one.value is None else f"the number {one.value:g}",
        )
        for one in asked
    ]
