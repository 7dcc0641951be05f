"""One-shot selection: exact loss of the set on every neighbour, and the law of its draws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import OneShot
from dpcore.mechanisms.samplers import exponential_noise
from tests.mechanisms._selection_loss import exponential_tail, fits, top_set_law, worst_loss

BASES = [[0, 0, 8, 9], [3, 1, 0, 2], [5, 5, 5, 0], [0, 40, 40, 0]]


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One cell per count, so that ties matter and sums are short."""
    monkeypatch.setattr(exponential_noise, "_RESOLUTION_BITS", 0)


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("monotone", [True, False])
def test_loss_over_all_neighbours(k: int, monotone: bool) -> None:
    mechanism = OneShot(epsilon=1.2, k=k, monotone=monotone, whole=True)

    def law(cells: np.ndarray) -> object:
        return top_set_law(cells, k, exponential_tail(mechanism.cell_scale), 400)

    worst = worst_loss(law, BASES, monotone)  # type: ignore[arg-type]
    assert worst <= 1.2 + 1e-9
    assert worst > 0.99 * 1.2


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_draws_follow_that_law(noise: SeededNoise | SystemNoise) -> None:
    mechanism, scores = OneShot(epsilon=1, k=2, whole=True), np.array([3, 1, 0, 6])
    draws = [tuple(mechanism.draw(scores.astype(float), noise).tolist()) for _ in range(8000)]
    assert fits(draws, top_set_law(scores, 2, exponential_tail(mechanism.cell_scale), 400))


def test_the_order_is_not_released() -> None:
    drawn = OneShot(epsilon=100, k=3).draw(np.array([1.0, 9.0, 5.0]), SeededNoise(0))
    assert drawn.tolist() == [0, 1, 2]


def test_general_scores_need_twice_the_noise() -> None:
    once, twice = (OneShot(epsilon=1, k=5, monotone=m, whole=True).scale for m in (True, False))
    assert twice == pytest.approx(2 * once, rel=1e-9)
    assert once == pytest.approx(5, rel=1e-9)


def test_loss_is_epsilon() -> None:
    assert OneShot(epsilon=Fraction(1, 3), k=3).loss == Loss(Fraction(1, 3))


@pytest.mark.parametrize("arguments", [{"epsilon": 0}, {"k": 0}, {"sensitivity": -1}])
def test_bad_arguments(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        OneShot(**({"epsilon": 1, "k": 1} | arguments))  # type: ignore[arg-type]
