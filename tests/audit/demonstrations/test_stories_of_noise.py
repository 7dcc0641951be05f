"""The printed noise of medians is too little."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Neighbors
from dpcore.audit import Pair, audit, presets
from dpcore.audit.demonstrations.stories import (
    _MEDIANS_PUBLISHED_MECHANISM,
    _SMOOTH_PUBLISHED_MECHANISM,
    ComparedCounts,
)
from dpcore.audit.target import Repeatable
from dpcore.noise import SeededNoise

MECHANISMS = {
    "smooth-published": _SMOOTH_PUBLISHED_MECHANISM,
    "recursive-medians": _MEDIANS_PUBLISHED_MECHANISM,
}


def test_every_draw_tells_which_data_set_it_was() -> None:
    preset = presets()["naive-reuse"]
    result = audit(preset.target(), preset.pair, trials=400)
    assert result.violated
    assert result.chances == (1.0, 0.0)


@pytest.mark.slow
def test_large_answers_come_from_the_wider_noise() -> None:
    preset = presets()["zumel-published"]
    target, pair = preset.target(), preset.pair
    large = [
        float((target.sample(side, 3000, SeededNoise(1)) >= 0.08).mean())
        for side in (pair.d, pair.d_prime)
    ]
    # Laplace tails: scale 0.02 about 0, against 0.04 about 0.03.
    expected = 0.5 * np.exp(-0.08 / 0.02), 0.5 * np.exp(-0.05 / 0.04)
    assert large == pytest.approx(expected, abs=0.03)
    assert large[0] < 0.05 < large[1]


def test_the_exact_loss() -> None:
    assert presets()["laplace"].exact() == pytest.approx(1.0, rel=1e-3)


def test_known_seed_the_exact_loss() -> None:
    assert presets()["known-seed"].exact() == pytest.approx(math.inf, rel=1e-3)


def tables(row: list[float], other: list[float]) -> Pair:
    label = np.zeros(1, dtype=np.int64)
    return Pair(
        d=(np.array([row]), label),
        d_prime=(np.array([other]), label),
        words="another row",
        neighbors=Neighbors.REPLACE,
    )


def case(variant: int, name: str) -> ComparedCounts:
    return ComparedCounts(
        name=name,
        variant=variant,
        epsilon=1,
        threshold=0.0,
        row_bound=20,
        pair=tables([0.0] * 20 + [1.0] * 20, [1.0] * 20 + [0.0] * 20),
    )


def test_the_loss_is_that_of_the_counts() -> None:
    """20 + 20 scores cost 17.1 without a cut-off, and everything without noise on the scores."""
    assert case(6, "noisycut-published").exact() == pytest.approx(17.1, abs=0.05)
    assert case(5, "threshold-testing-published").exact() == math.inf


def test_the_target_selects_by_the_threshold() -> None:
    made = case(5, "threshold-testing-published")
    drawn = made.target().sample(made.pair.d, 50, SeededNoise(0))
    # One noisy threshold for all counts: those of 1 pass at least where those of 0 do.
    assert (drawn[:, :20] <= drawn[:, 20:40]).all()
    assert 0 < drawn[:, 20:40].mean() < 1


def test_smooth_published_the_exact_loss() -> None:
    assert presets()["smooth-published"].exact() == pytest.approx(0.1056, rel=1e-3)


def test_medians_published_the_exact_loss() -> None:
    assert presets()["recursive-medians"].exact() == pytest.approx(1.852, rel=1e-3)


@pytest.mark.parametrize("name", ["smooth-published", "recursive-medians"])
def test_records_measured_once_give_the_draws_of_records_measured_anew(name: str) -> None:
    preset = presets()[name]
    data, mechanism = preset.pair.d_prime, MECHANISMS[name]
    one_by_one = SeededNoise(5)
    alone = [mechanism.draw(data, one_by_one) for _ in range(50)]
    together = mechanism.draw_many(data, 50, SeededNoise(5))
    assert np.array(together).tolist() == np.array(alone).tolist()
    assert len(np.unique(np.array(alone))) > 3
    # This is how an attack draws.
    assert isinstance(mechanism, Repeatable)
    assert np.array_equal(
        preset.target().sample(data, 50, SeededNoise(5)), np.array(alone).reshape(50, -1)
    )
