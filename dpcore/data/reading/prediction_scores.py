"""Scores of predictions as probabilities, whatever they were written as."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from scipy.special import expit

from dpcore._typing import FloatArray
from dpcore.data.reading.number_text import sniff_decimal
from dpcore.errors import IntakeError
from dpcore.schema.cells import Decimal, numbers, shown

__all__ = [
    "SCORE_SCALES",
    "ScoreRefused",
    "ScoreScale",
    "declared_scores",
    "guessed_numbers",
    "probabilities",
    "without_sign",
    "written_numbers",
]

# What scores are written as: the one list, whichever reader, command or page asks.
ScoreScale: TypeAlias = Literal["probability", "percent", "logit"]
SCORE_SCALES: tuple[ScoreScale, ...] = ("probability", "percent", "logit")
_WORDS = {"percent": "percentages", "logit": "log-odds"}


class ScoreRefused(IntakeError):
    """A score is not what the scores are said to be; `link` is what they may be instead."""

    def __init__(self, problem: str, link: ScoreScale | None, *, row: int, column: str) -> None:
        self.link = link
        advice = f', or say link="{link}" if the scores are {_WORDS[link]}' if link else ""
        super().__init__(problem, row=row, column=column, remedy=f"correct it{advice}")


def guessed_numbers(
    cells: pd.Series, name: str, link: ScoreScale, delimiter: str = ","
) -> FloatArray:
    """Read a column of scores without missing cells, and refuse any cell that is no score.

    Parameters
    ----------
    cells : Series of shape (n,)
        Its index counts the data rows of the file from 0.
    name : str
        What the column is called.
    link : {"probability", "percent", "logit"}
        What the scores are; percentages may carry their sign.
    delimiter : str, default ","
        What separates the cells of the file; it helps to tell a decimal comma.

    Returns
    -------
    FloatArray of shape (n,)
        The numbers as written, of which `probabilities` knows what they are.

    Raises
    ------
    ScoreRefused
        If a score is out of range, or carries a percent sign that was not announced.
    IntakeError
        If a score is no number.

    Examples
    --------
    >>> guessed_numbers(pd.Series(["2.5%", "90 %"]), "p", "percent").tolist()
    [2.5, 90.0]
    """
    signed = _signs(cells)
    plain = without_sign(cells)
    if signed.any():
        decimal = sniff_decimal([plain.tolist()], delimiter)
        scores = numbers(plain, decimal)
    else:
        scores = numbers(cells)
    if np.isnan(scores).any():
        row = int(np.argmax(np.isnan(scores)))
        raise IntakeError(
            f"the score {shown(cells.iloc[row])} of this data row is no number",
            row=int(cells.index[row]) + 1,
            column=name,
            remedy="correct it, or call the right columns label and score",
        )
    unusable = np.isnan(probabilities(scores, link))
    refused = signed if link != "percent" and signed.any() else unusable
    if refused.any():
        row = int(np.argmax(refused))
        raise ScoreRefused(
            f"the score {shown(cells.iloc[row])} of this data row is not "
            f"{'between 0 and 100' if link == 'percent' else 'between 0 and 1'}",
            "percent" if signed.any() and link != "percent" else _likely(scores, link),
            row=int(cells.index[row]) + 1,
            column=name,
        )
    return scores


def written_numbers(cells: pd.Series, decimal: Decimal, link: ScoreScale) -> FloatArray:
    """Read every cell by itself as the number that is written; NaN where it is none.

    Examples
    --------
    >>> written_numbers(pd.Series(["0,5", "1,5", "high"]), ",", "probability").tolist()
    [0.5, 1.5, nan]
    """
    return numbers(without_sign(cells) if link == "percent" else cells, decimal)


def declared_scores(cells: pd.Series, decimal: Decimal, link: ScoreScale) -> FloatArray:
    """Read every cell by itself as a probability; NaN where it is none."""
    return probabilities(written_numbers(cells, decimal, link), link)


def probabilities(scores: FloatArray, link: ScoreScale) -> FloatArray:
    """Turn numbers into probabilities; NaN where a number cannot be one.

    Examples
    --------
    >>> probabilities(np.array([50.0, 101.0]), "percent").tolist()
    [0.5, nan]
    >>> probabilities(np.array([0.0]), "logit").tolist()
    [0.5]
    """
    if link == "logit":
        return np.asarray(expit(scores), dtype=np.float64)
    shares = scores / 100.0 if link == "percent" else scores
    return np.where((shares >= 0.0) & (shares <= 1.0), shares, np.nan)


def without_sign(cells: pd.Series) -> pd.Series:
    """Texts without the percent sign at their end; numbers as they are.

    Examples
    --------
    >>> without_sign(pd.Series(["2.5 %", "3"])).tolist()
    ['2.5', '3']
    """
    if is_numeric_dtype(cells):
        return cells
    plain = (c.strip().removesuffix("%").strip() if isinstance(c, str) else c for c in cells)
    return pd.Series(list(plain), index=cells.index, dtype=cells.dtype)


def _signs(cells: pd.Series) -> np.ndarray:
    """Which cells end in a percent sign."""
    if is_numeric_dtype(cells):
        return np.zeros(len(cells), dtype=np.bool_)
    return cells.astype("str").str.strip().str.endswith("%").to_numpy(dtype=np.bool_)


def _likely(scores: FloatArray, link: ScoreScale) -> ScoreScale | None:
    """What scores that are out of range may be instead."""
    if not np.isfinite(scores).all():
        return None
    as_percent = link != "percent" and scores.min() >= 0.0 and scores.max() <= 100.0
    return "percent" if as_percent else "logit"
