"""What came out of the study of test-set reuse."""

import json
from dataclasses import asdict, dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.curves.holdout.problem import HoldoutSettings
from dpcore.exported import as_plain
from dpcore.postprocess.monotone import as_share
from dpcore.privacy import Charge


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
