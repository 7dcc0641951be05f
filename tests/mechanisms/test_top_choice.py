"""The public numbers that all choices of k share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpcore import Loss
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import BestTop, CanonicalTop, ExponentialPeeling, JointTop, OneShot
from dpcore.mechanisms.permute_and_flip import PermuteAndFlip
from dpcore.mechanisms.top_choice import TopChoice

CHOICES = [BestTop, CanonicalTop, ExponentialPeeling, JointTop, OneShot, PermuteAndFlip]


@pytest.mark.parametrize("mechanism", CHOICES)
def test_every_choice_of_k_has_them(mechanism: type[TopChoice]) -> None:
    chosen = mechanism(epsilon="0.3", k=2, sensitivity=2.0, whole=True)
    assert chosen.loss == Loss(Fraction(3, 10))
    assert chosen.guarantee.holds
    assert not hasattr(TopChoice, "draw")


@pytest.mark.parametrize("whole, sensitivity", [(True, 3.0), (False, 0.7)])
def test_monotone_scores_move_half_as_far_apart(whole: bool, sensitivity: float) -> None:
    general, monotone = (
        TopChoice(epsilon=1, k=1, sensitivity=sensitivity, whole=whole, monotone=monotone)
        for monotone in (False, True)
    )
    assert general.moves == 2 * monotone.moves == 2 * monotone.grid.steps
    assert monotone.moves * monotone.grid.cell >= sensitivity


@pytest.mark.parametrize("mechanism", CHOICES)
@pytest.mark.parametrize("bad", [{"epsilon": 0}, {"k": 0}, {"sensitivity": -1.0}])
def test_bad_numbers_are_named(mechanism: type[TopChoice], bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(bad))):
        mechanism(**{"epsilon": 1, "k": 1} | bad)


def test_the_canonical_choice_checks_its_own_number_too() -> None:
    with pytest.raises(InvalidArgument, match="outside"):
        CanonicalTop(epsilon=1, k=1, outside=1.5)
