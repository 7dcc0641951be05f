"""The short way to OpenDP's samplers draws what the long one would, and fails as it does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import opendp.prelude as dp
import pytest
from opendp.mod import OpenDPException
from scipy.stats import chi2_contingency

from dpcore.noise.system import sampler
from tests.statistical.fit import FALSE_ALARM

LAPLACE = dp.m.make_laplace(
    dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"), scale=2.0
)
LARGEST = dp.m.make_noisy_max(
    dp.vector_domain(dp.atom_domain(T="f64", nan=False)),
    dp.linf_distance(T="f64"),
    dp.zero_concentrated_divergence(),
    scale=1.0,
)


def test_it_reads_every_number_of_the_vector() -> None:
    """Noise of scale 2 moves none by 10^6; strided vectors and other types are read as they are."""
    values = np.arange(-3, 4, dtype=np.int32)[::-1] * 10**9
    np.testing.assert_allclose(sampler(LAPLACE)(values), values, atol=10**6)
    weights = np.zeros(600)
    weights[[7, 412]] = 900.0, 2000.0
    assert sampler(LARGEST)(weights) == [412]
    assert sampler(LARGEST)(weights[:400]) == [7]


@pytest.mark.parametrize("factor, same", [(1.0, True), (1.3, False)])
def test_both_ways_have_one_law(factor: float, same: bool) -> None:
    values = np.zeros(20_000, dtype=np.int64)
    ours, theirs = np.array(sampler(LAPLACE)(values)), np.array(LAPLACE(values))
    ends = np.arange(-8, 9) - 0.5
    counts = [np.bincount(np.searchsorted(ends, one), minlength=18)
              for one in (factor * ours, theirs)]  # fmt: skip
    held = np.array(counts)[:, np.sum(counts, axis=0) > 0]
    assert bool(chi2_contingency(held).pvalue > FALSE_ALARM) is same


@pytest.mark.parametrize("weights", [[], [np.nan, 1.0]])
def test_what_opendp_refuses_is_its_error(weights: list[float]) -> None:
    with pytest.raises(OpenDPException):
        sampler(LARGEST)(np.array(weights))


def test_threads_draw_beside_each_other() -> None:
    draw, weights = sampler(LARGEST), np.array([0.0, 900.0, 0.0])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: draw(weights), range(2_000)))
    assert found == [[1]] * 2_000
