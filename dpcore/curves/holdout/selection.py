"""The selection of variables under one judge, a few variables at a time, and what came of it."""

import json
from dataclasses import asdict, dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings
from dpcore.curves.holdout.stepwise import JUDGES, Stepwise
from dpcore.exported import as_plain
from dpcore.noise import SeededNoise
from dpcore.postprocess.monotone import as_share
from dpcore.privacy import Charge

# They wait for one another after so many variables, which costs as much as a variable on few
# records; later after as many as they have, up to so many.
_TOGETHER, _LATER = 10, 40


@dataclass(frozen=True, eq=False)
class HoldoutRun:
    """One selection of variables, under one way to use the test set.

    Parameters
    ----------
    key, name : str
        Of the judge, for programs and for people.
    method : str or None
        The holdout method; None if the test set was not asked.
    chosen : int array, shape (steps,)
        Variables in the order in which they came.
    train, test, fresh : float array, shape (steps + 1,)
        Accuracy after 0, 1, ... variables.
    reported : float array, shape (steps,)
        What the judge said of the chosen model when asked once more; NaN if it says nothing.
    best_answer : float array, shape (steps,)
        The largest answer to the candidates of each step, by which the choice was made.
    asked : int
        Questions.
    overfit : int or None
        Answers that came from the test records, where that is counted.
    stopped : bool
        Whether the judge's budget ended before the last step.
    charges : tuple of Charge
    found : int or None
        Variables with signal among the chosen, where it is known.
    test_rows : int
    """

    key: str
    name: str
    method: str | None
    chosen: IntArray
    train: FloatArray
    test: FloatArray
    fresh: FloatArray
    reported: FloatArray
    best_answer: FloatArray
    asked: int
    overfit: int | None
    stopped: bool
    charges: tuple[Charge, ...]
    found: int | None
    test_rows: int

    @property
    def steps(self) -> int:
        """Variables added."""
        return int(self.chosen.size)

    def optimism(self, step: int) -> float:
        """Test minus fresh accuracy after so many variables, or after the last one."""
        at = min(step, self.steps)
        return float(self.test[at] - self.fresh[at])

    def reported_optimism(self, step: int) -> float | None:
        """Reported minus fresh accuracy at that step; None if nothing is reported."""
        at = min(step, self.steps)
        if at < 1 or np.isnan(self.reported[at - 1]):
            return None
        return float(as_share(self.reported[at - 1]) - self.fresh[at])

    def best_optimism(self, step: int) -> float | None:
        """Largest answer of that step minus the fresh accuracy of the model it led to."""
        at = min(step, self.steps)
        return None if at < 1 else float(as_share(self.best_answer[at - 1]) - self.fresh[at])


@dataclass(frozen=True, eq=False)
class HoldoutResult:
    """All selections on the same records.

    Parameters
    ----------
    settings : HoldoutSettings
    runs : tuple of HoldoutRun
    variables : int
        Candidates of the problem.
    signal : int or None
        How many of them carry signal, where it is known.
    rows : tuple of int
        Training, test and fresh records.
    """

    settings: HoldoutSettings
    runs: tuple[HoldoutRun, ...]
    variables: int
    signal: int | None
    rows: tuple[int, int, int]

    def run(self, key: str) -> HoldoutRun:
        """The selection under that judge."""
        return next(run for run in self.runs if run.key == key)

    def to_json(self) -> str:
        """Everything as JSON text, stamped as a simulation."""
        return json.dumps(
            {
                "simulation": True,
                "settings": asdict(self.settings),
                "rows": self.rows,
                "variables": self.variables,
                "signal": self.signal,
                "runs": as_plain(self.runs),
            },
            indent=1,
        )


class Selection:
    """The selection under one judge; done with all variables, or when the budget has ended.

    Parameters
    ----------
    key : str
        Of the judge.
    problem : HoldoutProblem
        One that has what the judge asks for.
    settings : HoldoutSettings
    """

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

    def open(self) -> None:
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
        self.open()
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
                if (known := len(self._curves[name])) <= len(self.chosen):
                    self._curves[name] += self._model.accuracies_since(known, records)

    @property
    def run(self) -> HoldoutRun:
        """What came of it so far."""
        self.open()
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
