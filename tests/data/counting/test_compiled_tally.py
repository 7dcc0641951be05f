"""The compiled loop counts what NumPy counts, whatever it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcore.data.counting import compiled_tally, score_tally
from dpcore.data.counting.compiled_tally import PLACES, UNUSABLE, compiled, is_compiled
from dpcore.data.counting.score_cells import LEVELS, score_layout

PRECISIONS = [np.dtype(np.float32), np.dtype(np.float64)]


def counted(count: compiled_tally.Count, positive: Any, scores: Any) -> np.ndarray:
    """Counts of all quarters."""
    counts = np.zeros(PLACES, dtype=np.uint32)
    count(positive, scores, counts)
    return counts


@pytest.mark.few(1)
@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_it_counts_what_numpy_counts(precision: np.dtype, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 40))
    width = 8 * precision.itemsize
    numbers = st.floats(0, 1, width=width) | st.sampled_from([0.0, 0.5, 1.0])
    scores = data.draw(arrays.arrays(precision, size, elements=numbers))
    positive = data.draw(arrays.arrays(np.bool_, size))
    ours, plain = (
        counted(compiled(precision), positive, scores),
        counted(score_tally._count, positive, scores),
    )
    np.testing.assert_array_equal(ours, plain)
    assert ours.sum() == size


@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
def test_many_rows_in_many_passes(precision: np.dtype) -> None:
    rng = np.random.default_rng(1)
    scores, positive = rng.beta(0.5, 2, 100_003).astype(precision), rng.random(100_003) < 0.2
    ours = counted(compiled(precision), positive, scores)
    np.testing.assert_array_equal(ours, counted(score_tally._count, positive, scores))


@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
def test_what_is_no_score_has_a_place_of_its_own(precision: np.dtype) -> None:
    numbers = np.array([np.nan, np.inf, -np.inf, -1e-9, 1.001, 1e30, -0.0, 1.0], dtype=precision)
    for count in (compiled(precision), score_tally._count):
        counts = counted(count, np.ones(numbers.size, dtype=np.bool_), numbers)
        assert counts[UNUSABLE] == 6
        assert counts[[2 * LEVELS, 3 * LEVELS]].tolist() == [1, 1]


def test_columns_that_are_strided_or_may_not_be_written() -> None:
    scores = np.linspace(0, 1, 600)[::3]
    positive = (np.arange(600) % 2 == 0)[::3]
    kept = np.ascontiguousarray(scores)
    kept.setflags(write=False)
    count = compiled(scores.dtype)
    np.testing.assert_array_equal(
        counted(count, positive, scores), counted(count, positive.copy(), kept)
    )


def test_it_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_tally, "_READY", {})
    precision = PRECISIONS[0]
    assert not is_compiled(precision)
    first = compiled(precision)
    assert is_compiled(precision)
    assert compiled(precision) is first


def test_where_no_folder_may_be_written_it_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import numba

    honest = numba.njit

    def refusing(*arguments: Any, cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return honest(*arguments, **options)

    monkeypatch.setattr(numba, "njit", refusing)
    count = compiled_tally._counter(PRECISIONS[1])
    assert counted(count, np.array([True]), np.array([0.9])).sum() == 1


@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
def test_the_loop_as_python_runs_it(precision: np.dtype) -> None:
    layout = score_layout(precision)
    rng = np.random.default_rng(2)
    scores, positive = rng.random(50).astype(precision), rng.random(50) < 0.5
    near, places = np.empty(16, dtype=precision), np.empty(16, dtype=np.uint32)
    counts = np.zeros(PLACES, dtype=np.uint32)
    bits = near.view(layout.integers)
    compiled_tally._loop(positive, scores, near, bits, places, layout.shift, layout.first, counts)
    np.testing.assert_array_equal(counts, counted(compiled(precision), positive, scores))
