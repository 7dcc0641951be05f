"""The likelihood ratio of histograms sees shifts."""

from __future__ import annotations

import pytest

from dpcore.audit.statistics import coordinates, histograms, logistic
from tests.audit.statistics._samples import separation, shifted


@pytest.mark.parametrize("fit", [coordinates, histograms, logistic])
def test_a_shift_of_one_number(fit: object) -> None:
    assert separation(fit, shifted) > 0.65
