"""An answer that only one data set can give."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.audit import presets


def test_the_second_feature_alone_is_possible_on_one_data_set_only() -> None:
    assert presets()["clusters"].exact() == math.inf


def test_the_probability_is_that_of_the_draws() -> None:
    preset = presets()["clusters"]
    found = preset.target().sample(preset.pair().d, 4000, SeededNoise(3))
    alone = np.mean((found[:, 0] == 0) & (found[:, 1] == 1))
    # Five and a half standard deviations: a false alarm has odds below 1e-7.
    assert abs(alone - 0.295) < 5.5 * math.sqrt(0.295 * 0.705 / 4000)


def test_the_exact_loss() -> None:
    assert presets()["noisycut"].exact() == pytest.approx(88.59, rel=1e-3)


def test_sparse_vector_3_the_exact_loss() -> None:
    assert presets()["sparse-vector-3"].exact() == pytest.approx(14.5, rel=1e-3)


def test_sparse_vector_4_the_exact_loss() -> None:
    assert presets()["sparse-vector-4"].exact() == pytest.approx(15.2, rel=1e-3)


def test_threshold_testing_the_exact_loss() -> None:
    assert presets()["threshold-testing"].exact() == pytest.approx(math.inf, rel=1e-3)
