"""Counts that are published again and again while events come in."""

from dpcore.evaluation.continual.running_counter import RunningCounter
from dpcore.evaluation.continual.running_counts import (
    RunningCounts,
    private_running_counts,
    running_count_methods,
)

__all__ = [
    "RunningCounter",
    "RunningCounts",
    "private_running_counts",
    "running_count_methods",
]
