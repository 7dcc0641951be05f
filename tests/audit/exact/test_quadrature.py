"""Points and weights integrate what they should."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.exact.quadrature import laplace_density, laplace_tail, pieces


def test_quadrature() -> None:
    x, weights = pieces(np.linspace(-80, 80, 81))
    assert (weights * laplace_density(x, 2.0)).sum() == pytest.approx(1.0, abs=1e-12)
    beyond = weights[x > 4] @ laplace_density(x[x > 4], 2.0)
    assert laplace_tail(np.array([4.0]), 2.0)[0] == pytest.approx(beyond, abs=1e-12)
