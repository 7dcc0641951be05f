"""The printed calibration breaks its promise, by the counterexample of its label."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Ledger, SystemNoise
from dpcore.errors import NotPrivate
from dpcore.mechanisms import (
    Deviation,
    Grouped,
    PublishedSmoothCauchy,
    SmoothCauchy,
    cauchy_loss,
    cauchy_rate,
)
from dpcore.release import release


def records(*values: float) -> Grouped:
    return Grouped(np.array(values)[:, np.newaxis], np.zeros(len(values), dtype=np.int64))


def loss(kind: type[SmoothCauchy]) -> float:
    mechanism = kind(epsilon=0.1, statistic=Deviation())
    five, six = records(*[-1.0] * 5), records(*[-1.0] * 5, 1.0)
    (f, s), (g, t) = (mechanism.centres_and_scales(one) for one in (five, six))
    return cauchy_loss(float(abs(f - g)[0, 0]), float(s[0, 0]), float(t[0, 0]))


def test_the_counterexample_of_the_label() -> None:
    assert loss(PublishedSmoothCauchy) == pytest.approx(0.117, abs=0.0005)
    assert "0.117" in PublishedSmoothCauchy.guarantee.reason
    assert loss(SmoothCauchy) < 0.1


@pytest.mark.parametrize("epsilon, factor", [(0.001, 1.22), (2.0, 1.02)])
def test_the_worst_case_of_the_formula(epsilon: float, factor: float) -> None:
    """Scales a factor e^epsilon apart, statistics one sensitivity apart."""
    scale = PublishedSmoothCauchy(epsilon=epsilon, statistic=Deviation()).noise_factor
    assert cauchy_loss(1.0, scale, scale * math.exp(epsilon)) / epsilon == pytest.approx(
        factor, abs=0.01
    )


def test_no_scale_would_help_with_that_beta() -> None:
    assert cauchy_rate(1.0, 0.999999) < 0.01


def test_it_is_refused_with_real_noise() -> None:
    mechanism = PublishedSmoothCauchy(epsilon=1, statistic=Deviation())
    with pytest.raises(NotPrivate):
        release(mechanism, records(0.5), label="", ledger=Ledger(), noise=SystemNoise())
