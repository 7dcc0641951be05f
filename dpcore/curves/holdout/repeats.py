"""The study again with other seeds: one draw says little about a way to use a test set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcore.curves.holdout.problem import HoldoutProblem
from dpcore.curves.holdout.result import HoldoutResult, HoldoutRun
from dpcore.curves.holdout.settings import HoldoutSettings
from dpcore.curves.holdout.study import run_holdout

__all__ = ["MeanError", "mean_error", "repeated"]


@dataclass(frozen=True)
class MeanError:
    """A mean with its standard error.

    Parameters
    ----------
    mean, error : float
    draws : int

    Examples
    --------
    >>> MeanError(0.063, 0.002, 80).mean
    0.063
    """

    mean: float
    error: float
    draws: int


def repeated(
    settings: HoldoutSettings,
    seeds: Sequence[int],
    *,
    problem: Callable[[HoldoutSettings], HoldoutProblem] | None = None,
    progress: Callable[[float], None] | None = None,
) -> tuple[HoldoutResult, ...]:
    """Run the study once for each seed.

    Parameters
    ----------
    settings : HoldoutSettings
        Its own seed is not used.
    seeds : sequence of int
    problem : callable, optional
        Deals a table of the user's own by the seed in the settings; generated problems if left out.
    progress : callable, optional
        Called with the share that is done.

    Examples
    --------
    >>> small = HoldoutSettings(variables=12, signal=2, steps=5, fresh_rows=500)
    >>> len(repeated(small, range(3)))
    3
    """
    results = []
    for done, seed in enumerate(seeds):
        drawn = replace(settings, seed=int(seed))
        results.append(run_holdout(drawn, problem(drawn) if problem else None))
        if progress is not None:
            progress((done + 1) / len(seeds))
    return tuple(results)


def mean_error(
    results: Sequence[HoldoutResult], key: str, figure: Callable[[HoldoutRun], float | None]
) -> MeanError | None:
    """Mean and standard error of a figure of one judge's runs; None if fewer than two have it.

    Parameters
    ----------
    results : sequence of HoldoutResult
    key : str
        Of the judge.
    figure : callable
        From a run to a number, or None where there is none.

    Examples
    --------
    >>> small = HoldoutSettings(variables=12, signal=2, steps=5, fresh_rows=500)
    >>> optimism = mean_error(repeated(small, range(3)), "naive", lambda run: run.optimism(5))
    >>> optimism.draws
    3
    """
    told = [figure(result.run(key)) for result in results]
    known = np.array([value for value in told if value is not None])
    if known.size < 2:
        return None
    error = float(known.std(ddof=1) / known.size**0.5)
    return MeanError(float(known.mean()), error, int(known.size))
