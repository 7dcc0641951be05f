"""Noise of one law for one-hot blocks of several classes: draws, variances and exact losses."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.regression.signed_blocks import ContrastsOfBlocks, SignedBlocks
from tests.mechanisms.regression._contrasts_density import log_density
from tests.statistical.fit import FALSE_ALARM, continuous_p

RATE = 0.25
DRAWS = 1_500


def cdf(weights: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Of weighted Laplace variables of scale 1, from their characteristic function."""
    step, at = np.arange(0.005, 120.0, 0.01), np.linspace(-40, 40, 1601)
    waves = np.prod([1.0 / (1.0 + (weight * step) ** 2) for weight in weights], axis=0)
    return at, 0.5 + 0.01 / np.pi * np.sin(np.outer(at, step)) @ (waves / step)


@pytest.mark.parametrize(
    "n_classes, weights, scale",
    [(3, [1.0] * 2, 0.5), (4, [1.0] * 3, 0.5), (5, [0.8, *[0.2] * 4], 1.0)],
)
def test_a_single_entry_adds_laplace_noise(
    n_classes: int, weights: list[float], scale: float
) -> None:
    """Of each pair that a class is in, or less the mean of all."""
    at, below = cdf(weights)
    law, noise = ContrastsOfBlocks(rate=RATE, sizes=(1,), n_classes=n_classes), SeededNoise(1)
    for one in np.array([law.sample(noise)[:, 0] for _ in range(DRAWS)]).T:
        # Both signs are as likely, so that sizes tell scales apart, and twice as far.
        assert stats.binomtest(int((one > 0).sum()), DRAWS).pvalue > FALSE_ALARM
        for factor in (0.7, 1.0, 1.3):
            found = np.abs(factor * one) * RATE / scale
            p = continuous_p(found, lambda x: 2.0 * np.interp(x, at, below) - 1.0)
            assert (p > FALSE_ALARM) is (factor == 1.0), factor


def mixing(n_classes: int) -> np.ndarray:
    """Up to four classes one column for each pair of them, else one for each class."""
    alone = np.eye(n_classes)
    if n_classes > 4:
        return alone - alone.mean(axis=0)
    return np.array([one - other for one, other in combinations(alone, 2)]).T


@pytest.mark.parametrize("n_classes", [3, 4, 6])
@pytest.mark.parametrize("sizes", [(2, 2), (1, 2, 3)])
def test_draws_have_the_variances_that_are_told(sizes: tuple[int, ...], n_classes: int) -> None:
    """They are draws of independent rows, mixed: these have tests of their variances."""
    law, mixed = ContrastsOfBlocks(rate=RATE, sizes=sizes, n_classes=n_classes), mixing(n_classes)
    row = SignedBlocks(rate=RATE if n_classes > 4 else 2.0 * RATE, sizes=sizes)
    noise, again = SeededNoise(1), SeededNoise(1)
    for _ in range(20):
        found, rows = law.sample(noise), [row.sample(again) for _ in mixed.T]
        np.testing.assert_allclose(found, mixed @ rows, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(found.sum(axis=0), 0.0, atol=1e-9)
    each = np.outer(np.square(mixed).sum(axis=1), row.column_variances)
    np.testing.assert_allclose(each.sum(axis=0), law.column_variances)
    # No class has more noise than another.
    np.testing.assert_allclose(each, np.tile(each.mean(axis=0), (n_classes, 1)))
    assert law.variance == pytest.approx(law.column_variances.sum())


# Residuals and entries are whole steps, so that sums over a grid of these are exact.
STEP = 0.5


def gradients(n_classes: int) -> list[tuple[np.ndarray, float]]:
    """What a record of two blocks of one entry can add, and the sum of its residuals' sizes."""
    steps = [np.array(one) for one in product((0.0, STEP, 1.0), repeat=n_classes) if sum(one) == 1]
    residuals = [one - np.eye(n_classes)[own] for one in steps for own in range(n_classes)]
    rows = [np.array(row) for row in ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))]
    return [(np.outer(one, row), np.abs(one).sum()) for one in residuals for row in rows]


@pytest.mark.parametrize("n_classes, every", [(3, 2), (5, 13)])
def test_exact_loss_of_all_that_a_record_can_do(n_classes: int, every: int) -> None:
    """Added or taken away it moves the density by as much as is told, and by that far out."""
    law = ContrastsOfBlocks(rate=RATE, sizes=(1, 1), n_classes=n_classes)
    known, rng, worst = gradients(n_classes), np.random.default_rng(0), 0.0
    some = [sum(known[at][0] for at in rng.integers(len(known), size=9)) for _ in range(2)]
    for point in (np.zeros((n_classes, 2)), *some, 16.0 * known[2][0]):
        here = log_density(law, point, STEP)
        for gradient, size in [known[2], *known[::every]]:
            moved = abs(log_density(law, point + gradient, STEP) - here)
            assert moved <= RATE * size + 1e-6
            worst = max(worst, moved)
    # A tenth less noise would not do, let alone 30 %.
    assert worst > 0.95 * RATE * 2.0


@pytest.mark.parametrize("arguments", [{"rate": 0}, {"sizes": ()}, {"n_classes": 2}])
def test_bad_arguments_are_named(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        ContrastsOfBlocks(**({"rate": 1.0, "sizes": (2,), "n_classes": 3} | arguments))  # type: ignore[arg-type]
