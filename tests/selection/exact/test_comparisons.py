"""The scales are those of the mechanisms."""

from __future__ import annotations

import pytest

from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PUBLISHED_SPARSE_VECTORS
from dpcore.selection.exact import Comparisons

SCALES = {1: (2, 20), 2: (10, 20), 3: (2, 10), 4: (4, 4 / 3), 5: (2, 0), 6: (2, 2), 7: (2, 20)}


@pytest.mark.parametrize("algorithm", SCALES)
def test_the_table_of_the_paper(algorithm: int) -> None:
    found = Comparisons.of(algorithm, epsilon=1, cutoff=5)
    assert (found.threshold_scale, found.query_scale) == pytest.approx(SCALES[algorithm])
    if algorithm < 7:
        table = PUBLISHED_SPARSE_VECTORS[algorithm]
        assert (found.stops, found.refresh, found.numeric) == (
            table.stops,
            table.refresh,
            table.numeric,
        )


def test_monotone_scores_and_ratios_are_for_the_standard_version() -> None:
    general, monotone, split = (
        Comparisons.of(7, epsilon=1, cutoff=4, **given)  # type: ignore[arg-type]
        for given in ({}, {"monotone": True}, {"monotone": True, "ratio": "1:3"})
    )
    assert general.query_scale == pytest.approx(2 * monotone.query_scale)
    assert (split.threshold_scale, split.query_scale) == pytest.approx((4, 4 / 0.75))


def test_the_declared_loss_of_algorithm_4() -> None:
    assert Comparisons.of(4, epsilon=1, cutoff=3).declared == 4.75
    assert Comparisons.of(4, epsilon=1, cutoff=3, monotone=True).declared == 2.5


@pytest.mark.parametrize("algorithm", [0, 8])
def test_there_are_seven(algorithm: int) -> None:
    with pytest.raises(InvalidArgument, match="^algorithm must be"):
        Comparisons.of(algorithm, epsilon=1)
