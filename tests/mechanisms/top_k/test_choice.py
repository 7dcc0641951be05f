"""The public numbers that all choices of k share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import BestTop, CanonicalTop, ExponentialPeeling, JointTop, OneShot, top_k
from dpcore.mechanisms.top_k import NoisyTop, TopChoice, largest
from dpcore.mechanisms.top_k.peeling import PermuteAndFlip
from tests.mechanisms._selection_loss import exponential_tail, fits, top_set_law

CELLS = np.array([0, 9, 3, 3, 8, 1])


@pytest.mark.few(2)
@pytest.mark.parametrize("head", [2, 3, 4096])
@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_the_law_of_a_top(head: int, scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "_HEAD", head)
    law = top_set_law(CELLS, 2, exponential_tail(scale), 200)
    noise = SeededNoise(0)
    draws = [tuple(NoisyTop(CELLS, 2).take(2, scale, noise).tolist()) for _ in range(8000)]
    assert fits(draws, law)
    assert not fits(draws, top_set_law(CELLS, 2, exponential_tail(1.3 * scale), 300))


@pytest.mark.parametrize("head", [5, 4096])
def test_takes_do_not_overlap(head: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "_HEAD", head)
    noise = SeededNoise(1)
    for _ in range(200):
        pool = NoisyTop(np.arange(9) % 4, 6)
        taken = np.concatenate([pool.take(size, 6.0, noise) for size in (2, 1, 3)])
        assert np.unique(taken).size == 6
        assert sorted([*taken.tolist(), *pool.left().tolist()]) == list(range(9))


def test_ties_go_to_the_lower_position() -> None:
    positions = np.array([4, 2, 0, 1])
    assert largest(np.array([7, 7, 9, 7]), positions, 3).tolist() == [0, 1, 2]


def test_more_than_there_are() -> None:
    with pytest.raises(InvalidArgument, match="^k must be at most the number of candidates, 2"):
        NoisyTop(np.zeros(2, dtype=np.int64), 3)


CHOICES = [BestTop, CanonicalTop, ExponentialPeeling, JointTop, OneShot, PermuteAndFlip]


@pytest.mark.parametrize("mechanism", CHOICES)
def test_every_choice_of_k_has_them(mechanism: type[TopChoice]) -> None:
    chosen = mechanism(epsilon="0.3", k=2, sensitivity=2.0, whole=True)
    assert chosen.loss == Loss(Fraction(3, 10))
    assert chosen.guarantee.holds
    assert not hasattr(TopChoice, "draw")


@pytest.mark.parametrize("whole, sensitivity", [(True, 3.0), (False, 0.7)])
def test_monotone_scores_move_half_as_far_apart(whole: bool, sensitivity: float) -> None:
    general, monotone = (
        TopChoice(epsilon=1, k=1, sensitivity=sensitivity, whole=whole, monotone=monotone)
        for monotone in (False, True)
    )
    assert general.moves == 2 * monotone.moves == 2 * monotone.grid.steps
    assert monotone.moves * monotone.grid.cell >= sensitivity


@pytest.mark.parametrize("mechanism", CHOICES)
@pytest.mark.parametrize("bad", [{"epsilon": 0}, {"k": 0}, {"sensitivity": -1.0}])
def test_bad_numbers_are_named(mechanism: type[TopChoice], bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(bad))):
        mechanism(**{"epsilon": 1, "k": 1} | bad)


def test_the_canonical_choice_checks_its_own_number_too() -> None:
    with pytest.raises(InvalidArgument, match="outside"):
        CanonicalTop(epsilon=1, k=1, outside=1.5)


@given(data=st.data(), whole=st.booleans(), k=st.integers(1, 4), kinds=st.integers(1, 6))
def test_merged_scores_move_no_further_and_are_few(
    data: st.DataObject, whole: bool, k: int, kinds: int
) -> None:
    chosen = TopChoice(epsilon=1, k=k, sensitivity=1.0, whole=whole)
    size = data.draw(st.integers(k, 12))
    number = st.integers(-9, 9) if whole else st.floats(-9, 9)
    moved = st.integers(0, 1) if whole else st.floats(0, 1)
    scores = np.array(data.draw(st.lists(number, min_size=size, max_size=size)), dtype=float)
    rises = np.array(data.draw(st.lists(moved, min_size=size, max_size=size)), dtype=float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(top_k, "_MOST_PAIRS", kinds * k)
        here, there = chosen.few_cells(scores), chosen.few_cells(scores + rises)
    assert np.unique(here).size <= max(kinds, 1) or size <= kinds
    assert (there - here).min() >= 0
    assert (there - here).max() <= chosen.grid.steps
    order = np.argsort(scores, kind="stable")
    assert (np.diff(here[order]) >= 0).all()


@pytest.mark.parametrize("mechanism", [JointTop, CanonicalTop])
def test_the_number_of_distinct_scores_decides_nothing(
    mechanism: type[TopChoice], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a refusal after the charge nor memory without bound."""
    monkeypatch.setattr(top_k, "_MOST_PAIRS", 30)
    chosen = mechanism(epsilon=50, k=3, monotone=True, whole=True)
    for scores in (np.arange(40.0), np.zeros(40), np.arange(40.0) // 4):
        drawn = chosen.draw(scores, SeededNoise(0))  # type: ignore[attr-defined]
        assert np.unique(drawn).size == 3
        assert np.unique(chosen.few_cells(scores)).size <= 10


@pytest.mark.parametrize("k", [1, 3])
def test_few_candidates_are_not_merged(k: int) -> None:
    choice = TopChoice(epsilon=1, k=k)
    scores = np.linspace(0.0, 0.5, 50)
    assert (choice.few_cells(scores) == choice.cells(scores)).all()
