"""Synthetic predictions of a classifier that was trained elsewhere.

For the upload of bare predictions: the true log odds of a record are normal, the label is a coin
with them, and the score is a distorted version of the true probability: the model is overconfident
(its log odds are stretched by 1.4), optimistic (shifted by 0.3) and sees the record through noise.
So the scores rank well and are badly calibrated, which the calibration page can show.
"""

import numpy as np
import pandas as pd
from scipy.special import expit

from sample_data.generate.draws import Stream

__all__ = ["FILE", "ROWS", "SEED", "generate"]

FILE = "bank-model-predictions.csv"
ROWS = 5_000
SEED = 20_240_504

MEAN_LOG_ODDS, SPREAD = -3.4, 2.4
STRETCH, SHIFT, NOISE = 1.4, 0.3, 0.8


def generate(rows: int = ROWS, seed: int = SEED) -> pd.DataFrame:
    """Return the table: columns label (0 or 1) and score (a probability with five decimals)."""
    stream = Stream(seed)
    log_odds = stream.normal(rows, MEAN_LOG_ODDS, SPREAD)
    label = stream.coin(log_odds, rows).astype(np.int64)
    stated = STRETCH * log_odds + SHIFT + stream.normal(rows, 0.0, NOISE)
    return pd.DataFrame({"label": label, "score": expit(stated).round(5)})
