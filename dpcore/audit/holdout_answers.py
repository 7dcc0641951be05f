"""A reusable holdout together with the questions that it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpcore._typing import FloatArray
from dpcore.mechanisms import ReusableHoldout
from dpcore.mechanisms.threshold.reusable_holdout import HoldoutSession
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors

__all__ = ["HoldoutAnswers"]


@dataclass(frozen=True, kw_only=True, eq=False)
class HoldoutAnswers:
    """Open a reusable holdout and ask it everything: one draw is the whole conversation.

    `ReusableHoldout` is given its records question by question; this takes them at once, so that an
    attack sees two data sets and one output.

    Parameters
    ----------
    holdout : ReusableHoldout
    train : float array, shape (questions, training records)
        What the questions give the training records, which are not protected.

    Privacy
        That of the holdout.
    """

    holdout: ReusableHoldout
    train: FloatArray

    guarantee: ClassVar[Guarantee] = ReusableHoldout.guarantee

    @property
    def loss(self) -> Loss:
        """The loss of all answers together."""
        return self.holdout.loss

    @property
    def neighbors(self) -> Neighbors:
        """The relation of the holdout."""
        return self.holdout.neighbors

    def draw(self, value: FloatArray, noise: NoiseSource) -> list[FloatArray]:
        """Answers, and which of them came from the holdout records of shape (questions, records).

        Questions beyond the end of the budget get no answer.
        """
        answers, overfit = HoldoutSession(self.holdout, noise).ask(self.train, value)
        return [overfit.astype(float), answers]
