"""Every score declares sensitivities that exhaustive search on a small domain confirms."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import cast

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore import Neighbors
from dpcore.data.counting.bounded_rows import weighted_rows
from dpcore.selection.scores import SCORES, PublicRows, Score

FEATURES, BOUND, MOST = 3, 2, 3
ROWS = list(product((0.0, 1.0), repeat=FEATURES))
SHORT = [row for row in ROWS if sum(row) <= BOUND]

every_relation = pytest.mark.parametrize("neighbors", list(Neighbors))
every_score = pytest.mark.parametrize("name", SCORES.names())

Data = tuple[tuple[tuple[float, ...], int], ...]


def score_named(name: str) -> Score:
    return cast(Score, SCORES.get(name))


def public(neighbors: Neighbors, *, weighted: bool = False) -> PublicRows:
    return PublicRows(
        neighbors=neighbors, bound=BOUND, features=FEATURES, weighted=weighted, max_rows=MOST
    )


def scores_of(score: Score, data: Data, *, weighted: bool) -> np.ndarray:
    rows = np.array([row for row, _ in data]).reshape(-1, FEATURES)
    bounded = weighted_rows(rows, BOUND) if weighted else csr_array(rows)
    return score.run(bounded, np.array([label for _, label in data], dtype=np.int64))


def changes(score: Score, neighbors: Neighbors, *, weighted: bool = False) -> np.ndarray:
    """Score changes between all data sets of up to `MOST` records and all their neighbours."""
    records = list(product(ROWS if weighted else SHORT, (0, 1)))
    known: dict[Data, np.ndarray] = {}

    def of(data: Data) -> np.ndarray:
        key = tuple(sorted(data))
        if key not in known:
            known[key] = scores_of(score, key, weighted=weighted)
        return known[key]

    found = []
    for size in range(MOST):
        for base in combinations_with_replacement(records, size):
            grown = np.array([of((*base, record)) for record in records])
            if neighbors is Neighbors.ADD_REMOVE:
                found.append(grown - of(base))
            else:
                found.append((grown[:, None] - grown).reshape(-1, FEATURES))
    return np.vstack(found)


@every_relation
@every_score
def test_the_sensitivity_of_one_score_is_exact(name: str, neighbors: Neighbors) -> None:
    score = score_named(name)
    moved = np.abs(changes(score, neighbors)).max()
    assert moved == pytest.approx(score.sensitivity(public(neighbors)))


@every_relation
@every_score
def test_the_joint_sensitivity_holds(name: str, neighbors: Neighbors) -> None:
    score = score_named(name)
    moved = np.abs(changes(score, neighbors)).sum(axis=1).max()
    declared = score.l1_sensitivity(public(neighbors))
    assert moved <= declared + 1e-9
    if name != "information-gain":
        assert moved == pytest.approx(declared)


@every_relation
@every_score
def test_weighted_rows_keep_the_sensitivities(name: str, neighbors: Neighbors) -> None:
    score, facts = score_named(name), public(neighbors, weighted=True)
    moved = np.abs(changes(score, neighbors, weighted=True))
    assert moved.max() <= score.sensitivity(facts) + 1e-9
    assert moved.sum(axis=1).max() <= score.l1_sensitivity(facts) + 1e-9
    assert moved.sum(axis=1).max() > 0.3 * score.l1_sensitivity(facts)


@every_relation
@every_score
def test_monotone_is_true_exactly_when_all_scores_move_together(
    name: str, neighbors: Neighbors
) -> None:
    score = score_named(name)
    moved = changes(score, neighbors)
    together = ((moved >= 0).all(axis=1) | (moved <= 0).all(axis=1)).all()
    assert score.monotone(public(neighbors)) is bool(together)


@every_score
def test_whole_scores_are_whole(name: str) -> None:
    score = score_named(name)
    moved = changes(score, Neighbors.ADD_REMOVE)
    assert score.whole is bool((moved == np.rint(moved)).all())


@every_score
def test_counts_decide_where_a_score_says_so(name: str) -> None:
    score = score_named(name)
    rng = np.random.default_rng(0)
    rows, classes = csr_array((rng.random((40, 5)) < 0.4).astype(float)), rng.integers(0, 2, 40)
    if score.of_counts is None:
        assert name in ("purity-index", "information-gain")
        return
    counts = np.stack([rows[classes == label].sum(axis=0) for label in (0, 1)], axis=1)
    np.testing.assert_allclose(score.of_counts(counts), score.run(rows, classes))


@every_score
@pytest.mark.parametrize("rows", [0, 1])
def test_hardly_any_records(name: str, rows: int) -> None:
    scores = score_named(name).run(csr_array(np.ones((rows, 2))), np.ones(rows, dtype=np.int64))
    assert np.isfinite(scores).all()


@every_score
def test_classes_beyond_two_and_undeclared_ones_are_read(name: str) -> None:
    rows = csr_array(np.eye(4))
    scores = score_named(name).run(rows, np.array([-1, 0, 1, 2]))
    assert np.isfinite(scores).all()
