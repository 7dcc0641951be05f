"""The reusable holdout: records with a value for each question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.audit.holdout_answers import HoldoutAnswers
from dpcore.audit.pair import Pair
from dpcore.audit.recipes.recipe import Case, Recipe
from dpcore.mechanisms import ReusableHoldout
from dpcore.privacy import Neighbors

__all__ = ["RECIPE", "holdout_pair"]


def holdout_pair(questions: int, records: int) -> Pair:
    """One record that is 0 for all questions but the last, and then for the last only.

    All other records are 0.
    """
    here, there = np.zeros((questions, records)), np.zeros((questions, records))
    here[-1, 0] = 1.0
    there[:-1, 0] = 1.0
    return Pair(
        here=here,
        there=there,
        words="one holdout record has all of its values the other way round",
        neighbors=Neighbors.REPLACE,
    )


def _cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    """Replace is the only relation. One record and sigma 2 make epsilon 1."""
    if neighbors is Neighbors.REPLACE:
        made = mechanism(records=1, budget=1, threshold=0.5, sigma=2)
        for questions in (4, 60):
            yield Case(
                name=mechanism.__name__,
                mechanism=HoldoutAnswers(holdout=made, train=np.zeros((questions, 1))),
                pairs=(holdout_pair(questions, 1),),
            )


RECIPE = Recipe(fits=lambda mechanism: mechanism is ReusableHoldout, cases=_cases)
