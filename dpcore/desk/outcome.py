"""What the steps of one request returned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.data.counting import ScoreHistogram
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.privacy import Charge
from dpcore.selection import SelectionRelease
from dpcore.study import Workflow
from dpcore.study.steps import Prepared

__all__ = ["Outcome"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """Public results and, for simulations to compare with, the private data behind them.

    Parameters
    ----------
    study : Workflow
    charges : tuple of Charge
        What the mechanisms charged, in order.
    prepared : Prepared or None
        Encoded records (private); None for predictions.
    selection : SelectionRelease or None
    model : DPNaiveBayes or DPLogisticRegression or None
    scores : ScoreHistogram or None
        Counted scores (private) of the test records.
    evaluated : object
        What the evaluation released; None if there is none.
    """

    study: Workflow
    charges: tuple[Charge, ...]
    prepared: Prepared | None = None
    selection: SelectionRelease | None = None
    model: DPNaiveBayes | DPLogisticRegression | None = None
    scores: ScoreHistogram | None = None
    evaluated: Any = None

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Public names of all encoded features."""
        return self.prepared.train.space.names if self.prepared is not None else ()

    @property
    def selected_names(self) -> tuple[str, ...]:
        """Names of the chosen features."""
        if self.selection is None:
            return ()
        return tuple(self.feature_names[index] for index in self.selection.selected)
