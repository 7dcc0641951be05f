"""Equal counts can never be told apart."""

from __future__ import annotations

import math

import numpy as np

from dpcore import SeededNoise
from dpcore.audit import presets


def test_the_second_feature_alone_is_possible_on_one_data_set_only() -> None:
    assert presets()["clusters"].exact() == math.inf


def test_the_probability_is_that_of_the_draws() -> None:
    preset = presets()["clusters"]
    found = preset.target().sample(preset.pair().here, 4000, SeededNoise(3))
    alone = np.mean((found[:, 0] == 0) & (found[:, 1] == 1))
    # Five and a half standard deviations: a false alarm has odds below 1e-7.
    assert abs(alone - 0.295) < 5.5 * math.sqrt(0.295 * 0.705 / 4000)
