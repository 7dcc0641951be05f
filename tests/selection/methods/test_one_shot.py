"""One-shot as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.selection import select_features
from tests.selection.methods._selector_case import misses, pick


def test_it_finds_the_top_and_releases_no_scores() -> None:
    picked = pick("one-shot")
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


def test_it_takes_no_threshold() -> None:
    with pytest.raises(InvalidArgument, match="selects by top_k"):
        select_features(np.eye(2), method="one-shot", threshold=2, epsilon=1)


@pytest.mark.parametrize("monotone, scale", [(True, 1.0), (False, 2.0)])
def test_noise_is_doubled_for_general_scores(monotone: bool, scale: float) -> None:
    assert misses("one-shot", monotone) == pytest.approx(0.5 * np.exp(-2 / scale), abs=0.035)
