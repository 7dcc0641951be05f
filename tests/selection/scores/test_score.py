"""Every score declares sensitivities that exhaustive search on a small domain confirms."""

from __future__ import annotations

from itertools import combinations, product
from typing import cast

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore import Neighbors
from dpcore.selection.scores import SCORES
from dpcore.selection.scores.score import Score

FEATURES, BOUND = 4, 2
ROWS = [row for row in product((0.0, 1.0), repeat=FEATURES) if sum(row) <= BOUND]
RECORDS = list(product(ROWS, (0, 1)))


def scores_of(score: Score, data: list[tuple[tuple[float, ...], int]]) -> np.ndarray:
    rows = np.array([row for row, _ in data]).reshape(-1, FEATURES)
    return np.asarray(score.run(csr_array(rows), np.array([label for _, label in data], dtype=int)))


def changes(score: Score, neighbors: Neighbors) -> np.ndarray:
    """Score changes over every data set of up to two records and every neighbour of it."""
    bases = [list(base) for size in range(3) for base in combinations(RECORDS, size)]
    found = []
    for base in bases:
        grown = [scores_of(score, [*base, record]) for record in RECORDS]
        if neighbors is Neighbors.ADD_REMOVE:
            found += [scores - scores_of(score, base) for scores in grown]
        else:
            found += [one - other for one in grown for other in grown]
    return np.array(found)


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("name", SCORES.names())
def test_sensitivities_are_exact(name: str, neighbors: Neighbors) -> None:
    score = cast(Score, SCORES.get(name))
    moved = np.abs(changes(score, neighbors))
    assert moved.max() == pytest.approx(score.sensitivity(neighbors))
    assert moved.sum(axis=1).max() == pytest.approx(score.l1_sensitivity(BOUND, neighbors))


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("name", SCORES.names())
def test_monotone_is_true_exactly_when_all_scores_move_together(
    name: str, neighbors: Neighbors
) -> None:
    score = cast(Score, SCORES.get(name))
    moved = changes(score, neighbors)
    together = ((moved >= 0).all(axis=1) | (moved <= 0).all(axis=1)).all()
    assert score.monotone(neighbors) is bool(together)


@pytest.mark.parametrize("name", SCORES.names())
def test_whole_scores_are_whole(name: str) -> None:
    score = cast(Score, SCORES.get(name))
    if score.whole:
        moved = changes(score, Neighbors.ADD_REMOVE)
        np.testing.assert_array_equal(moved, np.rint(moved))
