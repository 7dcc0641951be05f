"""Agreement with the true set over the threshold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore.curves.selection.threshold_agreement import (
    AgreementPlan,
    agreements,
    by_threshold,
    has_noisy_threshold,
    noisy_threshold,
    thresholds_of,
)
from dpcore.errors import NotPrivate
from dpcore.noise import SeededNoise, SystemNoise
from dpcore.privacy import Neighbors
from dpcore.schema import Design, FeatureSpace, Schema, Text
from dpcore.selection import selectors
from dpcore.selection.problem import SelectionProblem
from dpcore.selection.run import Columns, run_selector
from dpcore.selection.scoring import RowBound

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
    told: dict[str, Any] = {"epsilon": Fraction(1, 10), "noise": SeededNoise(seed)}
    columns = Columns(scored=np.arange(400))
    chosen = run_selector("threshold-testing-published", problem(), columns, {}, **told).selected
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


WORDS = tuple(f"word{i:02d}" for i in range(30))

SPACE = FeatureSpace.of(Schema([Text("t", vocabulary=WORDS, max_words=30)]))


@pytest.fixture(scope="module")
def train() -> Design:
    rng = np.random.default_rng(0)
    matrix = (rng.random((600, 30)) < np.linspace(0.02, 0.9, 30)).astype(float)
    return Design(matrix, SPACE, rng.integers(0, 2, 600))


def plan(**more: object) -> AgreementPlan:
    told = {
        "methods": ["noisy-scores"],
        "thresholds": [100.0, 300.0],
        "epsilon": Fraction(1),
        "runs": 3,
        **more,
    }
    return AgreementPlan(**told)  # type: ignore[arg-type]


def test_thresholds_divide_the_scores() -> None:
    scores = np.array([np.nan, 1.0, 10.0, 100.0, 1000.0])
    found = thresholds_of(scores, points=5)
    assert found == sorted(found)
    above = [int(np.nansum(scores > tau)) for tau in found]
    assert above[0] == 3
    assert above[-1] == 1
    assert thresholds_of(np.array([2.0, 2.0, np.nan])) == []
    assert len(thresholds_of(np.array([-5.0, 0.0, 7.0]), points=4)) == 4


def test_every_method_that_selects_by_a_threshold_runs(train: Design) -> None:
    methods = by_threshold("total-count")
    assert {"noisy-scores", "cluster", "sparse-vector"} <= set(methods)
    # No count lies at these thresholds, where the least noise would decide.
    apart = plan(methods=methods, epsilon=Fraction(10**5), thresholds=[100.5, 300.5])
    found = agreements(train, apart, digest="a")
    for method in methods:
        for threshold in (100.5, 300.5):
            cell = found[method, threshold]
            values = np.concatenate([cell.f1, cell.jaccard, cell.precision, cell.recall])
            assert ((values >= 0) & (values <= 1)).all()
            # Clusters are coarse, whatever the noise.
            if "cluster" not in method:
                assert cell.f1.tolist() == [1.0] * 3, method


def test_more_epsilon_agrees_better(train: Design) -> None:
    def mean(epsilon: Fraction) -> float:
        found = agreements(train, plan(epsilon=epsilon), digest="a")
        return float(np.mean([cell.f1 for cell in found.values()]))

    assert mean(Fraction(1, 100)) < mean(Fraction(10))


def test_the_truth_is_judged_without_the_row_bound(train: Design) -> None:
    cut = plan(bound=RowBound(most=2), epsilon=Fraction(1_000), thresholds=[300.0])
    (cell,) = agreements(train, cut, digest="a").values()
    # With two words a row hardly any word is counted 300 times: most of the true ones are missed.
    assert cell.recall.max() < 0.5


def test_what_depends_on_a_setting_is_computed_again(train: Design) -> None:
    kept: dict = {}
    told: list[float] = []
    agreements(train, plan(), digest="a", kept=kept, progress=told.append)
    agreements(train, plan(), digest="a", kept=kept, progress=told.append)
    assert len(told) == 2
    for changed in ({"epsilon": Fraction(2)}, {"seed": 5}, {"bound": RowBound(most=3)}):
        before = len(told)
        agreements(train, plan(**changed), digest="a", kept=kept, progress=told.append)
        assert len(told) == before + 2
    agreements(train, plan(), digest="b", kept=kept, progress=told.append)
    assert len(told) == 10


def test_scores_that_need_a_bound_on_the_rows_get_one(train: Design) -> None:
    informed = plan(
        score="information-gain", thresholds=[1.0], bound=RowBound(most=4, max_rows=1_000)
    )
    assert len(agreements(train, informed, digest="a")) == 1
    assert "cluster" not in by_threshold("information-gain")


def test_methods_by_threshold_all_declare_it() -> None:
    assert all("threshold" in selectors()[name].rules for name in by_threshold("total-count"))
