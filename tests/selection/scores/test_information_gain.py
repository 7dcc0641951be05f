"""Information gain: its value, and sensitivities by exhaustive search over tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import xlogy
from sklearn.metrics import mutual_info_score

from dpcore import Neighbors
from dpcore.selection.scores import PublicRows
from dpcore.selection.scores.information_gain import METHOD, information_gain, psi

RNG = np.random.default_rng(2)


def test_it_is_n_times_the_mutual_information() -> None:
    rows = (RNG.random((200, 6)) < 0.3).astype(float)
    classes = RNG.integers(0, 3, 200)
    expected = [200 * mutual_info_score(column, classes) for column in rows.T]
    np.testing.assert_allclose(information_gain(csr_array(rows), classes), expected, atol=1e-9)


def test_a_constant_class_tells_nothing() -> None:
    rows = csr_array((RNG.random((50, 4)) < 0.5).astype(float))
    np.testing.assert_allclose(information_gain(rows, np.ones(50, dtype=np.int64)), 0, atol=1e-9)


def tables(n: int, classes: int) -> np.ndarray:
    """Every table of n records by feature (2) and class, shape (tables, 2, classes)."""
    cells = 2 * classes
    places = combinations(range(n + cells - 1), cells - 1)
    counts = [np.diff((-1, *place, n + cells - 1)) - 1 for place in places]
    return np.array(counts, dtype=np.float64).reshape(-1, 2, classes)


def gain(table: np.ndarray) -> np.ndarray:
    """n times the mutual information of each table."""

    def whole(counts: np.ndarray, axis: tuple[int, ...]) -> np.ndarray:
        return np.asarray(xlogy(counts, counts).sum(axis=axis))

    n = table.sum(axis=(1, 2))
    both = whole(table, (1, 2)) + xlogy(n, n)
    return both - whole(table.sum(axis=2), (1,)) - whole(table.sum(axis=1), (1,))


def grown(n: int, classes: int) -> np.ndarray:
    """The gain of every table of n with each possible record more, shape (records, tables)."""
    table, cells = tables(n, classes), np.eye(2 * classes).reshape(-1, 2, classes)
    return np.array([gain(table + cell) for cell in cells])


@pytest.mark.parametrize("n, classes", [*((n, 2) for n in range(12)), *((n, 3) for n in range(7))])
def test_psi_is_exact_for_adding_and_for_replacing(n: int, classes: int) -> None:
    here, there = gain(tables(n, classes)), grown(n, classes)
    assert np.abs(there - here).max() == pytest.approx(psi(n), abs=1e-9)
    # The records of one table replace each other: n + 1 records on both sides.
    assert (there.max(axis=0) - there.min(axis=0)).max() == pytest.approx(psi(n), abs=1e-9)


@pytest.mark.parametrize("weight", [0.25, 0.5, 0.9])
def test_weighted_records_move_a_score_by_no_more(weight: float) -> None:
    for n in range(8):
        table = tables(n, 2)
        for label in (0, 1):
            cell = np.zeros((2, 2))
            cell[:, label] = (1 - weight, weight)
            assert np.abs(gain(table + cell) - gain(table)).max() <= psi(n) + 1e-9


@pytest.mark.few(1)
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_the_joint_change_does_not_grow_with_the_number_of_features(neighbors: Neighbors) -> None:
    """2,000 features and rows of two ones: the declared sum is 8 psi, not 2,000 psi."""
    worst, n, features = 0.0, 30, 2000
    for seed in range(200):
        rng = np.random.default_rng(seed)
        used = int(rng.choice([2, 3, 5, 40, 2000]))
        rows = np.zeros((n + 1, features))
        for row in rows:
            row[rng.choice(used, 2, replace=False)] = 1
        classes = (rng.random(n + 1) < rng.random()).astype(np.int64)
        scores = [information_gain(csr_array(rows[1:]), classes[1:])]
        scores.append(information_gain(csr_array(rows), classes))
        if neighbors is Neighbors.REPLACE:
            scores[0] = information_gain(csr_array(rows[:-1]), classes[:-1])
        worst = max(worst, float(np.abs(scores[1] - scores[0]).sum()))
    facts = PublicRows(neighbors=neighbors, bound=2, features=features, max_rows=n + 1)
    assert METHOD.l1_sensitivity(facts) == pytest.approx(8 * psi(n), rel=1e-6)
    assert worst <= METHOD.l1_sensitivity(facts)


@pytest.mark.parametrize("weighted, steps", [(False, 1), (True, 2)])
def test_a_replaced_row_of_weights_is_one_removed_and_one_added(weighted: bool, steps: int) -> None:
    facts = PublicRows(
        neighbors=Neighbors.REPLACE, bound=2, features=3, weighted=weighted, max_rows=100
    )
    assert METHOD.sensitivity(facts) == pytest.approx(steps * psi(99), rel=1e-6)
    assert METHOD.l1_sensitivity(facts) == pytest.approx(3 * steps * psi(99), rel=1e-6)


def test_few_features_bound_the_joint_change_too() -> None:
    facts = PublicRows(neighbors=Neighbors.REPLACE, bound=2, features=3, max_rows=100)
    assert METHOD.l1_sensitivity(facts) == pytest.approx(3 * psi(99), rel=1e-6)


def test_the_declared_sensitivity_pays_for_rounding() -> None:
    facts = PublicRows(neighbors=Neighbors.ADD_REMOVE, bound=2, features=3, max_rows=100_000)
    assert psi(99_999) < METHOD.sensitivity(facts) < psi(99_999) * (1 + 1e-6)
