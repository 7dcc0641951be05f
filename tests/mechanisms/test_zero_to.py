"""Whole numbers from a range: all of them, equally often, with no turn begun and not finished."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise, SystemNoise
from dpcore.mechanisms.zero_to import zero_to
from tests.statistical.fit import FALSE_ALARM, chi_square_p


@pytest.mark.parametrize("noise", [SeededNoise(3), SystemNoise()])
def test_every_number_is_equally_likely(noise: SeededNoise | SystemNoise) -> None:
    counts = np.bincount(zero_to(7, 20_000, noise), minlength=7)
    assert chi_square_p(counts, np.full(7, 1 / 7)) > FALSE_ALARM
    tilted = np.array([1.3] + [1.0] * 6)
    assert chi_square_p(counts, tilted / tilted.sum()) < FALSE_ALARM


def test_the_last_incomplete_turn_is_drawn_again() -> None:
    class Late:
        """First the last of 2^52 numbers, then the first."""

        answers = (1.0 - 2.0**-53, 0.0)
        asked = 0

        def uniform(self, size: int) -> np.ndarray:
            self.asked += 1
            return np.full(size, self.answers[self.asked - 1])

    source = Late()
    assert zero_to(3, 1, source).tolist() == [0]  # type: ignore[arg-type]
    assert source.asked == 2


def test_one_choice() -> None:
    assert zero_to(1, 3, SeededNoise(0)).tolist() == [0, 0, 0]
