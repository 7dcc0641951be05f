"""What can be chosen about the study of test-set reuse."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import _check

__all__ = ["HoldoutSettings"]

LARGEST_PROBLEM = 60_000_000


@dataclass(frozen=True, kw_only=True)
class HoldoutSettings:
    """Sizes of the problem, and parameters of the ways to answer.

    Parameters
    ----------
    seed : int
        Of the records and of all noise.
    train_rows, test_rows, fresh_rows : int
        Records to train on, to choose with, and never seen. At least 20 each.
    variables, signal : int
        Candidates, and how many of them differ between the classes.
    strength : float
        By how many standard deviations the classes differ in each variable with signal.
    steps : int
        Variables added, at most.
    threshold, sigma, budget : float, float, int
        Of Thresholdout.
    tolerance : float
        Of the blog's variant.

    Raises
    ------
    InvalidArgument
        If a value is out of range, or the problem would have more than sixty million numbers.

    Examples
    --------
    >>> HoldoutSettings(steps=200, variables=30).steps_taken
    30
    """

    seed: int = 1
    train_rows: int = 1000
    test_rows: int = 1000
    fresh_rows: int = 10_000
    variables: int = 110
    signal: int = 10
    strength: float = 0.2
    steps: int = 50
    threshold: float = 0.04
    sigma: float = 0.01
    budget: int = 5000
    tolerance: float = 0.04

    def __post_init__(self) -> None:
        _check.integer_in_range(0, None, seed=self.seed)
        _check.integer_in_range(20, 100_000, train_rows=self.train_rows)
        _check.integer_in_range(20, 100_000, test_rows=self.test_rows)
        _check.integer_in_range(20, 1_000_000, fresh_rows=self.fresh_rows)
        _check.integer_in_range(1, 2000, variables=self.variables)
        _check.integer_in_range(0, self.variables, signal=self.signal)
        _check.in_range(0, 5, strength=self.strength)
        _check.integer_in_range(1, 500, steps=self.steps)
        _check.in_range(0, 1, threshold=self.threshold)
        _check.positive(sigma=self.sigma, tolerance=self.tolerance)
        _check.integer_in_range(1, 1_000_000, budget=self.budget)
        rows = self.train_rows + 11 * self.test_rows + self.fresh_rows
        _check.integer_in_range(1, LARGEST_PROBLEM, **{"rows × variables": rows * self.variables})

    @property
    def steps_taken(self) -> int:
        """Variables added: no more than there are."""
        return min(self.steps, self.variables)
