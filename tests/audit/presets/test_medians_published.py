"""The printed noise of medians is too little."""

from __future__ import annotations

import pytest

from dpcore.audit import presets


def test_the_exact_loss() -> None:
    assert presets()["recursive-medians"].exact() == pytest.approx(1.852, rel=1e-3)
