"""Equal counts can never be told apart."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.audit import presets
from dpcore.audit.presets.clusters import _only_the_second


def test_the_second_feature_alone_is_possible_on_one_data_set_only() -> None:
    pair = presets()["clusters"].pair()
    assert _only_the_second(pair.here) == pytest.approx(0.295, abs=5e-4)
    assert _only_the_second(pair.there) == 0.0
    assert presets()["clusters"].exact() == math.inf


def test_apart_on_both_data_sets_it_is_possible_on_both() -> None:
    assert 0.0 < _only_the_second(np.array([[6.0], [8.0]])) < 1.0


def test_the_probability_is_that_of_the_draws() -> None:
    preset = presets()["clusters"]
    found = preset.target().sample(preset.pair().here, 4000, SeededNoise(3))
    alone = np.mean((found[:, 0] == 0) & (found[:, 1] == 1))
    # Five and a half standard deviations: a false alarm has odds below 1e-7.
    assert abs(alone - 0.295) < 5.5 * math.sqrt(0.295 * 0.705 / 4000)
