"""The published epsilon is far from the true one, 15.25."""

from __future__ import annotations

import pytest

from dpcore.audit import presets


def test_the_exact_loss() -> None:
    assert presets()["sparse-vector-4"].exact() == pytest.approx(15.2, rel=1e-3)
