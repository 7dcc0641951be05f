"""Which columns of a table of predictions are the label and the score."""

from __future__ import annotations

import pandas as pd
from pandas.api.types import is_numeric_dtype

from dpcore.errors import IntakeError

LABEL_NAMES = ("label", "y_true", "y", "target", "class", "truth", "actual", "outcome")
SCORE_NAMES = (
    "score",
    "y_score",
    "probability",
    "prob",
    "p",
    "prediction",
    "y_pred",
    "y_prob",
    "proba",
)


def find_columns(frame: pd.DataFrame, *, by_content: bool) -> tuple[str, str]:
    """Names of the label column and the score column.

    Parameters
    ----------
    frame : DataFrame
    by_content : bool
        Whether two columns without telling names may be told apart by their cells.

    Raises
    ------
    IntakeError
        If the names do not tell, and there are not two columns to be told apart.

    Examples
    --------
    >>> find_columns(pd.DataFrame(columns=["P", "Outcome", "age"]), by_content=False)
    ('Outcome', 'P')
    """
    by_name = {str(name).strip().lower().replace(" ", "_"): str(name) for name in frame.columns}
    label = next((by_name[name] for name in LABEL_NAMES if name in by_name), None)
    score = next((by_name[name] for name in SCORE_NAMES if name in by_name), None)
    if label is not None and score is not None:
        return label, score
    columns = [str(name) for name in frame.columns]
    if label is None and score is None and not by_content:
        raise IntakeError(
            "no column is named like a label or a score",
            remedy="call the two columns of the predictions label and score",
        )
    if len(columns) != 2:
        absent = "label" if label is None else "score"
        raise IntakeError(
            f"no column is named like a {absent}, and there are {len(columns)}, not two",
            remedy="call the two columns of the predictions label and score",
        )
    if label is None and score is None:
        label = _label_of_two(frame, columns)
    first, second = columns
    if label is not None:
        return label, second if label == first else first
    return (second, first) if score == first else (first, second)


def _label_of_two(frame: pd.DataFrame, columns: list[str]) -> str:
    """Of two columns without telling names, the one that can be the label."""
    first, second = columns
    by_values = frame[second].nunique() <= 2 and frame[first].nunique() > 2
    by_type = is_numeric_dtype(frame[first]) and not is_numeric_dtype(frame[second])
    return second if by_values or by_type else first
