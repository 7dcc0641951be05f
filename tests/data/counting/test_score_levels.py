"""The compiled loop does what Python does with the same lines, and what NumPy counts."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.data.counting import score_tally
from dpcore.data.counting.score_levels import changes, count_levels, score_layout
from dpcore.data.counting.score_tally import PLACES, UNUSABLE, ByteColumn, compiled


@pytest.mark.few(1)
@pytest.mark.parametrize("precision", [np.dtype(np.float32), np.dtype(np.float64)], ids=str)
def test_the_loop_as_python_runs_it(precision: np.dtype) -> None:
    layout = score_layout(precision)
    rng = np.random.default_rng(2)
    scores = np.concatenate([rng.random(50), np.full(2000, 0.3), [np.nan]]).astype(precision)
    labels = rng.integers(0, 3, scores.size).astype(np.uint8)
    groups = rng.integers(0, 256, scores.size).astype(np.uint8)
    meaning = np.array([0, 1, 1], dtype=np.uint8), (np.arange(256) % 3).astype(np.uint8)
    near, kinds = np.empty(16, dtype=precision), np.empty(16, dtype=np.uint8)
    places, bits = np.empty(16, dtype=np.uint32), near.view(layout.integers)
    low, counts = np.zeros(3 * PLACES, dtype=np.uint8), np.zeros(3 * PLACES, dtype=np.int64)
    told = layout.shift, np.int32(layout.first), np.int32(3 * UNUSABLE)
    columns = [ByteColumn(*one) for one in ((labels, meaning[0]), (groups, meaning[1]))]
    (one, of_label), (other, of_group) = (changes(each.tobytes()) for each in meaning)
    with np.errstate(over="ignore", invalid="ignore"):  # a byte that wraps is what is meant
        count_levels(
            labels, of_label, groups, of_group, np.uint8(one + 2 * other), scores,
            near, bits, kinds, places, *told, low, counts,
        )  # fmt: skip
    assert counts.any(), "nothing was carried over"
    for count in (compiled(precision), score_tally._count):
        ours, more = np.zeros_like(low), np.zeros_like(counts)
        count(score_tally.Rows(*columns, scores), ours, more)
        np.testing.assert_array_equal(more + ours, counts + low)
