"""A likelihood ratio that treats the numbers of an output as independent."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.statistics.statistic import Statistic, most_different

__all__ = ["histograms"]

_MOST, _BINS = 256, 24


def histograms(here: FloatArray, there: FloatArray) -> list[Statistic]:
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
    columns = most_different(here, there, _MOST)
    if not columns.size:
        return []
    edges, ratios = [], []
    for column in columns.tolist():
        ours, theirs = here[:, column], there[:, column]
        cuts = np.unique(
            np.quantile(np.concatenate([ours, theirs]), np.linspace(0, 1, _BINS + 1)[1:-1])
        )
        # Values at a cut fall below it, so that a value with an atom has a bin of its own.
        counted = [
            np.bincount(np.searchsorted(cuts, side), minlength=cuts.size + 1)
            for side in (ours, theirs)
        ]
        shares = [(side + 0.5) / (side.sum() + 0.5 * side.size) for side in counted]
        edges.append(cuts)
        ratios.append(np.log(shares[0] / shares[1]))

    def score(outputs: FloatArray) -> FloatArray:
        total = np.zeros(outputs.shape[0])
        for column, cuts, ratio in zip(columns.tolist(), edges, ratios, strict=True):
            total += ratio[np.searchsorted(cuts, outputs[:, column])]
        return total

    return [Statistic("the log-likelihood ratio of the histograms", score)]
