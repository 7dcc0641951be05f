"""The tally: pieces, compiling and full counts lose nothing."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.special import logit

from dpcore.data.counting import ScoreHistogram, score_tally
from dpcore.data.counting.score_levels import LEVELS
from dpcore.data.counting.score_tally import (
    PLACES,
    UNUSABLE,
    ByteColumn,
    ScoreTally,
    compiled,
    score_cells,
)
from dpcore.errors import InvalidArgument
from dpcore.schema.cells import level_codes


def cell_by_search(edges: np.ndarray, scores: np.ndarray) -> np.ndarray:
    found = np.searchsorted(edges, scores.astype(np.float64), side="right") - 1
    return np.bincount(np.minimum(found, edges.size - 2), minlength=edges.size - 1)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
@pytest.mark.parametrize("cells, clip", [(65536, 20.0), (1001, 7.0), (2, 1.0), (4096, 20.0)])
def test_a_score_lies_in_the_last_cell_whose_edge_it_reaches(
    precision: type, cells: int, clip: float
) -> None:
    edges = score_cells(cells, clip).edges
    at = edges.astype(precision)
    near = [at, np.nextafter(at, precision(0)), np.nextafter(at, precision(1))]
    rng = np.random.default_rng(0)
    scores = np.concatenate([*near, rng.beta(0.1, 0.1, 50_000).astype(precision)])
    counted = ScoreHistogram.from_arrays(np.ones(scores.size), scores, cells=cells, clip=clip)
    np.testing.assert_array_equal(counted.positives, cell_by_search(edges, scores))


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30))
def test_single_and_double_precision_agree(scores: list[float]) -> None:
    single = np.array(scores, dtype=np.float32)
    one = ScoreHistogram.from_arrays(np.zeros(single.size), single)
    other = ScoreHistogram.from_arrays(np.zeros(single.size), single.astype(np.float64))
    np.testing.assert_array_equal(one.negatives, other.negatives)


def test_cells_are_nearly_of_equal_width_in_logit() -> None:
    edges = score_cells().edges[1:-1].astype(np.longdouble)
    width = np.diff(logit(edges)) / (40.0 / 65536)
    assert width.min() > 0.49
    assert width.max() < 1.51
    assert abs(width.mean() - 1.0) < 1e-4


def test_edges_mirror_each_other() -> None:
    edges = score_cells().edges
    np.testing.assert_allclose(edges, 1.0 - edges[::-1], atol=1.2e-16, rtol=0)
    assert edges[32768] == 0.5


def test_levels_are_shared_out_among_the_cells() -> None:
    grid = score_cells(16, 3.0)
    assert grid.fold(np.ones(2 * LEVELS, dtype=np.int64)).sum() == 2 * LEVELS
    assert (np.diff(grid.starts) > 0).all()


@pytest.mark.parametrize("cells, clip", [(1, 20.0), (65537, 20.0), (8, 0.0), (8, 21.0), (65536, 1)])
def test_a_grid_that_doubles_cannot_carry_is_refused(cells: int, clip: float) -> None:
    with pytest.raises(InvalidArgument):
        score_cells(cells, clip)


PRECISIONS = [np.dtype(np.float32), np.dtype(np.float64)]


def counted(count: score_tally.Count, positive: Any, scores: Any) -> np.ndarray:
    """Counts of all quarters."""
    low, counts = np.zeros(PLACES, dtype=np.uint8), np.zeros(PLACES, dtype=np.int64)
    of_class, one_group = score_tally._column(positive), score_tally._ONE_GROUP
    count(score_tally.Rows(of_class, one_group, scores), low, counts)
    return counts + low


@pytest.mark.few(1)
@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
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


@pytest.mark.spanning
@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
@pytest.mark.parametrize("worth_compiling", [0, 2**30])
def test_groups_are_counted_apart_in_one_pass(
    precision: np.dtype, worth_compiling: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_tally, "_WORTH_COMPILING", worth_compiling)
    monkeypatch.setattr(score_tally, "_FEW_ROWS", 0)
    rng = np.random.default_rng(4)
    scores, positive = rng.uniform(-0.1, 1.1, 3000).astype(precision), rng.random(3000) < 0.4
    group = rng.integers(0, 21, 3000).astype(np.uint8)
    together = ScoreTally(21)
    for some in (slice(1000), slice(1000, None)):
        together.add(positive[some], scores[some], group[some])
    lost = 0
    for place in range(21):
        alone, here = ScoreTally(), group == place
        alone.add(positive[here], scores[here])
        np.testing.assert_array_equal(together.levels(place), alone.levels())
        np.testing.assert_array_equal(together.vector(place), alone.vector())
        lost += alone.unusable
    assert together.unusable == lost > 0


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
    monkeypatch.setattr(score_tally, "_READY", {})
    precision = PRECISIONS[0]
    first = compiled(precision)
    assert set(score_tally._READY) == {precision}
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
    count = score_tally._counter(PRECISIONS[1])
    assert counted(count, np.array([True]), np.array([0.9])).sum() == 1


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing had been counted, nor compiled, before."""
    monkeypatch.setattr(score_tally, "_READY", {})
    monkeypatch.setattr(ScoreTally, "_rows_so_far", 0)


def rows(precision: type) -> tuple[np.ndarray, np.ndarray]:
    """Classes and scores of 5,000 rows."""
    rng = np.random.default_rng(1)
    return rng.random(5000) < 0.3, rng.random(5000).astype(precision)


@pytest.mark.parametrize("precision", [np.float16, np.float32, np.float64])
def test_pieces_add_up(precision: type, monkeypatch: pytest.MonkeyPatch) -> None:
    positive, scores = rows(precision)
    whole = ScoreTally()
    whole.add(positive, scores)
    monkeypatch.setattr(score_tally, "_BLOCK", 64)
    monkeypatch.setattr(score_tally, "_FEW_ROWS", 1000)
    pieces = ScoreTally()
    for some in np.array_split(np.arange(5000), 7):
        pieces.add(positive[some], scores[some])
    np.testing.assert_array_equal(whole.levels(), pieces.levels())
    np.testing.assert_array_equal(whole.levels().sum(axis=1), [(~positive).sum(), positive.sum()])


@pytest.mark.parametrize("precision", PRECISIONS, ids=str)
def test_counts_of_a_cell_go_beyond_8_and_32_bits(
    precision: np.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, positive = np.full(70_000, 0.1, dtype=precision), np.zeros(70_000, dtype=np.bool_)
    assert counted(compiled(precision), positive, scores).max() == 70_000
    monkeypatch.setattr(score_tally, "_FEW_ROWS", 0)
    tally = ScoreTally()
    for held in (1, 255):
        tally.add(positive[:held], np.zeros(held, dtype=precision))
        tally._counts[0] += 2**32
    assert tally.levels()[0, 0] == 2**33 + 256


@pytest.mark.parametrize("cells, clip", [(65536, 20.0), (1001, 7.0), (2, 1.0)])
def test_few_rows_fold_to_what_all_counts_fold_to(
    cells: int, clip: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(6)
    scores, positive = rng.uniform(-0.1, 1.1, 4000), rng.random(4000) < 0.4
    group = rng.integers(0, 3, 4000).astype(np.uint8)
    grid, tallies = score_cells(cells, clip), []
    for few in (2**16, 2500, 0):
        monkeypatch.setattr(score_tally, "_FEW_ROWS", few)
        tally = ScoreTally(3)
        tallies.append(tally)
        for some in (slice(2000), slice(2000, None)):
            tally.add(positive[some], scores[some], group[some])
    assert [tally._few is None for tally in tallies] == [False, True, True]
    for of in range(3):
        folded = [tally.fold(grid, of) for tally in tallies]
        vectors = [tally.vector(of) for tally in tallies]
        for other in (1, 2):
            np.testing.assert_array_equal(folded[0], folded[other])
            np.testing.assert_array_equal(vectors[0], vectors[other])
        np.testing.assert_array_equal(folded[0], grid.fold(tallies[2].levels(of)))
    assert len({tally.unusable for tally in tallies}) == 1
    # Asked for all levels, a tally of few rows goes on with all counts.
    before = tallies[0].levels()
    tallies[0].add(positive[:1], np.array([0.3]))
    assert (tallies[0].levels() - before).sum() == 1
    assert tallies[0].fold(grid).sum() == before.sum() + 1


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, object])
def test_a_column_of_bytes_means_what_its_cells_mean(kind: type) -> None:
    cells = np.array([1, 0, 7, 127, 1]).astype(kind)[::2]
    column = ByteColumn.of(cells, lambda some: np.equal(some, 1))
    assert column.meant.tolist() == [1, 0, 1]


@pytest.mark.parametrize("kind", [np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("beyond", [50, 127, 128, 255, 300])
def test_whole_numbers_mean_the_same_in_any_width(kind: type, beyond: int) -> None:
    cells = np.array([3, 0, beyond, 100, 3], dtype=kind)
    column = ByteColumn.of(cells, partial(level_codes_or, levels=("0", "3", str(beyond))))
    assert column.meant.tolist() == [1, 0, 2, 3, 1]
    assert (column.cells.max() == cells.max()) == (beyond < 128)
    if np.issubdtype(kind, np.signedinteger):
        below = np.array([-1, -128, -129, -300, 255, 3], dtype=kind)
        for some in (below, below[:2]):
            one = ByteColumn.of(some, partial(level_codes_or, levels=("-1", "-128", "-129")))
            assert one.meant.tolist() == [0, 1, 2, 3, 3, 3][: some.size]


def level_codes_or(cells: np.ndarray, *, levels: tuple[str, ...]) -> np.ndarray:
    """The place of each level, and one more for all else."""
    codes = level_codes(cells, levels)
    return np.where(codes < 0, len(levels), codes)


def test_enough_rows_are_counted_by_the_compiled_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    positive, scores = rows(np.float64)
    plain = ScoreTally()
    plain.add(positive, scores)
    monkeypatch.setattr(ScoreTally, "_rows_so_far", 0)
    monkeypatch.setattr(score_tally, "_WORTH_COMPILING", 3000)
    monkeypatch.setattr(score_tally, "_FEW_ROWS", 0)
    first, second, ready = ScoreTally(), ScoreTally(), []
    for turn, some in enumerate(np.array_split(np.arange(5000), 5)):
        (second if turn % 2 else first).add(positive[some], scores[some])
        ready.append(scores.dtype in score_tally._READY)
    assert ready == [False, False, False, True, True]
    np.testing.assert_array_equal(first.levels() + second.levels(), plain.levels())


def test_rising_scores_have_rising_levels() -> None:
    scores = np.concatenate([np.geomspace(1e-12, 0.5, 40), 1 - np.geomspace(0.4, 1e-12, 40)])
    places = []
    for score in scores:
        tally = ScoreTally()
        tally.add(np.array([True]), np.array([score]))
        places.append(int(np.flatnonzero(tally.levels()[1])[0]))
    assert places == sorted(places)
    assert places[0] == 0
    assert places[-1] == 2 * LEVELS - 1


def test_asking_twice_counts_once() -> None:
    tally = ScoreTally()
    tally.add(np.array([True, False]), np.array([0.25, 0.75]))
    np.testing.assert_array_equal(tally.levels(), tally.levels())
    assert score_cells(2, 1.0).fold(tally.levels()).tolist() == [[0, 1], [1, 0]]
