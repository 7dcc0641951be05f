"""Selecting columns of a matrix: the row bound is enforced, numeric features stay, both formats."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix
from scipy.sparse import random as random_sparse

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.schema import Block, Feature, FeatureSpace
from dpcore.schema.bins import bin_numeric
from dpcore.selection import select_features, select_top_k, selectors

MIXED = FeatureSpace(
    (
        Feature("age", "numeric", "body", (0.0, 99.0)),
        Feature("height", "numeric", "body", (0.0, 3.0)),
        Feature("job=a", "indicator", "job"),
    ),
    (Block("body", "numeric", 0, 2, 2), Block("job", "one-hot", 2, 3, 1)),
)


def test_a_bin_is_selected_by_what_it_tells() -> None:
    rng = np.random.default_rng(0)
    ages = rng.uniform(0, 99, 2000)
    y = (ages > 60).astype(int)
    matrix = np.column_stack([ages, rng.uniform(1, 2, 2000), rng.integers(0, 2, 2000)])
    rows, space = bin_numeric(matrix, MIXED, {"age": (20, 40, 60)})
    picked = select_features(
        rows,
        y,
        space=space,
        method="noisy-scores",
        score="information-gain",
        max_rows=2000,
        epsilon=5,
        top_k=1,
        noise=SeededNoise(0),
    )
    names = [space.names[place] for place in picked.selected]
    assert names == ["age:[60, inf)", "height"]


SCORES = [5.0, 100.0, 20.0, 80.0]


@pytest.mark.parametrize("method", ["exponential-peeling", "noisy-scores"])
def test_much_epsilon_finds_the_top(method: str) -> None:
    picked = select_top_k(SCORES, k=2, epsilon=1000, method=method, noise=SeededNoise(0))
    assert picked.selected.tolist() == [1, 3]


def test_noisy_scores_pay_for_every_score() -> None:
    """Without a joint sensitivity, n scores of sensitivity s can move by n s together."""
    draws = [
        select_top_k(
            np.zeros(5), k=1, epsilon=1, sensitivity=2, method="noisy-scores", noise=SeededNoise(s)
        ).scores
        for s in range(300)
    ]
    assert np.abs(draws).mean() == pytest.approx(10, rel=0.2)


def test_monotone_scores_need_half_the_noise() -> None:
    def hits(monotone: bool) -> int:
        return sum(
            select_top_k(
                [0.0, 3.0],
                k=1,
                epsilon=1,
                method="exponential-peeling",
                monotone=monotone,
                noise=SeededNoise(seed),
            ).selected[0]
            for seed in range(2000)
        )

    assert hits(True) / 2000 == pytest.approx(1 / (1 + np.exp(-3)), abs=0.03)
    assert hits(False) / 2000 == pytest.approx(1 / (1 + np.exp(-1.5)), abs=0.04)


def test_system_noise_is_not_simulated() -> None:
    ledger = Ledger(Loss(1))
    picked = select_top_k(SCORES, k=3, epsilon=1, noise=SystemNoise(), ledger=ledger)
    assert picked.simulated is False
    assert picked.selected.size == np.unique(picked.selected).size == 3
    assert ledger.spent == Loss(1)


def fastest(method: str, scores: np.ndarray, noise: NoiseSource) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        select_top_k(scores, k=300, epsilon="0.1", monotone=True, method=method, noise=noise)
        times.append(time.process_time() - start)
    return min(times)


def zipf(items: int) -> np.ndarray:
    return np.random.default_rng(0).permutation(np.floor(1e6 / np.arange(1, items + 1)))


QUICK = [
    name
    for name, method in selectors().items()
    if "top_k" in getattr(method, "rules", ()) and name not in ("cluster", "joint")
]


@pytest.mark.few(3)
@pytest.mark.parametrize("method", QUICK)
def test_41_000_items_take_milliseconds(method: str) -> None:
    """The bar is 50 ms and the benchmark keeps it; here three times that, for busy machines."""
    assert fastest(method, zipf(41_000), SeededNoise(0)) < 0.15


def test_best_takes_less_than_a_second_for_millions() -> None:
    assert fastest("best", zipf(2_300_000), SeededNoise(0)) < 1.0


@pytest.mark.parametrize(
    "arguments, name",
    [
        ({"k": 0}, "k"),
        ({"k": 5}, "k"),
        ({"sensitivity": 0}, "sensitivity"),
        ({"scores": []}, "scores"),
        ({"scores": np.ones((1, 1))}, "scores"),
        ({"neighbors": "both"}, "neighbors"),
        ({"scores": {"a": 1.0}}, "scores"),
        ({"monotone": "no"}, "monotone"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, object], name: str) -> None:
    defaults = {"scores": SCORES, "k": 1, "epsilon": 1}
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        select_top_k(**(defaults | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize("odd", [np.nan, np.inf, "a"])
def test_a_score_that_is_no_number_is_named_by_place(odd: Any) -> None:
    with pytest.raises(
        InvalidArgument, match=r"^scores\[1\] must be a finite number, got (nan|inf)"
    ):
        select_top_k([1.0, odd, 2.0], k=1, epsilon=1)


EPSILON = 1000  # noise of a thousandth: rounds to none

COMMON = {"method": "noisy-scores", "epsilon": EPSILON, "noise": SeededNoise(0)}

SPACE = FeatureSpace(
    (
        Feature("age", "numeric", "age", (0.0, 9.0)),
        Feature("job=a", "indicator", "job"),
        Feature("job=b", "indicator", "job"),
        Feature("text:0", "indicator", "text"),
        Feature("text:1", "indicator", "text"),
        Feature("text:2", "indicator", "text"),
    ),
    (
        Block("age", "numeric", 0, 1, 1),
        Block("job", "one-hot", 1, 3, 1),
        Block("text", "bag", 3, 6, 2),
    ),
)


@pytest.mark.parametrize("matrix", [[1.0, 0.0], [["canary", "b"]], np.zeros((2, 2, 2)), None])
def test_what_is_no_matrix_is_refused_without_a_word_of_it(matrix: object) -> None:
    with pytest.raises(InvalidArgument, match="^X must be a matrix of numbers") as refused:
        select_features(matrix, top_k=1, **COMMON)  # type: ignore[arg-type]
    assert "canary" not in str(refused.value)


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_truncated_total_counts(seed: int, most: int) -> None:
    rows = (np.random.default_rng(seed).random((20, 6)) < 0.5).astype(float)
    picked = select_features(rows, top_k=2, max_nonzeros=most, **COMMON)
    counted = (rows * (np.cumsum(rows, axis=1) <= most)).sum(axis=0)
    np.testing.assert_array_equal(picked.scores, counted)
    expected = np.sort(np.argsort(-counted, kind="stable")[:2])
    np.testing.assert_array_equal(picked.selected, expected)


@given(st.integers(0, 10**6))
def test_sparse_is_dense(seed: int) -> None:
    rows = np.random.default_rng(seed).integers(0, 3, (15, 5)).astype(float)
    kinds = [
        select_features(
            matrix, method="noisy-scores", epsilon=1, threshold=3, noise=SeededNoise(seed)
        )
        for matrix in (rows, csr_array(rows))
    ]
    np.testing.assert_array_equal(kinds[0].selected, kinds[1].selected)
    np.testing.assert_array_equal(kinds[0].scores, kinds[1].scores)


def test_numeric_features_are_always_kept_and_not_scored() -> None:
    rows = np.array([[5.0, 1, 0, 1, 1, 1], [0.0, 1, 0, 0, 1, 0], [8.0, 0, 1, 0, 1, 0]])
    picked = select_features(rows, space=SPACE, top_k=2, **COMMON)
    assert picked.selected.tolist() == [0, 1, 4]
    assert np.isnan(picked.scores[0])
    # The third word of the first row is beyond the bound of two.
    assert picked.scores[1:].tolist() == [2, 1, 1, 3, 0]
    assert SPACE.take(picked.selected).names == ("age", "job=a", "text:1")


def noise_scale(**arguments: object) -> float:
    zeros = np.zeros((0, 6))
    draws = [
        select_features(
            zeros, method="noisy-scores", epsilon=1, top_k=1, noise=SeededNoise(seed), **arguments
        ).scores
        for seed in range(300)
    ]
    return float(np.nanmean(np.abs(draws)))


def test_noise_grows_with_the_bound_not_with_the_features() -> None:
    one, three, six = (noise_scale(max_nonzeros=most) for most in (1, 3, 6))
    assert three / one == pytest.approx(3, rel=0.2)
    assert six / one == pytest.approx(6, rel=0.2)
    assert noise_scale() == pytest.approx(six)
    assert noise_scale(max_nonzeros=100) == pytest.approx(six)


def test_the_bound_of_the_space_counts() -> None:
    assert noise_scale(space=SPACE) == pytest.approx(noise_scale(max_nonzeros=3), rel=0.2)
    assert noise_scale(space=SPACE, max_nonzeros=1) == pytest.approx(
        noise_scale(max_nonzeros=1), rel=0.2
    )


def test_replace_doubles_the_noise() -> None:
    double = noise_scale(max_nonzeros=2, neighbors="replace")
    assert double == pytest.approx(2 * noise_scale(max_nonzeros=2), rel=0.2)


@pytest.fixture(scope="module")
def large() -> csr_array:
    rng = np.random.default_rng(0)
    return csr_array(random_sparse(100_000, 30_000, density=1e-3, rng=rng, format="csr"))


@pytest.mark.few(1)
@pytest.mark.spanning
@pytest.mark.parametrize("method", ["noisy-scores", "cluster", "best"])
@pytest.mark.parametrize("score", ["total-count", "difference-count", "information-gain"])
@pytest.mark.parametrize("row_bound", ["truncate", "weight"])
def test_a_large_sparse_matrix_is_quick(
    large: csr_array, method: str, score: str, row_bound: str
) -> None:
    if method == "cluster" and score == "information-gain":
        pytest.skip("clusters have no information gain")
    start = time.process_time()
    picked = select_features(
        large,
        np.arange(100_000) % 2,
        method=method,
        score=score,
        epsilon=1,
        top_k=300,
        max_nonzeros=20,
        row_bound=row_bound,
        max_rows=100_000,
        noise=SeededNoise(0),
    )
    assert picked.selected.size == 300
    assert time.process_time() - start < 5.0


def test_nothing_to_score() -> None:
    space = FeatureSpace((Feature("age", "numeric", "age", (0.0, 9.0)),))
    picked = select_features(np.ones((3, 1)), space=space, threshold=1, **COMMON)
    assert picked.selected.tolist() == [0]


def test_lists_and_data_frames() -> None:
    rows = [[0, 1, 1], [0, 1, 0]]
    for same in (rows, pd.DataFrame(rows), csr_matrix(rows)):
        picked = select_features(same, top_k=1, **COMMON)
        assert picked.selected.tolist() == [1]


def test_a_space_learned_from_the_data_needs_simulated_noise() -> None:
    from dataclasses import replace

    from dpcore.errors import PrivateInference
    from tests.models._records import SPACE

    marked = replace(SPACE, taken_from_data=frozenset({"age.bounds"}))
    X = np.zeros((3, len(SPACE.features)))
    with pytest.raises(PrivateInference, match=r"age\.bounds"):
        select_features(X, method="none", space=marked)
    select_features(X, method="none", space=marked, noise=SeededNoise(0))


def test_numbers_alone_leave_nothing_to_choose_and_it_costs_nothing() -> None:
    numbers = FeatureSpace(MIXED.features[:2], MIXED.blocks[:1])
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match="all numbers, which are always kept; cut them"):
        select_features(
            [[29.9, 1.5], [30.0, 1.8], [np.nan, 1.7], [88.0, 2.0]],
            np.array([0, 1, 0, 1]),
            space=numbers,
            method="one-shot",
            epsilon=1,
            top_k=2,
            noise=SeededNoise(0),
            ledger=ledger,
        )
    assert ledger.spent == Loss(0)
