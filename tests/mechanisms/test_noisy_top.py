"""Tops from a pool: thinned or not, the law is that of noise on every candidate."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import noisy_top
from dpcore.mechanisms.noisy_top import NoisyTop, largest
from tests.mechanisms._selection_loss import exponential_tail, fits, top_set_law

CELLS = np.array([0, 9, 3, 3, 8, 1])


@pytest.mark.parametrize("head", [2, 3, 4096])
@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_the_law_of_a_top(head: int, scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noisy_top, "_HEAD", head)
    law = top_set_law(CELLS, 2, exponential_tail(scale), 200)
    noise = SeededNoise(0)
    draws = [tuple(NoisyTop(CELLS, 2).take(2, scale, noise).tolist()) for _ in range(8000)]
    assert fits(draws, law)
    assert not fits(draws, top_set_law(CELLS, 2, exponential_tail(1.3 * scale), 300))


@pytest.mark.parametrize("head", [5, 4096])
def test_takes_do_not_overlap(head: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noisy_top, "_HEAD", head)
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
