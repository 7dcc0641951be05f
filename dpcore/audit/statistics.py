"""Ways to turn an output into one number that tells two data sets apart, learned from samples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray, NDArray
from dpcore.mechanisms.counts.tree_counts import haar


@dataclass(frozen=True, eq=False)
class OutputStatistic:
    """A function of outputs and what to call it.

    Parameters
    ----------
    words
        As the subject of a sentence, for example ``"number 3 of the output"``.
    score
        Of outputs, shape (runs, numbers): one number each, shape (runs,).
    """

    words: str
    score: Callable[[FloatArray], FloatArray]


def most_different(here: FloatArray, there: FloatArray, most: int, bins: int = 32) -> IntArray:
    """The columns whose distributions differ most, the most different first.

    By the largest difference of the two empirical distribution functions at common quantiles.
    """
    rows = min(here.shape[0], there.shape[0], 4000)
    gaps = np.zeros(here.shape[1])
    for column in range(here.shape[1]):
        ours, theirs = np.sort(here[:rows, column]), np.sort(there[:rows, column])
        if ours[0] == ours[-1] == theirs[0] == theirs[-1]:
            continue
        at = np.unique(np.concatenate([ours, theirs])[:: max(2 * rows // bins, 1)])
        below = [np.searchsorted(side, at, side="right") for side in (ours, theirs)]
        gaps[column] = np.abs(below[0] - below[1]).max()
    order = np.argsort(-gaps, kind="stable")[:most]
    return order[gaps[order] > 0]


_COORDINATES_MOST = 8


def coordinates(
    here: FloatArray, there: FloatArray, columns: Sequence[str] = ()
) -> list[OutputStatistic]:
    """The numbers that differ most between two samples, each as it is.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        Training outputs on either data set.
    columns
        Names of the numbers.

    Examples
    --------
    >>> import numpy as np
    >>> found = coordinates(np.array([[0.0, 1.0], [0.0, 2.0]]), np.array([[0.0, 3.0], [0.0, 4.0]]))
    >>> [statistic.words for statistic in found]
    ['number 2 of the output']
    """
    names = [*(name.rstrip("?") for name in columns)]
    names += [f"number {place + 1} of the output" for place in range(len(names), here.shape[1])]
    chosen = most_different(here, there, _COORDINATES_MOST).tolist()
    return [OutputStatistic(names[column], itemgetter((slice(None), column))) for column in chosen]


# Outputs repeat if a sample holds at most this share of different ones.
_REPEATING = 0.5


def exact_matches(here: FloatArray, there: FloatArray) -> list[OutputStatistic]:
    """How much more often each very output was seen on one data set: a log-ratio, 0 if never.

    Empty where outputs hardly repeat.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        Training outputs on either data set.

    Examples
    --------
    >>> seen = exact_matches(np.array([[1.0], [1.0], [1.0]]), np.array([[1.0], [2.0], [2.0]]))
    >>> seen[0].score(np.array([[1.0], [2.0], [3.0]])).round(2).tolist()
    [0.85, -1.61, 0.0]
    """
    known, group = np.unique(np.concatenate([_keys(here), _keys(there)]), return_inverse=True)
    if known.size > max(_REPEATING * group.size, 2):
        return []
    ours = np.bincount(group[: here.shape[0]], minlength=known.size)
    theirs = np.bincount(group[here.shape[0] :], minlength=known.size)
    ratios = np.log((ours + 0.5) / (theirs + 0.5))

    def score(outputs: FloatArray) -> FloatArray:
        keys = _keys(outputs)
        places: IntArray = np.minimum(np.searchsorted(known, keys), known.size - 1)
        return np.where(known[places] == keys, ratios[places], 0.0)

    return [OutputStatistic("how typical the exact output is of the first data set", score)]


def _keys(outputs: FloatArray) -> NDArray[Any]:
    """One comparable value for each row; equal rows have equal ones."""
    rows = np.ascontiguousarray(outputs + 0.0)  # turns -0 into 0
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()


_HISTOGRAMS_MOST, _BINS = 256, 24


def histograms(here: FloatArray, there: FloatArray) -> list[OutputStatistic]:
    """The sum over the numbers of the log-ratio of two histograms of each.

    It is the best statistic there is if the numbers are independent, as those of additive noise
    are, up to the width of the bins.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        Training outputs on either data set.

    Examples
    --------
    >>> rng = np.linspace(0, 1, 200)[:, np.newaxis]
    >>> ratio = histograms(rng + 0.5, rng)[0]
    >>> bool((np.diff(ratio.score(np.array([[0.2], [1.3]]))) > 0).all())
    True
    """
    columns = most_different(here, there, _HISTOGRAMS_MOST)
    if not columns.size:
        return []
    edges, ratios, levels = [], [], np.linspace(0, 1, _BINS + 1)[1:-1]
    for column in columns.tolist():
        sides = here[:, column], there[:, column]
        cuts = np.unique(np.quantile(np.concatenate(sides), levels))
        # Values at a cut fall below it, so that a value with an atom has a bin of its own.
        places = (np.searchsorted(cuts, side) for side in sides)
        counted = [np.bincount(place, minlength=cuts.size + 1) for place in places]
        shares = [(side + 0.5) / (side.sum() + 0.5 * side.size) for side in counted]
        edges.append(cuts)
        ratios.append(np.log(shares[0] / shares[1]))

    def score(outputs: FloatArray) -> FloatArray:
        total = np.zeros(outputs.shape[0])
        for column, cuts, ratio in zip(columns.tolist(), edges, ratios, strict=True):
            total += ratio[np.searchsorted(cuts, outputs[:, column])]
        return total

    return [OutputStatistic("the log-likelihood ratio of the histograms", score)]


def differences(here: FloatArray, there: FloatArray) -> list[OutputStatistic]:
    """`histograms` of what runs of 1, 2, 4, ... neighbouring numbers differ by.

    Where the noise of neighbours is shared, as along a tree or in a wave, it comes apart so.

    Examples
    --------
    >>> shared = np.random.default_rng(0).normal(scale=9.0, size=(400, 1))
    >>> one, other = shared + np.array([2.0, 0.0, 0.0, 0.0]), shared + np.zeros(4)
    >>> bool(differences(one, other)[0].score(one).min() > 0)
    True
    """
    found = histograms(haar(here), haar(there)) if 2 < here.shape[1] <= _HISTOGRAMS_MOST else []
    words = "the log-likelihood ratio of the histograms of differences"
    return [OutputStatistic(words, partial(_of_waves, one)) for one in found]


def _of_waves(statistic: OutputStatistic, outputs: FloatArray) -> FloatArray:
    return statistic.score(haar(outputs))


_LOGISTIC_MOST, _ROWS, _RIDGE = 24, 10_000, 1.0


def logistic(here: FloatArray, there: FloatArray) -> list[OutputStatistic]:
    """The linear score of a logistic regression on squeezed numbers and their distances.

    Every number enters as tanh of its distance from the median in units of its spread, and as the
    logarithm of that distance: noise with heavy tails does not upset the fit, and a change of
    spread shows.

    Parameters
    ----------
    here, there : float arrays, shape (runs, numbers)
        Training outputs on either data set.

    Examples
    --------
    >>> rng = np.linspace(0, 1, 200)[:, np.newaxis]
    >>> score = logistic(rng + 0.5, rng)[0].score
    >>> bool(score(np.array([[1.3]]))[0] > score(np.array([[0.2]]))[0])
    True
    """
    # It takes a while to import, and is needed here alone.
    from sklearn.linear_model import LogisticRegression

    columns = most_different(here, there, _LOGISTIC_MOST)
    if not columns.size:
        return []
    half = min(_ROWS, here.shape[0], there.shape[0])
    both = np.concatenate([here[:half], there[:half]])
    low, middle, high = np.quantile(both[:, columns], [0.1, 0.5, 0.9], axis=0)
    largest = np.maximum(np.abs(both[:, columns]).max(axis=0), 1.0)
    spread = np.where(high > low, high - low, largest)

    def features(outputs: FloatArray) -> FloatArray:
        away = (outputs[:, columns] - middle) / spread
        ones = np.ones((outputs.shape[0], 1))
        return np.hstack([np.tanh(2.0 * away), np.log1p(np.abs(away)), ones])

    # The column of ones is penalised as all others are.
    classifier = LogisticRegression(C=1.0 / _RIDGE, fit_intercept=False, solver="newton-cholesky")
    weights = classifier.fit(features(both), np.repeat([1, 0], half)).coef_[0]
    return [OutputStatistic("the score of a classifier", lambda drawn: features(drawn) @ weights)]
