"""Sparse vector as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import RATIOS
from dpcore.selection import select_features
from tests.selection.methods._selector_case import pick

ROWS = (np.arange(8) < np.arange(1, 41)[:, None] % 9).astype(float)


@pytest.mark.parametrize("ratio", RATIOS)
def test_it_finds_the_top_and_releases_no_scores(ratio: str) -> None:
    picked = pick("sparse-vector", ratio=ratio)
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


def test_by_threshold_it_selects_what_lies_above() -> None:
    counts = ROWS.sum(axis=0)
    picked = select_features(
        ROWS, method="sparse-vector", threshold=20.5, epsilon=1000, noise=SeededNoise(0)
    )
    assert picked.selected.tolist() == np.flatnonzero(counts > 20.5).tolist()


def test_the_cut_off_stops_it() -> None:
    picked = select_features(
        ROWS, method="sparse-vector", threshold=0, cutoff=3, epsilon=1000, noise=SeededNoise(0)
    )
    assert picked.selected.size == 3


def test_an_unknown_ratio_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="^ratio must be one of"):
        pick("sparse-vector", ratio="2:1")
