"""The records that both pages draw: 100,000 labels and scores."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from dpcore._typing import FloatArray, IntArray
from dpcore.data.reading import Predictions

ROWS = 100_000


def scored_rows() -> tuple[IntArray, FloatArray]:
    """Labels and scores of an imagined model of middling quality."""
    rng = np.random.default_rng(1)
    y = (rng.random(ROWS) < 0.3).astype(np.int64)
    return y, expit(rng.normal(1.5 * y - 1.0, 1.0))


def predictions() -> Predictions:
    """The same as an upload."""
    return Predictions(*scored_rows(), problems=(), digest="benchmark", classes=("0", "1"))
