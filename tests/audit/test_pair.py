"""A pair is what it was given."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from dpcore.audit import Pair, kinds, presets
from dpcore.audit.pair import pair_rows


def differing(pair: Pair) -> list[tuple[str, str, str]]:
    return [(row.label, row.here, row.there) for row in pair_rows(pair) if row.differs]


def test_numbers_stand_side_by_side_and_long_runs_are_folded() -> None:
    here = np.array([0.0] * 5 + [1.0, 2.0])
    rows = pair_rows(Pair(d=here, d_prime=here + (here == 2), words=""))
    assert [(row.label, row.here, row.there) for row in rows] == [
        ("numbers 1 to 5", "0", "0"),
        ("number 6", "1", "1"),
        ("number 7", "2", "3"),
    ]


def test_the_added_record_is_the_one_that_differs() -> None:
    assert differing(presets()["threshold-testing"].pair) == [("record (1, 0)", "0", "1")]
    assert differing(presets()["noisycut"].pair) == [
        ("record (100 x 0, 100 x 1)", "1", "0"),
        ("record (100 x 1, 100 x 0)", "0", "1"),
    ]
    assert differing(presets()["smooth-published"].pair) == [("record (1)", "0", "1")]


@pytest.mark.parametrize("name", kinds())
def test_every_kind_shows_a_difference(name: str) -> None:
    kind = kinds()[name]
    for method in kind.methods().values():
        for neighbors in method.neighbors:
            assert differing(kind.pairs(method, neighbors)[0]), (method.name, neighbors)


def test_what_cannot_be_shown_is_left_to_words() -> None:
    assert pair_rows(Pair(d=np.zeros(2), d_prime=np.zeros(3), words="")) == ()


def test_a_pair_cannot_be_changed() -> None:
    pair = Pair(d=[1], d_prime=[2], words="one more")
    assert pair.neighbors == "add-remove"
    with pytest.raises(FrozenInstanceError):
        pair.d = [3]  # type: ignore[misc]
