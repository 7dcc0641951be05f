"""Reusing a test set as everybody does: exact answers, for ever."""

from typing import Any

import numpy as np

from dpcore._typing import ArrayLike, FloatArray
from dpcore.errors import NotPrivate
from dpcore.evaluation.holdout.questions import Query, size_of, values_of, values_per_record
from dpcore.mechanisms.threshold.reusable_holdout import Summed
from dpcore.noise import NoiseSource, SystemNoise
from dpcore.privacy import Neighbors
from dpcore.registry import Method


class NaiveReuse:
    """Answer every question with the exact mean over the holdout: BROKEN, for simulations only.

    Parameters
    ----------
    train_values, holdout_values : array, frame or sequence
        Training records, which are not looked at, and holdout records.
    noise : NoiseSource, optional
        Must be simulated, though nothing is drawn from it: it says what the answers are for.

    Raises
    ------
    NotPrivate
        If the noise is real.

    Privacy
        None: exact values are published.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> NaiveReuse([0, 0], [1, 0], noise=SeededNoise(1)).answer(lambda records: records)
    0.5
    """

    def __init__(
        self, train_values: Any, holdout_values: Any, *, noise: NoiseSource | None = None
    ) -> None:
        if not (noise if noise is not None else SystemNoise()).simulated:
            raise NotPrivate(METHOD.name, METHOD.guarantee.reason)
        self._train, self._holdout = train_values, holdout_values

    def answer(self, query: Query) -> float:
        """The exact mean of what a query gives each holdout record."""
        return float(values_of(query, self._holdout).mean())

    def answers(self, train: ArrayLike | Summed, holdout: ArrayLike | Summed) -> FloatArray:
        """Exact means over the holdout records, shape (questions,).

        Parameters
        ----------
        train : array-like, shape (questions, training records), or Summed
        holdout : array-like, shape (questions, holdout records), or Summed
        """
        values_per_record(train, size_of(self._train), "train")
        held = values_per_record(holdout, size_of(self._holdout), "holdout")
        if isinstance(held, Summed):
            return held.means
        if held.dtype == np.bool_:
            return np.asarray(np.count_nonzero(held, axis=1) / held.shape[1], dtype=np.float64)
        return np.asarray(held.mean(axis=1), dtype=np.float64)


METHOD = Method.told("naive-reuse", __file__, run=NaiveReuse, neighbors=(Neighbors.REPLACE,))
