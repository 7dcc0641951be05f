"""Stepwise variable selection against a test set that is asked at every step."""

from dpcore.curves.holdout.problem import (
    HoldoutProblem,
    HoldoutSettings,
    LabelledRows,
    divided,
    generated,
    of_table,
)
from dpcore.curves.holdout.result import HoldoutResult, HoldoutRun
from dpcore.curves.holdout.study import (
    HoldoutDraws,
    HoldoutStudy,
    MeanError,
    mean_error,
    repeated,
    run_holdout,
)

__all__ = [
    "HoldoutDraws",
    "HoldoutProblem",
    "HoldoutResult",
    "HoldoutRun",
    "HoldoutSettings",
    "HoldoutStudy",
    "LabelledRows",
    "MeanError",
    "divided",
    "generated",
    "mean_error",
    "of_table",
    "repeated",
    "run_holdout",
]
