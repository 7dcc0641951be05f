"""The tally: pieces, compiling and full counts lose nothing."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.data.counting import compiled_tally, score_tally
from dpcore.data.counting.score_cells import LEVELS, score_cells
from dpcore.data.counting.score_tally import ScoreTally


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing had been counted, nor compiled, before."""
    monkeypatch.setattr(compiled_tally, "_READY", {})
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
    monkeypatch.setattr(score_tally, "_CAPACITY", 200)
    pieces = ScoreTally()
    for some in np.array_split(np.arange(5000), 7):
        pieces.add(positive[some], scores[some])
    np.testing.assert_array_equal(whole.levels(), pieces.levels())
    np.testing.assert_array_equal(whole.levels().sum(axis=1), [(~positive).sum(), positive.sum()])


def test_counts_of_a_cell_go_beyond_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they would after four thousand million rows: small counts are emptied before they wrap."""
    seen, most = [], 2**31 - 1

    def full(positive: np.ndarray, scores: np.ndarray, counts: np.ndarray) -> None:
        seen.append(int(counts.max()))
        counts[0] += np.uint32(most)

    monkeypatch.setattr(score_tally, "_CAPACITY", 2)
    monkeypatch.setattr(score_tally, "_count", full)
    tally = ScoreTally()
    for _ in range(5):
        tally.add(np.array([False]), np.array([0.1], dtype=np.float16))
    assert int(tally.levels().sum()) == 5 * most
    assert seen == [0, most, 0, most, 0]


def test_enough_rows_are_counted_by_the_compiled_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    positive, scores = rows(np.float64)
    plain = ScoreTally()
    plain.add(positive, scores)
    monkeypatch.setattr(ScoreTally, "_rows_so_far", 0)
    monkeypatch.setattr(score_tally, "_WORTH_COMPILING", 3000)
    first, second, ready = ScoreTally(), ScoreTally(), []
    for turn, some in enumerate(np.array_split(np.arange(5000), 5)):
        (second if turn % 2 else first).add(positive[some], scores[some])
        ready.append(compiled_tally.is_compiled(scores.dtype))
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
