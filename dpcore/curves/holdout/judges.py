"""Who says which variable comes next: one judge for each way to use the test set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dpcore._typing import BoolArray, FloatArray
from dpcore.curves.holdout.problem import HoldoutProblem, Records
from dpcore.curves.holdout.settings import HoldoutSettings
from dpcore.curves.holdout.stepwise import Stepwise
from dpcore.evaluation.holdout import NaiveReuse, Thresholdout, ZumelHoldout
from dpcore.noise import SeededNoise
from dpcore.privacy import Charge

__all__ = ["JUDGES", "Judge", "JudgeKind"]


class Judge(Protocol):
    """Scores candidates, and says how good the chosen model is."""

    charges: tuple[Charge, ...]

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        """A score for each candidate; fewer if the judge stops on the way."""

    def report(self, model: Stepwise) -> float | None:
        """The accuracy that the judge reports of the present model; None if it reports none."""

    @property
    def overfit(self) -> int | None:
        """Answers that came from the test records; None if that is not counted."""


class _TrainOnly:
    charges: tuple[Charge, ...] = ()
    overfit: int | None = None

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        return np.asarray(model.train.correct(slopes).mean(axis=1), dtype=np.float64)

    def report(self, model: Stepwise) -> float | None:
        return float(model.train.right.mean())


class _Naive:
    charges: tuple[Charge, ...] = ()
    overfit: int | None = None

    def __init__(self, holdout: NaiveReuse) -> None:
        self._holdout = holdout

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        return self._holdout.answers(model.train.correct(slopes), model.test.correct(slopes))

    def report(self, model: Stepwise) -> float | None:
        return float(self._holdout.answers(model.train.right[None], model.test.right[None])[0])


class _Thresholdout:
    def __init__(self, holdout: Thresholdout) -> None:
        self._holdout = holdout
        self.charges = holdout.charges

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        if not self._holdout.remaining:
            return np.zeros(0)
        return self._holdout.answers(model.train.correct(slopes), model.test.correct(slopes))

    def report(self, model: Stepwise) -> float | None:
        if not self._holdout.remaining:
            return None
        return float(self._holdout.answers(model.train.right[None], model.test.right[None])[0])

    @property
    def overfit(self) -> int | None:
        return self._holdout.overfit


class _Zumel:
    overfit: int | None = None

    def __init__(self, holdout: ZumelHoldout) -> None:
        self._holdout = holdout
        self.charges = holdout.charges

    def rate(self, model: Stepwise, slopes: FloatArray) -> FloatArray:
        parts = (model.train, model.test)
        return self._holdout.answers(*(_gain(part.correct(slopes), part.right) for part in parts))

    def report(self, model: Stepwise) -> float | None:
        return None


def _gain(after: BoolArray, before: BoolArray) -> FloatArray:
    """By how much each record's score improves: -1, 0 or 1."""
    return np.asarray(after.astype(np.int8) - before.astype(np.int8))


@dataclass(frozen=True)
class JudgeKind:
    """A way to use the test set.

    Parameters
    ----------
    name : str
        For people.
    method : str or None
        The holdout method whose verdict it stands under; None if the test set is not asked.
    open : callable
        From training records, test records, settings and noise to a judge.
    larger : bool, default False
        Whether it chooses with the test set that is ten times larger.
    """

    name: str
    method: str | None
    open: Callable[[Records, Records, HoldoutSettings, SeededNoise], Judge]
    larger: bool = False

    def test_of(self, problem: HoldoutProblem) -> Records | None:
        """The records that it chooses with; None if there are not enough."""
        return problem.large_test if self.larger else problem.test


def _naive(train: Records, test: Records, settings: HoldoutSettings, noise: SeededNoise) -> Judge:
    return _Naive(NaiveReuse(train.y, test.y, noise=noise))


def _thresholdout(
    train: Records, test: Records, settings: HoldoutSettings, noise: SeededNoise
) -> Judge:
    holdout = Thresholdout(
        train.y,
        test.y,
        threshold=settings.threshold,
        sigma=settings.sigma,
        budget=settings.budget,
        noise=noise,
    )
    return _Thresholdout(holdout)


def _zumel(train: Records, test: Records, settings: HoldoutSettings, noise: SeededNoise) -> Judge:
    questions = settings.steps_taken * train.X.shape[0]
    return _Zumel(
        ZumelHoldout(
            train.y, test.y, tolerance=settings.tolerance, questions=questions, noise=noise
        )
    )


def _train_only(
    train: Records, test: Records, settings: HoldoutSettings, noise: SeededNoise
) -> Judge:
    return _TrainOnly()


JUDGES = {
    "naive": JudgeKind("Naive reuse", "naive-reuse", _naive),
    "thresholdout": JudgeKind("Thresholdout", "thresholdout", _thresholdout),
    "zumel": JudgeKind("The blog's variant", "zumel-published", _zumel),
    "larger": JudgeKind("Naive, 10 × test set", "naive-reuse", _naive, larger=True),
    "train": JudgeKind("Training set only", None, _train_only),
}
