"""Errors of selecting the largest counts."""

from __future__ import annotations

import numpy as np
import pytest

from reproductions import PaperData
from reproductions.lyu.top_counts import TopCounts, measure_top_counts, zipf


def test_zipf_falls_as_one_over_the_rank() -> None:
    counts = zipf(1000)
    assert counts.sum() == pytest.approx(1e6, rel=0.01)
    assert counts[9] / counts[0] == pytest.approx(0.1, rel=0.01)
    assert (np.diff(counts) <= 0).all()


@pytest.mark.parametrize("epsilon, least, most", [("100", 0.0, 0.02), ("0.0001", 0.6, 1.0)])
def test_errors_are_those_of_the_selection(epsilon: str, least: float, most: float) -> None:
    settings = TopCounts(runs=2, epsilon=epsilon, cuts=(20,), items=1000)
    methods = {"EM": ("exponential-peeling", {}, "published")}
    score, missed = measure_top_counts(settings, PaperData(None), methods)  # type: ignore[arg-type]
    assert least <= score.value <= most
    assert least <= missed.value <= max(most, 0.06)
