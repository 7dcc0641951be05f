"""Without a cut-off the loss grows with the scores."""

from __future__ import annotations

import pytest

from dpcore.audit import presets


def test_the_exact_loss() -> None:
    assert presets()["noisycut"].exact() == pytest.approx(88.59, rel=1e-3)
