"""Results: limits, verdicts, JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore import Loss
from dpcore.audit import Pair, audit, limit_roc
from dpcore.mechanisms import Geometric

RESULT = audit(
    Geometric(epsilon=1),
    Pair(d=np.array([3]), d_prime=np.array([4]), words="one more"),
    trials=20_000,
)


def test_the_attacker_stays_below_the_limit_curve() -> None:
    roc = RESULT.roc
    assert (np.diff(roc.fpr) >= 0).all()
    assert (np.diff(roc.tpr) >= 0).all()
    assert np.trapezoid(roc.tpr, roc.fpr) > 0.6
    # Half the sample each: five standard errors of a share are below 0.03.
    assert (roc.tpr <= limit_roc(roc.fpr, Loss(1)) + 0.03).all()
    assert (roc.tpr > limit_roc(roc.fpr, Loss("0.5")) + 0.03).any()


def test_the_limit_curve_with_delta() -> None:
    assert limit_roc(np.array([0.0]), Loss(0, "0.1"))[0] == pytest.approx(0.1)
    assert limit_roc(np.array([0.3]), Loss(0))[0] == pytest.approx(0.3)


def test_the_tradeoff_is_that_of_the_mechanism() -> None:
    """delta(e) of a geometric mechanism, summed over its probabilities."""
    z = np.arange(-60, 61)
    here, there = (np.exp(-np.abs(z - shift)) for shift in (0, 1))
    curve = RESULT.tradeoff
    for epsilon, delta, lower in zip(curve.epsilon, curve.delta, curve.delta_lower, strict=True):
        true = np.maximum(here - np.exp(epsilon) * there, 0).sum() / here.sum()
        assert lower <= true + 1e-12
        assert delta == pytest.approx(true, abs=0.05)
    assert curve.delta_lower[0] > 0.3
    assert (curve.delta_lower[curve.epsilon > 1] == 0).all()


def test_json() -> None:
    read = json.loads(RESULT.to_json())
    assert read["declared"] == "epsilon 1"
    assert read["violated"] is False
    assert read["verdict"].startswith("The attack does not refute")
    assert len(read["tradeoff"]["epsilon"]) == len(read["tradeoff"]["delta"])
    assert read["looks"][0]["trials"] == 20_000
