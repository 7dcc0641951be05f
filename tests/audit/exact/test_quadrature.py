"""Points and weights integrate what they should."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.exact.quadrature import pieces


def test_quadrature() -> None:
    x, weights = pieces(np.linspace(-80, 80, 81))
    density = np.exp(-np.abs(x) / 2.0) / 4.0
    assert (weights * density).sum() == pytest.approx(1.0, abs=1e-12)
    assert (weights * density)[x > 4].sum() == pytest.approx(np.exp(-2.0) / 2.0, abs=1e-12)
