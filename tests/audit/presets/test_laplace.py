"""Laplace noise costs what it says."""

from __future__ import annotations

import pytest

from dpcore.audit import presets


def test_the_exact_loss() -> None:
    assert presets()["laplace"].exact() == pytest.approx(1.0, rel=1e-3)
