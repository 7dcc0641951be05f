"""Targets declare what they charge."""

from __future__ import annotations

from dpcore import Loss
from dpcore.audit import methods_of_all_kinds


def test_targets_declare_at_most_what_they_may_spend() -> None:
    for one in methods_of_all_kinds():
        target = one.kind.target(one.method, one.neighbors)
        delta = target.loss.delta
        assert target.loss.within(Loss(1, delta)), one.label
        assert delta < 0.001
        assert target.name == one.method.name
        pairs = one.kind.pairs(one.method, one.neighbors)
        assert {pair.neighbors for pair in pairs} == {one.neighbors}
