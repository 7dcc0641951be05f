"""Permute-and-flip as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from tests.selection.methods._selector_case import misses, pick


def test_it_finds_the_top_and_releases_no_scores() -> None:
    picked = pick("permute-and-flip")
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


@pytest.mark.parametrize("monotone, scale", [(True, 1.0), (False, 2.0)])
def test_the_rate_is_halved_for_general_scores(monotone: bool, scale: float) -> None:
    found = misses("permute-and-flip", monotone)
    assert found == pytest.approx(0.5 * np.exp(-2 / scale), abs=0.035)
