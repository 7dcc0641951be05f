"""Packages that moved answer by their old names for one minor version, and say where they are."""

from __future__ import annotations

import importlib
import sys

import pytest

import dpcore.aggregates
import dpcore.data.counting

MOVED = {"dpcore.intake": "dpcore.data.reading", "dpcore.studies.workflow": "dpcore.study"}


@pytest.mark.parametrize("old, new", MOVED.items())
def test_an_old_name_gives_the_same_things_and_a_warning(old: str, new: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(FutureWarning, match=f"{old} is {new} now"):
        package = importlib.import_module(old)
    now = importlib.import_module(new)
    assert package.__all__ == now.__all__
    assert all(getattr(package, name) is getattr(now, name) for name in now.__all__)


def test_the_public_name_of_the_counts_stays() -> None:
    assert dpcore.aggregates.__all__ == dpcore.data.counting.__all__
    assert dpcore.aggregates.ScoreHistogram is dpcore.data.counting.ScoreHistogram
