"""What tests of exact laws share."""

from __future__ import annotations

import pytest

from dpcore.mechanisms.samplers import exponential_noise


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One cell per count, so that ties matter and sums are short."""
    monkeypatch.setattr(exponential_noise, "_RESOLUTION_BITS", 0)
