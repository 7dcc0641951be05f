"""Scores of predictions as probabilities, whatever they were written as."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from scipy.special import expit

from dpcore._typing import FloatArray
from dpcore.errors import IntakeError
from dpcore.intake.number_text import plain_number, sniff_decimal
from dpcore.schema.cells import cell_text, numbers, shown, text_number

__all__ = ["LINKS", "Link", "ScoreOutOfRange", "guessed_scores", "in_range", "without_sign"]

Link: TypeAlias = Literal["probability", "percent", "logit"]
LINKS: tuple[Link, ...] = ("probability", "percent", "logit")
_PERCENT = 100.0
_REMEDIES = {
    "percent": 'say link="percent" if the scores are percentages',
    "logit": 'say link="logit" if the scores are log-odds',
}


class ScoreOutOfRange(IntakeError):
    """A score cannot be what the scores were said to be; `link` is what they look like instead."""

    def __init__(self, problem: str, link: Link | None, *, row: int, column: str) -> None:
        self.link = link
        remedy = f"correct it, or {_REMEDIES[link]}" if link in _REMEDIES else "correct it"
        super().__init__(problem, row=row, column=column, remedy=remedy)


def guessed_scores(cells: pd.Series, name: str, link: Link, delimiter: str = ",") -> FloatArray:
    """Probabilities of a column without missing cells; any other cell is refused.

    Parameters
    ----------
    cells : Series of shape (n,)
        Its index counts the data rows of the file, from 0.
    name : str
        What the column is called.
    link : {"probability", "percent", "logit"}
        What the scores are. Percentages may carry their sign.
    delimiter : str, default ","
        What separates the cells of the file; tells a decimal comma in percentages.

    Returns
    -------
    FloatArray of shape (n,)
        From 0 to 1.

    Raises
    ------
    ScoreOutOfRange
        If a score is a number that cannot be, or a percentage where none was announced.
    IntakeError
        If a score is no number.

    Examples
    --------
    >>> guessed_scores(pd.Series(["2.5%", "90 %"]), "p", "percent").tolist()
    [0.025, 0.9]
    """
    signed = _signed(cells)
    if signed is not None:
        cells = _unsigned(cells, delimiter)
    scores = numbers(cells)
    if np.isnan(scores).any():
        row = int(np.argmax(np.isnan(scores)))
        raise IntakeError(
            f"the score {shown(cells.iloc[row])} of this data row is no number",
            row=int(cells.index[row]) + 1,
            column=name,
            remedy="correct it, or call the right columns label and score",
        )
    if signed is not None and link != "percent":
        problem = f"the score {shown(signed)} of this data row is a percentage"
        raise ScoreOutOfRange(problem, "percent", row=_first_signed(cells) + 1, column=name)
    read = in_range(scores, link)
    if np.isnan(read).any():
        row = int(np.argmax(np.isnan(read)))
        most = 100 if link == "percent" else 1
        problem = f"the score {shown(scores[row])} of this data row is not between 0 and {most}"
        likely = _looks_like(scores, link)
        raise ScoreOutOfRange(problem, likely, row=int(cells.index[row]) + 1, column=name)
    return read
