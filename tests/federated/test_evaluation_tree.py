"""Evaluation at many points at once: as at each alone, with the blocks that are counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.federated import blocks, evaluation_tree
from dpcore.federated.comparison import comparison_keys
from dpcore.federated.evaluation_tree import blocks_needed, share_of_counts
from dpcore.federated.keys import SystemKeys


def halves(count: int = 40, depth: int = 6) -> tuple:
    cells = np.arange(count) * 7 % (1 << depth)
    return comparison_keys(cells, np.ones(count, dtype=np.int64), depth, SystemKeys())


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 63), min_size=1, max_size=70))
def test_together_as_alone(points: list[int]) -> None:
    for half in halves():
        together = share_of_counts(half, np.array(points))
        alone = [int(share_of_counts(half, np.array([point]))[0]) for point in points]
        assert together.tolist() == alone


def test_records_in_pieces_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    half = halves()[1]
    whole = share_of_counts(half, np.arange(64))
    monkeypatch.setattr(evaluation_tree, "_AT_ONCE", 64 * 7)
    assert share_of_counts(half, np.arange(64)).tolist() == whole.tolist()


@pytest.mark.parametrize("points", [[5], [0, 63], list(range(64)), [8, 9, 10]])
def test_the_stated_number_of_blocks_is_enciphered(
    points: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []

    def counting(seeds: np.ndarray, role: int) -> np.ndarray:
        counted.append(seeds.size // 2)
        return blocks.expanded(seeds, role)

    half = halves()[0]
    monkeypatch.setattr(evaluation_tree, "expanded", counting)
    share_of_counts(half, np.array(points))
    assert sum(counted) == 40 * blocks_needed(np.array(points), 6)
