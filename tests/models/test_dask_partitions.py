"""Partitions on workers: kept once, added in their order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dpcore.models.dask_partitions import DaskPartitions

delayed = pytest.importorskip("dask.delayed").delayed


def joined(words: Sequence[str]) -> str:
    return f"({' '.join(words)})"


@pytest.mark.parametrize("count", [1, 2, 8, 9, 70])
def test_results_are_added_in_the_order_of_the_partitions(count: int) -> None:
    parts = DaskPartitions(tuple(delayed(int)(number) for number in range(count)))
    found = parts.folded(str, joined)
    assert found.replace("(", "").replace(")", "").split() == [str(one) for one in range(count)]
    assert found.count("(") == found.count(")")
    assert ("((" in found) == (count > 8), "a tree, so that nobody holds the results of all"


def test_what_is_kept_is_made_once() -> None:
    made: list[int] = []

    def doubled(number: int) -> int:
        made.append(number)
        return 2 * number

    parts = DaskPartitions(tuple(delayed(int)(number) for number in range(3)))
    lazy = parts.turned(doubled)
    assert made == []
    kept = lazy.kept()
    assert sorted(made) == [0, 1, 2]
    assert [kept.folded(int, sum) for _ in range(2)] == [6, 6]
    assert len(made) == 3
    assert lazy.folded(int, sum) == 6
    assert len(made) == 6
