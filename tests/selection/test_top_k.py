"""Selecting the largest of any scores."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.selection import select_top_k, selectors

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
        ({"scores": [[1.0]]}, "scores"),
        ({"neighbors": "both"}, "neighbors"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, object], name: str) -> None:
    defaults = {"scores": SCORES, "k": 1, "epsilon": 1}
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        select_top_k(**(defaults | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_a_score_that_is_no_number_is_named_by_place(odd: float) -> None:
    with pytest.raises(
        InvalidArgument, match=r"^scores\[1\] must be a finite number, got (nan|inf)"
    ):
        select_top_k([1.0, odd, 2.0], k=1, epsilon=1)
