"""`best` as a selection method; its loss is tested with the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.selection import select_top_k
from tests.selection.methods._selector_case import misses, pick


def test_it_finds_the_top_and_releases_no_scores() -> None:
    picked = pick("best")
    assert picked.selected.tolist() == [1, 3]
    assert picked.scores is None


@pytest.mark.parametrize("monotone, scale", [(True, 1.0), (False, 2.0)])
def test_noise_is_doubled_for_general_scores(monotone: bool, scale: float) -> None:
    # With k = 1 there is one number to pick, and 95 % of epsilon picks it.
    expected = 0.5 * np.exp(-2 * 0.95 / scale)
    assert misses("best", monotone) == pytest.approx(expected, abs=0.035)


def test_it_beats_peeling_where_the_noise_hides_the_tail() -> None:
    scores = np.floor(1e5 / np.arange(1, 3001))

    def found(method: str) -> float:
        return float(
            np.mean(
                [
                    scores[
                        select_top_k(
                            scores,
                            k=200,
                            epsilon=0.1,
                            monotone=True,
                            method=method,
                            noise=SeededNoise(seed),
                        ).selected
                    ].sum()
                    for seed in range(5)
                ]
            )
        )

    assert found("best") > 1.05 * found("exponential-peeling")
