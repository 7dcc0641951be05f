"""Sparse vector as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.mechanisms.threshold.sparse_vector import RATIOS
from dpcore.selection import select_features, select_top_k, selectors
from dpcore.selection.methods.sparse_vector import METHOD, cutoff_of
from dpcore.selection.problem import SelectionProblem
from tests.selection.methods._selector_case import SCORES, pick

PUBLISHED_ROWS = (np.arange(8) < np.arange(1, 41)[:, None] % 9).astype(float)

COUNTS = PUBLISHED_ROWS.sum(axis=0)


@pytest.mark.parametrize("variant", [1, 2, 3, 4])
def test_by_number_it_finds_the_top(variant: int) -> None:
    picked = pick(f"sparse-vector-{variant}", epsilon=100_000)
    assert picked.selected.tolist() == [1, 3]


def test_only_the_numeric_variant_releases_scores() -> None:
    assert pick("sparse-vector-1").scores is None
    scores = pick("sparse-vector-3", epsilon=100_000).scores
    assert scores is not None
    np.testing.assert_allclose(scores[[1, 3]], SCORES[[1, 3]], atol=1)
    assert np.isnan(scores[[0, 2, 4, 5]]).all()


NAMES = [*(f"sparse-vector-{n}" for n in range(1, 7)), "threshold-testing-published"]


@pytest.mark.parametrize("name", [*NAMES, "noisycut-published"])
def test_as_published_it_selects_what_lies_above(name: str) -> None:
    picked = select_features(
        PUBLISHED_ROWS,
        method=name,
        threshold=20.5,
        epsilon=100_000,
        noise=SeededNoise(0),
    )
    assert picked.selected.tolist() == np.flatnonzero(COUNTS > 20.5).tolist()
    assert [charge.loss for charge in picked.charges] == [Loss(100_000)]


@pytest.mark.parametrize("name", ["threshold-testing-published", "noisycut-published"])
def test_without_a_cut_off_there_is_no_number_to_ask_for(name: str) -> None:
    with pytest.raises(InvalidArgument, match="selects by threshold"):
        select_features(
            PUBLISHED_ROWS,
            method=name,
            top_k=2,
            epsilon=1,
            noise=SeededNoise(0),
        )


@pytest.mark.parametrize(
    "name, part",
    [
        ("sparse-vector-3", "without bound"),
        ("threshold-testing-published", ".316 against 0"),
        ("noisycut-published", "17.1"),
    ],
)
def test_the_counterexample_is_told(name: str, part: str) -> None:
    method = selectors()[name]
    assert method.guarantee.word == "BROKEN"
    assert part in method.guarantee.reason
    with pytest.raises(NotPrivate, match=part):
        select_features(
            PUBLISHED_ROWS,
            method=name,
            threshold=3,
            epsilon=1,
            noise=SystemNoise(),
        )


def test_variant_4_runs_at_its_true_loss() -> None:
    """c = 3 and monotone counts: at epsilon 5/2 it has the noise that was published for 1."""

    def hits(method: str, epsilon: float) -> float:
        found = [
            select_features(
                np.eye(2)[[0] * 3],
                method=method,
                threshold=1.5,
                cutoff=3,
                epsilon=epsilon,
                noise=SeededNoise(seed),
            ).selected.size
            for seed in range(400)
        ]
        return float(np.mean(found))

    assert hits("sparse-vector-4", 25) > hits("sparse-vector-4", 2.5)
    assert "(1 + 6c)/4" in selectors()["sparse-vector-4"].guarantee.reason


VARIANTS = {
    **{f"sparse-vector-{variant}": variant for variant in range(1, 7)},
    "threshold-testing-published": 5,
    "noisycut-published": 6,
}


def test_each_is_declared_once_with_the_verdict_of_its_variant() -> None:
    published = [one for one in METHOD if one.name in VARIANTS]
    assert [one.name for one in METHOD if one not in published] == [
        "sparse-vector",
        "sparse-vector-retraversal",
    ]
    assert {one.name for one in published} == set(VARIANTS)
    assert len(published) == len(VARIANTS)
    for one in published:
        variant = VARIANTS[one.name]
        assert one.guarantee is PUBLISHED_SPARSE_VECTORS[variant].guarantee
        assert one.rules == (("threshold",) if variant > 4 else ("top_k", "threshold"))
        assert selectors()[one.name] is one


@pytest.mark.parametrize("boost", [0, 1, 5])
def test_sparse_vector_retraversal_it_finds_the_top_and_releases_no_scores(boost: int) -> None:
    picked = pick("sparse-vector-retraversal", boost=boost)
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


def test_it_is_more_accurate_than_one_pass() -> None:
    scores = np.floor(1e4 / np.arange(1, 501))

    def found(method: str, **parameters: float) -> float:
        picks = [
            select_top_k(
                scores,
                k=20,
                epsilon=0.1,
                monotone=True,
                method=method,
                noise=SeededNoise(seed),
                **parameters,
            ).selected
            for seed in range(20)
        ]
        return float(np.mean([scores[pick].sum() for pick in picks]))

    assert found("sparse-vector-retraversal", boost=5) > 1.2 * found("sparse-vector")


def test_the_boost_has_a_range() -> None:
    with pytest.raises(InvalidArgument, match="^boost must be between 0"):
        pick("sparse-vector-retraversal", boost=9)


def problem(**rule: float) -> SelectionProblem:
    return SelectionProblem(
        scores=np.zeros(3),
        sensitivity=1,
        l1_sensitivity=1,
        monotone=True,
        whole=True,
        neighbors=Neighbors.ADD_REMOVE,
        **rule,  # type: ignore[arg-type]
    )


def test_the_number_asked_for_counts_first() -> None:
    assert cutoff_of(problem(top_k=2), 50) == 2
    assert cutoff_of(problem(threshold=1.0), 50) == 50


def test_it_is_a_whole_number_from_one() -> None:
    _, cutoff = METHOD[0].parameters
    assert cutoff.check(7) == 7
    assert cutoff.minimum == 1


def test_every_split_of_the_budget_can_be_asked_for() -> None:
    assert METHOD[0].parameters[0].choices == METHOD[1].parameters[0].choices == RATIOS


ROWS = (np.arange(8) < np.arange(1, 41)[:, None] % 9).astype(float)


@pytest.mark.parametrize("ratio", RATIOS)
def test_it_finds_the_top_and_releases_no_scores(ratio: str) -> None:
    picked = pick("sparse-vector", ratio=ratio)
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


def test_by_threshold_it_selects_what_lies_above() -> None:
    counts = ROWS.sum(axis=0)
    picked = select_features(
        ROWS, method="sparse-vector", threshold=20.5, epsilon=1000, noise=SeededNoise(0)
    )
    assert picked.selected.tolist() == np.flatnonzero(counts > 20.5).tolist()


def test_the_cut_off_stops_it() -> None:
    picked = select_features(
        ROWS, method="sparse-vector", threshold=0, cutoff=3, epsilon=1000, noise=SeededNoise(0)
    )
    assert picked.selected.size == 3


def test_an_unknown_ratio_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="^ratio must be one of"):
        pick("sparse-vector", ratio="2:1")
