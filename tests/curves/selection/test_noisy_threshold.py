"""The noisy threshold: the very one that the selection compared with."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore.curves.selection.noisy_threshold import has_noisy_threshold, noisy_threshold
from dpcore.errors import NotPrivate
from dpcore.noise import SeededNoise, SystemNoise
from dpcore.privacy import Neighbors
from dpcore.selection.problem import SelectionProblem
from dpcore.selection.run import Account, Columns, run_selector

SCORES = np.arange(0.0, 400.0)


def problem(**rule: object) -> SelectionProblem:
    return SelectionProblem(
        scores=SCORES,
        sensitivity=1.0,
        l1_sensitivity=400.0,
        monotone=True,
        whole=True,
        neighbors=Neighbors.ADD_REMOVE,
        **(rule or {"threshold": 200.0}),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("seed", range(8))
def test_without_query_noise_it_divides_the_chosen_from_the_others(seed: int) -> None:
    account = Account(epsilon=Fraction(1, 10), noise=SeededNoise(seed), ledger=None, part=None)
    columns = Columns(scored=np.arange(400))
    chosen = run_selector("threshold-testing-published", problem(), columns, account, {}).selected
    level = noisy_threshold(
        "threshold-testing-published",
        problem(),
        epsilon=Fraction(1, 10),
        parameters={},
        noise=SeededNoise(seed),
    )
    assert level is not None
    assert np.array_equal(chosen, np.flatnonzero(level < SCORES))
    assert level != 200.0


@pytest.mark.parametrize("method", ["sparse-vector", "sparse-vector-1", "sparse-vector-4"])
def test_it_moves_with_the_seed_around_the_threshold(method: str) -> None:
    told = {"cutoff": 3}
    found = [
        noisy_threshold(
            method, problem(), epsilon=Fraction(1), parameters=told, noise=SeededNoise(seed)
        )
        for seed in range(60)
    ]
    levels = np.array(found, dtype=float)
    assert len(set(found)) > 10
    # The largest scale is 19 for Algorithm 4, run at its true loss.
    assert abs(np.median(levels) - 200.0) < 10.0


def test_by_number_it_lies_around_the_kth_score() -> None:
    level = noisy_threshold(
        "sparse-vector-retraversal",
        problem(top_k=5),
        epsilon=Fraction(10**4),
        parameters={"boost": 0.0, "ratio": "1:1"},
        noise=SeededNoise(0),
    )
    assert level == pytest.approx(394.5, abs=0.6)


def test_methods_without_one_say_so() -> None:
    told = {"epsilon": Fraction(1), "parameters": {}, "noise": SeededNoise(0)}
    assert noisy_threshold("noisy-scores", problem(), **told) is None  # type: ignore[arg-type]
    assert not has_noisy_threshold("cluster")
    assert has_noisy_threshold("noisycut-published")


def test_real_noise_is_refused() -> None:
    with pytest.raises(NotPrivate, match="trace shows"):
        noisy_threshold(
            "sparse-vector",
            problem(),
            epsilon=Fraction(1),
            parameters={},
            noise=SystemNoise(),
        )
