"""The tally: blocks and sweeps lose nothing."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.aggregates import score_tally
from dpcore.aggregates.score_cells import LEVELS, score_cells
from dpcore.aggregates.score_tally import ScoreTally


@pytest.mark.parametrize("precision", [np.float16, np.float32, np.float64])
def test_pieces_add_up(precision: type, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    scores, positive = rng.random(5000).astype(precision), rng.random(5000) < 0.3
    whole = ScoreTally()
    whole.add(positive, scores)
    monkeypatch.setattr(score_tally, "_BLOCK", 64)
    monkeypatch.setattr(score_tally, "_BATCH", 200)
    pieces = ScoreTally()
    for rows in np.array_split(np.arange(5000), 37):
        pieces.add(positive[rows], scores[rows])
    np.testing.assert_array_equal(whole.levels(), pieces.levels())
    np.testing.assert_array_equal(whole.levels().sum(axis=1), [(~positive).sum(), positive.sum()])


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
