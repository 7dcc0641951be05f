"""The classifier sees widths, and a little in many numbers."""

from __future__ import annotations

import pytest

from dpcore.audit.statistics import coordinates, histograms, logistic
from tests.audit.statistics._samples import separation, spread, wider


@pytest.mark.parametrize("fit", [histograms, logistic])
def test_another_width(fit: object) -> None:
    assert separation(fit, wider) > 0.65


@pytest.mark.parametrize("fit", [histograms, logistic])
def test_a_little_in_many_numbers(fit: object) -> None:
    assert separation(fit, spread) > separation(coordinates, spread) + 0.1
