"""The width of the noise gives the comparison away."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit import audit, presets
from dpcore.noise import SeededNoise


def test_every_draw_tells_which_data_set_it_was() -> None:
    preset = presets()["naive-reuse"]
    result = audit(preset.target(), preset.pair(), trials=400)
    assert result.violated
    assert result.chances == (1.0, 0.0)


def test_large_answers_come_from_the_wider_noise() -> None:
    preset = presets()["zumel-published"]
    target, pair = preset.target(), preset.pair()
    large = [
        float((target.sample(side, 3000, SeededNoise(1)) >= 0.08).mean())
        for side in (pair.here, pair.there)
    ]
    # Laplace tails: scale 0.02 about 0, against 0.04 about 0.03.
    expected = 0.5 * np.exp(-0.08 / 0.02), 0.5 * np.exp(-0.05 / 0.04)
    assert large == pytest.approx(expected, abs=0.03)
    assert large[0] < 0.05 < large[1]
