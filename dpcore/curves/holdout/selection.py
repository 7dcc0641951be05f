"""The selection of variables under one judge, a few variables at a time."""

import numpy as np

from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings
from dpcore.curves.holdout.result import HoldoutRun
from dpcore.curves.holdout.stepwise import JUDGES, Stepwise
from dpcore.noise import SeededNoise

# They wait for one another after so many variables, which costs as much as a variable on few
# records; later after as many as they have, up to so many.
_TOGETHER, _LATER = 10, 40


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
                known = len(self._curves[name])
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
