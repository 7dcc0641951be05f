"""Retraversal as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.selection import select_top_k
from tests.selection.methods._selector_case import pick


@pytest.mark.parametrize("boost", [0, 1, 5])
def test_it_finds_the_top_and_releases_no_scores(boost: int) -> None:
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
