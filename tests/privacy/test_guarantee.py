"""Verdicts on methods."""

from __future__ import annotations

import pytest

from dpcore import Guarantee, Neighbors
from dpcore.errors import InvalidArgument


@pytest.mark.parametrize("relation", list(Neighbors))
def test_of_reads_names_and_members(relation: Neighbors) -> None:
    assert Neighbors.of(relation.value) is relation
    assert Neighbors.of(relation) is relation


def test_of_names_the_choices() -> None:
    with pytest.raises(InvalidArgument, match="'add-remove' or 'replace'"):
        Neighbors.of("bounded")


def test_pick_states_both() -> None:
    assert Neighbors.ADD_REMOVE.pick(add_remove=1, replace=2) == 1
    assert Neighbors.REPLACE.pick(add_remove=1, replace=2) == 2


def test_words_differ() -> None:
    assert "added or removed" in Neighbors.ADD_REMOVE.words
    assert "replaced" in Neighbors.REPLACE.words


def test_a_proven_method_holds() -> None:
    verdict = Guarantee.proven("Theorem 1")
    assert (verdict.holds, verdict.word, verdict.reason) == (True, "PROVEN", "Theorem 1")


def test_a_broken_method_does_not() -> None:
    verdict = Guarantee.broken("P(v) is 0 against 0.3")
    assert (verdict.holds, verdict.word) == (False, "BROKEN")
