"""With beta = epsilon the loss is above epsilon."""

from __future__ import annotations

import pytest

from dpcore.audit import presets


def test_the_exact_loss() -> None:
    assert presets()["smooth-published"].exact() == pytest.approx(0.1056, rel=1e-3)
