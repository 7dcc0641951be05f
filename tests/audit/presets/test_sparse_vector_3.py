"""A numeric answer gives the threshold away."""

from __future__ import annotations

import pytest

from dpcore.audit import presets


def test_the_exact_loss() -> None:
    assert presets()["sparse-vector-3"].exact() == pytest.approx(14.5, rel=1e-3)
