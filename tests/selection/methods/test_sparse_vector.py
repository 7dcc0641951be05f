"""Sparse vector as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import RATIOS
from dpcore.selection import select_features, select_top_k
from dpcore.selection.methods.sparse_vector import CUTOFF, cutoff_of
from dpcore.selection.problem import SelectionProblem
from tests.selection.methods._selector_case import pick


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
    assert CUTOFF.check(7) == 7
    assert CUTOFF.minimum == 1


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
