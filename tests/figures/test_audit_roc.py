"""The attacker's curve beside the limit of the claim."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit import AttackerRoc
from dpcore.figures import LIGHT
from dpcore.figures.audit_roc import audit_roc_picture
from dpcore.privacy import Loss

CURVE = AttackerRoc(np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.5, 1.0]))


@pytest.mark.parametrize("loss", [Loss(0), Loss(1), Loss(2, 0.1)])
def test_the_limit_is_that_of_kairouz(loss: Loss) -> None:
    _, limit, attacker = audit_roc_picture(CURVE, loss, theme=LIGHT).data
    x, y = np.array(limit["x"]), np.array(limit["y"])
    factor, delta = np.exp(float(loss.epsilon)), float(loss.delta)
    expected = np.minimum(np.minimum(factor * x + delta, 1 - (1 - delta - x) / factor), 1)
    assert y == pytest.approx(expected, abs=1e-4)
    assert limit["line"]["dash"] == "dash"
    assert attacker["x"][0] == 0
    assert attacker["y"][-1] == 1


def test_before_the_first_count_only_the_limit_is_drawn() -> None:
    picture = audit_roc_picture(None, Loss(1), theme=LIGHT)
    assert [trace["name"] for trace in picture.data] == ["not allowed", "limit at epsilon 1"]
    assert "epsilon 1" in picture.alt
