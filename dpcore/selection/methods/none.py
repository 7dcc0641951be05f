"""Keep every feature."""

from __future__ import annotations

import numpy as np

from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate
from dpcore.selection.problem import Selected, SelectionProblem, Selector

__all__ = ["METHOD", "keep_all"]


def keep_all(problem: SelectionProblem, *, loss: Loss, gate: Gate) -> Selected:
    """Select every feature; nothing is read, drawn or charged."""
    return Selected(np.arange(problem.scores.size))


METHOD = Selector(
    name="none",
    title="No selection",
    summary="Keeps every feature and costs nothing.",
    run=keep_all,
    guarantee=Guarantee.proven("it reads no data"),
    reference="",
    rules=(),
    spends=False,
)
