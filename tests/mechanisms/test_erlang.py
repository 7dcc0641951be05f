"""Erlang variables: sums of exponentials."""

from __future__ import annotations

import numpy as np

from dpcore import SeededNoise
from dpcore.mechanisms.erlang import erlang


def test_it_is_positive_and_repeatable() -> None:
    assert erlang(3, SeededNoise(1)) == erlang(3, SeededNoise(1)) > 0


def test_mean_is_the_shape() -> None:
    noise = SeededNoise(2)
    draws = [erlang(4, noise) for _ in range(20_000)]
    # The standard error is 2 / sqrt(20000), so 0.1 is seven of them.
    assert abs(np.mean(draws) - 4.0) < 0.1
