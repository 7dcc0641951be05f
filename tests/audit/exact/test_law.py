"""The loss between two discrete laws."""

from __future__ import annotations

import math

import pytest

from dpcore.audit.exact.law import loss_between


def test_law_loss_between() -> None:
    assert loss_between({"a": 1.0}, {"b": 1.0}) == math.inf
    assert loss_between({"a": 0.2, "b": 0.8}, {"a": 0.4, "b": 0.6}) == pytest.approx(math.log(2))
