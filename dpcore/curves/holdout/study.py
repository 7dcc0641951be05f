"""The study of test-set reuse: the selection under every judge, once and with other seeds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, generated
from dpcore.curves.holdout.result import HoldoutResult, HoldoutRun
from dpcore.curves.holdout.stepwise import JUDGES, Stepwise
from dpcore.noise import SeededNoise


def run_holdout(
    settings: HoldoutSettings,
    problem: HoldoutProblem | None = None,
    *,
    judges: Collection[str] = tuple(JUDGES),
) -> HoldoutResult:
    """Select variables step by step, once for each way to use the test set.

    Parameters
    ----------
    settings : HoldoutSettings
    problem : HoldoutProblem, optional
        Made by `generated` from the settings if left out.
    judges : collection of str
        Names from `JUDGES`. One that needs a larger test set than there is, is left out.

    Notes
    -----
    At each step every candidate that is left is added to the model in turn, and the judge answers
    how good that is; the best answer wins. Then the judge is asked once more about the chosen
    model. All noise is simulated: the curves of exact accuracies could not be shown otherwise.

    Examples
    --------
    >>> small = HoldoutSettings(variables=12, signal=2, steps=5, fresh_rows=500)
    >>> [run.name for run in run_holdout(small, judges=["naive", "train"]).runs]
    ['Naive reuse', 'Training set only']
    """
    problem = generated(settings) if problem is None else problem
    runs = tuple(
        _run(key, problem, settings)
        for key in JUDGES
        if key in judges and JUDGES[key].test_of(problem) is not None
    )
    return HoldoutResult(
        settings,
        runs,
        variables=len(problem.names),
        signal=None if problem.signal is None else int(problem.signal.sum()),
        rows=(problem.train.size, problem.test.size, problem.fresh.size),
    )


def _run(key: str, problem: HoldoutProblem, settings: HoldoutSettings) -> HoldoutRun:
    kind = JUDGES[key]
    test = kind.test_of(problem)
    assert test is not None
    judge = kind.open(problem.train, test, settings, SeededNoise(settings.seed).child(key))
    model = Stepwise(problem.train, test, problem.fresh)
    curve, chosen, answers, asked = [model.accuracies()], [], [], 0
    for _ in range(min(settings.steps, len(problem.names))):
        slopes = model.slopes
        rated = judge.rate(model, slopes)
        asked += rated.size
        if rated.size < slopes.size:
            break
        best = int(rated.argmax())
        chosen.append(model.take(best, slopes))
        curve.append(model.accuracies())
        told = judge.report(model)
        asked += told is not None
        answers.append((np.nan if told is None else told, float(rated[best])))
    train, tested, fresh = np.array(curve).T
    reported, best_answer = np.array(answers).reshape(-1, 2).T
    found = None if problem.signal is None else int(problem.signal[chosen].sum())
    return HoldoutRun(
        key=key,
        name=kind.name,
        method=kind.method,
        chosen=np.array(chosen, dtype=np.int64),
        train=train,
        test=tested,
        fresh=fresh,
        reported=reported,
        best_answer=best_answer,
        asked=asked,
        overfit=judge.overfit,
        stopped=len(chosen) < min(settings.steps, len(problem.names)),
        charges=judge.charges,
        found=found,
        test_rows=test.size,
    )


@dataclass(frozen=True)
class MeanError:
    """A mean with its standard error.

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
