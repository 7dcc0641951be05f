"""Stepwise variable selection against a test set that is asked at every step."""

from dpcore.curves.holdout.problem import HoldoutSettings, of_table
from dpcore.curves.holdout.study import run_holdout

__all__ = ["HoldoutSettings", "of_table", "run_holdout"]
