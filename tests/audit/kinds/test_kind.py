"""Targets declare what they charge."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcore import Loss
from dpcore.audit import methods_of_all_kinds


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 10)])
def test_targets_declare_at_most_what_they_may_spend(epsilon: Fraction) -> None:
    for one in methods_of_all_kinds():
        if epsilon < 1 and not one.method.guarantee.holds:
            # A published method may spend what it was printed with.
            continue
        target = one.kind.target(one.method, one.neighbors, epsilon)
        delta = target.loss.delta
        assert target.loss.within(Loss(epsilon, delta)), one.label
        assert delta < 0.001
        assert target.name == one.method.name
        pairs = one.kind.pairs(one.method, one.neighbors)
        assert {pair.neighbors for pair in pairs} == {one.neighbors}
