"""The study of test-set reuse: the selection under every judge, once and with other seeds."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, generated
from dpcore.curves.holdout.result import HoldoutResult, HoldoutRun
from dpcore.curves.holdout.stepwise import JUDGES, Stepwise
from dpcore.mechanisms.regression.blas_threads import ONE_BLAS_THREAD
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
    study = HoldoutStudy(settings, problem, judges=judges)
    while not study.done:
        study.advance()
    return study.result


class HoldoutStudy:
    """The same, driven by its caller: all selections grow together, a few variables at a time.

    Parameters
    ----------
    settings, problem, judges
        As in `run_holdout`.

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
    ) -> None:
        problem = generated(settings) if problem is None else problem
        self._settings, self._variables = settings, len(problem.names)
        self._signal = None if problem.signal is None else int(problem.signal.sum())
        self._rows = problem.train.size, problem.test.size, problem.fresh.size
        self._selections = [
            _Selection(key, problem, settings)
            for key in JUDGES
            if key in judges and (problem.larger or not JUDGES[key].larger)
        ]
        # Whoever has most to do begins.
        self._by_size = sorted(self._selections, key=lambda one: not one.kind.larger)

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
        with ONE_BLAS_THREAD, ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(_Selection.advance, self._by_size))

    @property
    def result(self) -> HoldoutResult:
        """All selections as far as they are."""
        return HoldoutResult(
            self._settings,
            tuple(one.run for one in self._selections),
            variables=self._variables,
            signal=self._signal,
            rows=self._rows,
        )


# Selections that take variables at the same time: most of that is arithmetic on long arrays, which
# leaves the interpreter to others.
_AT_ONCE = 2

# They wait for one another after so many variables, which costs as much as a variable on few
# records; later after as many as they have, up to so many.
_TOGETHER, _LATER = 10, 40


class _Selection:
    """The selection under one judge; done with all variables, or when the budget has ended."""

    def __init__(self, key: str, problem: HoldoutProblem, settings: HoldoutSettings) -> None:
        self._key, self.kind, self._signal = key, JUDGES[key], problem.signal
        self._most, self._settings = min(settings.steps, len(problem.names)), settings
        # As large as the records: let go as soon as nothing is asked of it any more.
        self._problem: HoldoutProblem | None = problem
        self._model: Stepwise | None = None
        self._curves: dict[str, list[float]] = {"train": [], "test": [], "fresh": []}
        self._answers: list[tuple[float, float]] = []
        self._asked, self._stopped, self.done = 0, False, False
        self.chosen: list[int] = []

    def _open(self) -> None:
        """Begin, with test records that may be drawn only now."""
        if (problem := self._problem) is None:
            return
        test, noise = self.kind.test_of(problem), SeededNoise(self._settings.seed).child(self._key)
        assert test is not None
        self._judge = self.kind.open(problem.train, test, self._settings, noise)
        self._model = Stepwise(problem.train, test, problem.fresh, self.kind.asks)
        self._problem, self._test_rows, self.chosen = None, test.size, self._model.chosen
        self._note(self._model)

    def _note(self, model: Stepwise) -> None:
        for name, share in model.accuracies().items():
            self._curves[name].append(share)

    def advance(self) -> None:
        """Take the next few variables, as far as there are any."""
        self._open()
        for _ in range(max(_TOGETHER, min(len(self.chosen), _LATER))):
            if self._model is not None:
                self._take(self._model)

    def _take(self, model: Stepwise) -> None:
        slopes = model.slopes
        rated = self._judge.rate(model, slopes)
        self._asked += rated.size
        if rated.size < slopes.size:
            self._stopped = True
            self._let_go()
            return
        best = int(rated.argmax())
        model.take(best, slopes)
        self._note(model)
        told = self._judge.report(model)
        self._asked += told is not None
        self._answers.append((np.nan if told is None else told, float(rated[best])))
        if len(self.chosen) == self._most:
            self._let_go()

    def _let_go(self) -> None:
        self._score()
        self._model, self.done = None, True

    def _score(self) -> None:
        """Accuracies on the records that nobody looks at, as far as the curve is."""
        if self._model is not None:
            for name, records in self._model.records.items():
                known = len(self._curves[name])
                self._curves[name] += self._model.accuracies_since(known, records)

    @property
    def run(self) -> HoldoutRun:
        """What came of it so far."""
        self._open()
        self._score()
        kind, signal = self.kind, self._signal
        train, tested, fresh = (np.array(curve) for curve in self._curves.values())
        reported, best_answer = np.array(self._answers).reshape(-1, 2).T
        return HoldoutRun(
            key=self._key,
            name=kind.name,
            method=kind.method,
            chosen=np.array(self.chosen, dtype=np.int64),
            train=train,
            test=tested,
            fresh=fresh,
            reported=reported,
            best_answer=best_answer,
            asked=self._asked,
            overfit=self._judge.overfit,
            stopped=self._stopped,
            charges=self._judge.charges,
            found=None if signal is None else int(signal[self.chosen].sum()),
            test_rows=self._test_rows,
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
