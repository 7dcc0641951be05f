"""The cut-off: asked for by number, or a parameter."""

from __future__ import annotations

import numpy as np

from dpcore import Neighbors
from dpcore.selection.methods.cut_off import CUTOFF, cutoff_of
from dpcore.selection.problem import SelectionProblem


def problem(**rule: float) -> SelectionProblem:
    return SelectionProblem(
        scores=np.zeros(3),
        sensitivity=1,
        l1_sensitivity=1,
        monotone=True,
        whole=True,
        neighbors=Neighbors.ADD_REMOVE,
        **rule,  # type: ignore[arg-type]
    )


def test_the_number_asked_for_counts_first() -> None:
    assert cutoff_of(problem(top_k=2), 50) == 2
    assert cutoff_of(problem(threshold=1.0), 50) == 50


def test_it_is_a_whole_number_from_one() -> None:
    assert CUTOFF.check(7) == 7
    assert CUTOFF.minimum == 1
