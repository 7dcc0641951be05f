"""Stepwise variable selection against a test set that is asked at every step."""

from dpcore.curves.holdout.problem import (
    HoldoutProblem,
    HoldoutSettings,
    LabelledRows,
    divided,
    generated,
)
from dpcore.curves.holdout.result import HoldoutResult, HoldoutRun
from dpcore.curves.holdout.study import MeanError, mean_error, repeated, run_holdout

__all__ = [
    "HoldoutProblem",
    "HoldoutResult",
    "HoldoutRun",
    "HoldoutSettings",
    "LabelledRows",
    "MeanError",
    "divided",
    "generated",
    "mean_error",
    "repeated",
    "run_holdout",
]
