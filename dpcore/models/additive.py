"""What a training method releases: scores that are sums over features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.special import expit, log_expit

from dpcore._typing import FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.exported import floats
from dpcore.models.terms import Term, read_term

# Variance of the log-odds that records are taken to have.
_OF_LOG_ODDS = 2.0

Link: TypeAlias = Literal["softmax", "sigmoid", "one-vs-rest"]


@dataclass(frozen=True)
class AdditiveModel:
    """Released numbers that map a record to class probabilities; nothing in it is private.

    Parameters
    ----------
    link : {"softmax", "sigmoid", "one-vs-rest"}
        How scores become probabilities. "sigmoid": one score, for the second of two classes.
        "softmax", "one-vs-rest": one score per class; the latter normalises separate sigmoids.
    bias : float array, shape (scores,)

    Examples
    --------
    >>> AdditiveModel("softmax", np.zeros(2), ()).probabilities(np.log([[1.0, 3.0]])).round(2)
    array([[0.25, 0.75]])
    """

    link: Link
    bias: FloatArray
    terms: tuple[Term, ...]

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Score of each record, shape (n, scores)."""
        total = np.tile(self.bias, (rows.n_rows, 1))
        for term in self.terms:
            total += term.scores(rows)
        return total

    def log_probabilities(self, scores: FloatArray) -> FloatArray:
        """Log-probability of every class, shape (n, classes), from scores, shape (n, scores).

        Like the scores, each row is bit for bit a function of that record alone.
        """
        if self.link == "sigmoid":
            return np.hstack([log_expit(-scores), log_expit(scores)])
        # Logs of the normalised sigmoids, or of the normalised exponentials.
        return _normalised(log_expit(scores) if self.link == "one-vs-rest" else scores)

    def probabilities(self, scores: FloatArray) -> FloatArray:
        """Probability of every class, shape (n, classes), from scores, shape (n, scores)."""
        if self.link == "sigmoid":
            return np.hstack([expit(-scores), expit(scores)])
        return np.asarray(np.exp(self.log_probabilities(scores)), dtype=np.float64)

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types."""
        terms = [term.to_plain() for term in self.terms]
        return {"link": self.link, "bias": self.bias.tolist(), "terms": terms}

    @classmethod
    def from_plain(cls, document: Mapping[str, Any]) -> AdditiveModel:
        """Read what `to_plain` wrote."""
        terms = tuple(read_term(term) for term in document["terms"])
        return cls(document["link"], floats(document["bias"]), terms)


def best_factor(left: float, noise: float, *, most: float) -> float:
    """What to multiply scores by that are too small and noisy: the regression on them, in short.

    Log-odds t of variance 2 were told as left * t + noise: this times that is expected of t.

    Parameters
    ----------
    left
        Between 0 and 1.
    noise
        Its variance; what is known of its law, not of what was drawn.
    most
        So large at most.

    Examples
    --------
    >>> [round(best_factor(0.8, noise, most=2.0), 2) for noise in (0.0, 0.32, 9.0)]
    [1.25, 1.0, 0.16]
    """
    signal = left * _OF_LOG_ODDS
    return float(min(signal / max(left * signal + noise, 1e-300), most))


def _normalised(logs: FloatArray) -> FloatArray:
    """Subtract the log of the sum of the exponentials of each row, class after class."""
    by_class = np.ascontiguousarray(logs.T)
    # Subtracting the largest first keeps the exponentials finite and off zero.
    shifted = by_class - by_class.max(axis=0, initial=-np.inf)
    total = np.zeros(shifted.shape[1])
    for one_class in shifted:
        total += np.exp(one_class)
    return np.ascontiguousarray((shifted - np.log(total)).T)
