"""Stepwise variable selection against a test set that is asked at every step."""

from dpcore.studies.holdout.problem import HoldoutProblem, Records, divided, generated
from dpcore.studies.holdout.repeats import MeanError, mean_error, repeated
from dpcore.studies.holdout.result import HoldoutResult, HoldoutRun
from dpcore.studies.holdout.settings import HoldoutSettings
from dpcore.studies.holdout.study import run_holdout

__all__ = [
    "HoldoutProblem",
    "HoldoutResult",
    "HoldoutRun",
    "HoldoutSettings",
    "MeanError",
    "Records",
    "divided",
    "generated",
    "mean_error",
    "repeated",
    "run_holdout",
]
