"""`canonical` as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from tests.selection.methods._selector_case import misses, pick


def test_it_finds_the_top_and_releases_no_scores() -> None:
    picked = pick("canonical")
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


@pytest.mark.parametrize("monotone, rate", [(True, 1.0), (False, 0.5)])
def test_the_rate_is_halved_for_general_scores(monotone: bool, rate: float) -> None:
    expected = 1 / (1 + np.exp(2 * rate))
    assert misses("canonical", monotone) == pytest.approx(expected, abs=0.035)
