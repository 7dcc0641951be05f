"""Finding experiments."""

from __future__ import annotations

import pytest

from dpcore.errors import UnknownMethod
from reproductions import experiment, experiments


def test_every_figure_has_a_name() -> None:
    wanted = [
        *(f"stoddard-figure-{n}" for n in range(1, 9)),
        "stoddard-table-1",
        *(f"barczewski-figure-{n}" for n in range(1, 11)),
        *(f"lyu-figure-{n}" for n in (2, 4, 5)),
        "lyu-algorithms",
        *(f"zafarani-figure-{n}" for n in range(4, 17)),
        "zumel-stepwise",
    ]
    assert {experiment(name).name for name in wanted} == set(experiments())


def test_they_come_in_the_order_of_the_papers() -> None:
    names = [name for name in experiments() if name.startswith(("stoddard", "zafarani"))]
    assert names == [
        *(f"stoddard-figure-{n}" for n in range(1, 9)),
        "stoddard-table-1",
        *(f"zafarani-figure-{n}" for n in (4, 13, 14)),
    ]


def test_no_two_experiments_share_a_name() -> None:
    names = [name for one in experiments().values() for name in (one.name, *one.aliases)]
    assert len(names) == len(set(names))


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownMethod, match="stoddard-table-1"):
        experiment("stoddard-table-2")
