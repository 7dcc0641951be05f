"""K-norm noise costs the norm of the change."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit import Pair, exact_loss
from dpcore.mechanisms.counts.k_norm_counts import KNormCounts


def pair(here: object, there: object) -> Pair:
    return Pair(here=np.array(here), there=np.array(there), words="")


def test_k_norms_cost_the_largest_change() -> None:
    assert exact_loss(KNormCounts(epsilon=1), pair([1, 1], [2, 0])) == pytest.approx(1)
    assert exact_loss(KNormCounts(epsilon=1), pair([1, 1], [3, 1])) == pytest.approx(2)
