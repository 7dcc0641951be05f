"""The least epsilon of two laws at a delta."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.audit.exact.smooth_noise import epsilon_at


def test_smooth_noise_with_delta() -> None:
    here, there = np.log([0.5, 0.5]), np.log([0.9, 0.1])
    assert epsilon_at(0.0, here, there) == pytest.approx(math.log(5))
    # 0.9 - 0.5 e^x and 0.5 - 0.1 e^x are both at most 0.1.
    assert epsilon_at(0.1, here, there) == pytest.approx(math.log(4))
