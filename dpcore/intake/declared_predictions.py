"""Labels and scores of declared predictions, each row read by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from dpcore._typing import FloatArray, IntArray
from dpcore.intake.prediction_scores import Link, probabilities, without_sign
from dpcore.intake.typed_cells import present_texts
from dpcore.schema.cells import MISSING, Decimal, level_codes, numbers


def declared_labels(cells: pd.Series, positive: str, negative: str | None) -> IntArray:
    """Number labels: 1 is positive, 0 negative, -1 neither or missing.

    Parameters
    ----------
    cells : Series of shape (n,)
    positive : str
    negative : str, optional
        If left out, every label that is not positive is negative.

    Returns
    -------
    IntArray of shape (n,)

    Examples
    --------
    >>> cells = pd.Series(["yes", "no", "perhaps", "NA"])
    >>> declared_labels(cells, "yes", "no").tolist(), declared_labels(cells, "yes", None).tolist()
    ([1, 0, -1, -1], [1, 0, 0, -1])
    """
    if not is_numeric_dtype(cells):
        cells = present_texts(cells, MISSING - {positive, negative or positive})
    if negative is not None:
        return level_codes(cells, (negative, positive))
    is_positive = level_codes(cells, (positive,)) == 0
    return np.where(cells.isna().to_numpy(), -1, is_positive).astype(np.int64)


def declared_scores(cells: pd.Series, decimal: Decimal, link: Link) -> FloatArray:
    """Probabilities; NaN where a cell is none.

    Examples
    --------
    >>> declared_scores(pd.Series(["0,5", "1,5", "high"]), ",", "probability").tolist()
    [0.5, nan, nan]
    """
    if link == "percent":
        cells = without_sign(cells)
    return probabilities(numbers(cells, decimal), link)
