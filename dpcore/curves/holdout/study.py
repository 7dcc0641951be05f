"""The study of test-set reuse: the selection under every judge, once and with other seeds."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from dpcore.curves.holdout.forked_selection import ForkedSelection, begun
from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, generated
from dpcore.curves.holdout.selection import HoldoutResult, HoldoutRun, Selection
from dpcore.curves.holdout.stepwise import JUDGES
from dpcore.mechanisms.regression.blas_threads import ONE_BLAS_THREAD


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
    study = HoldoutStudy(settings, problem, judges=judges)
    while not study.done:
        study.advance()
    return study.result


# Selections that take variables at the same time: most of that is arithmetic on long arrays, which
# leaves the interpreter to others.
_AT_ONCE = 2


class HoldoutStudy:
    """The same, driven by its caller: all selections grow together, a few variables at a time.

    Parameters
    ----------
    settings, problem, judges
        As in `run_holdout`.
    apart : bool, default False
        Whether a process of its own may choose with the larger test set of a generated problem,
        where that takes long and the app has a server that makes processes.

    Examples
    --------
    >>> small = HoldoutSettings(variables=12, signal=2, steps=12, fresh_rows=500)
    >>> study = HoldoutStudy(small, judges=["naive", "train"])
    >>> study.advance()
    >>> study.result.run("naive").steps, study.done
    (10, False)
    """

    def __init__(
        self,
        settings: HoldoutSettings,
        problem: HoldoutProblem | None = None,
        *,
        judges: Collection[str] = tuple(JUDGES),
        apart: bool = False,
    ) -> None:
        # They begin to draw the same records now.
        apart = apart and problem is None
        elsewhere = {key: begun(key, settings) for key in judges if apart and JUDGES[key].larger}
        problem = generated(settings) if problem is None else problem
        self._settings, self._variables = settings, len(problem.names)
        self._signal = None if problem.signal is None else int(problem.signal.sum())
        self._rows = problem.train.size, problem.test.size, problem.fresh.size
        self._selections = [
            elsewhere.get(key) or Selection(key, problem, settings)
            for key in JUDGES
            if key in judges and (problem.larger or not JUDGES[key].larger)
        ]
        self._apart = [one for one in self._selections if isinstance(one, ForkedSelection)]
        here = [one for one in self._selections if isinstance(one, Selection)]
        # Whoever has most to do begins.
        self._here = sorted(here, key=lambda one: not one.kind.larger)

    @property
    def done(self) -> bool:
        """Whether no selection takes a further variable."""
        return all(one.done for one in self._selections)

    @property
    def share(self) -> float:
        """How much of the work is done."""
        steps = max((len(one.chosen) for one in self._selections), default=0)
        return 1.0 if self.done else steps / min(self._settings.steps, self._variables)

    def advance(self) -> None:
        """Let every selection take its next few variables."""
        # Threads of their own for matrices as small as these wait longer than they work.
        with ONE_BLAS_THREAD, ThreadPoolExecutor(_AT_ONCE - len(self._apart)) as pool:
            list(pool.map(Selection.advance, self._here))
        for one in self._apart:
            one.advance(wait=all(other.done for other in self._here))

    @property
    def result(self) -> HoldoutResult:
        """All selections as far as they are."""
        runs = tuple(one.run for one in self._selections)
        return HoldoutResult(
            self._settings, runs, variables=self._variables, signal=self._signal, rows=self._rows
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
    draws = HoldoutDraws(settings, seeds, problem=problem)
    while not draws.done:
        known = len(draws.results)
        draws.advance()
        if progress is not None and len(draws.results) > known:
            progress(draws.share)
    return tuple(draws.results)


class HoldoutDraws:
    """The same, driven by its caller: a few variables at a time; `results` has the draws so far.

    Examples
    --------
    >>> small = HoldoutSettings(variables=12, signal=2, steps=5, fresh_rows=500)
    >>> draws = HoldoutDraws(small, range(3))
    >>> draws.advance()
    >>> len(draws.results), draws.done
    (1, False)
    """

    def __init__(
        self,
        settings: HoldoutSettings,
        seeds: Sequence[int],
        *,
        problem: Callable[[HoldoutSettings], HoldoutProblem] | None = None,
    ) -> None:
        self._settings, self._seeds, self._problem = settings, seeds, problem
        self._study: HoldoutStudy | None = None
        self.results: list[HoldoutResult] = []

    @property
    def done(self) -> bool:
        """Whether every seed was drawn."""
        return len(self.results) == len(self._seeds)

    @property
    def share(self) -> float:
        """How much of the work is done."""
        within = 0.0 if self._study is None else self._study.share
        return (len(self.results) + within) / max(len(self._seeds), 1)

    def advance(self) -> None:
        """Let every selection of the present draw take its next few variables."""
        if self.done:
            return
        if self._study is None:
            drawn = replace(self._settings, seed=int(self._seeds[len(self.results)]))
            self._study = HoldoutStudy(drawn, self._problem(drawn) if self._problem else None)
        self._study.advance()
        if self._study.done:
            self.results.append(self._study.result)
            self._study = None


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
