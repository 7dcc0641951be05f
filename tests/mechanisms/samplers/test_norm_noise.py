"""GammaSphere: arguments, scaling, density. Its law is tested in tests/statistical."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.samplers.norm_noise import (
    CubeContrasts,
    GammaCube,
    GammaSphere,
    LaplaceContrasts,
    LaplaceVector,
    erlang,
)
from tests.statistical.fit import FALSE_ALARM, continuous_p


@pytest.mark.parametrize("noise", [SeededNoise(1), SystemNoise()])
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_length_is_gamma(noise: SeededNoise | SystemNoise, n_classes: int) -> None:
    columns = LaplaceContrasts(rate=0.5, dimension=4000, n_classes=n_classes).sample(noise)
    np.testing.assert_allclose(columns.sum(axis=0), 0.0, atol=1e-9)
    # A density exp(-rate m) over shells of volume ~ m^(K - 2).
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        law = stats.gamma(n_classes - 1, scale=factor / 0.5)
        assert (continuous_p(np.abs(columns).sum(axis=0), law.cdf) > FALSE_ALARM) is fits


def test_an_entry_of_three_follows_the_density() -> None:
    """The integral over b of exp(-rate (|a| + |b| + |a + b|))."""
    entries = LaplaceContrasts(rate=1, dimension=4000, n_classes=3).sample(SeededNoise(2))
    grid = np.linspace(-30, 30, 6001)
    density = (np.abs(grid) + 1) * np.exp(-2 * np.abs(grid))
    cdf = np.cumsum(density) / density.sum()
    for entry in entries:
        assert continuous_p(entry, lambda a: np.interp(a, grid, cdf)) > FALSE_ALARM
    assert continuous_p(1.3 * entries[0], lambda a: np.interp(a, grid, cdf)) < FALSE_ALARM


@pytest.mark.parametrize("n_classes", [2, 3, 8])
def test_zero_sum_noise_variance(n_classes: int) -> None:
    law = LaplaceContrasts(rate=2.0, dimension=20_000, n_classes=n_classes)
    assert (law.sample(SeededNoise(0)) ** 2).sum() == pytest.approx(law.variance, rel=0.1)


def test_zero_sum_noise_bad_arguments_are_named() -> None:
    with pytest.raises(InvalidArgument, match="n_classes"):
        LaplaceContrasts(rate=1, dimension=1, n_classes=1)


def draws(law: CubeContrasts, count: int, noise: SeededNoise | SystemNoise) -> np.ndarray:
    return np.array([law.sample(noise) for _ in range(count)])


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", [SeededNoise(1), SystemNoise()])
@pytest.mark.parametrize("n_classes, dimension", [(3, 2), (4, 30)])
def test_norm_is_gamma(noise: SeededNoise | SystemNoise, n_classes: int, dimension: int) -> None:
    law = CubeContrasts(rate=0.5, dimension=dimension, n_classes=n_classes)
    drawn = draws(law, 1500, noise)
    np.testing.assert_allclose(drawn.sum(axis=1), 0.0, atol=1e-8)
    norms = np.abs(drawn).max(axis=2).sum(axis=1)
    # A density exp(-rate m) over shells of volume ~ m^(D (K - 1) - 1).
    free = dimension * (n_classes - 1)
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        p = continuous_p(norms, stats.gamma(free, scale=factor / 0.5).cdf)
        assert (p > FALSE_ALARM) is fits, factor


@pytest.mark.few(1)
@pytest.mark.parametrize("n_classes", [3, 5])
def test_one_column_is_the_other_law(n_classes: int) -> None:
    ours = draws(CubeContrasts(rate=1, dimension=1, n_classes=n_classes), 3000, SeededNoise(0))
    other = LaplaceContrasts(rate=1, dimension=30_000, n_classes=n_classes).sample(SeededNoise(1))
    assert stats.ks_2samp(ours[:, 0, 0], other[0]).pvalue > FALSE_ALARM
    assert stats.ks_2samp(1.3 * ours[:, 0, 0], other[0]).pvalue < FALSE_ALARM


def test_two_columns_of_three_classes_follow_the_density() -> None:
    """The first entry, by summing exp(-norm) over a grid of the three others."""
    ours = draws(CubeContrasts(rate=1, dimension=2, n_classes=3), 4000, SeededNoise(3))
    steps = np.linspace(-12, 12, 49)
    a, b, c, d = np.meshgrid(steps, steps, steps, steps, indexing="ij", sparse=True)
    norm = (
        np.maximum(np.abs(a), np.abs(c))
        + np.maximum(np.abs(b), np.abs(d))
        + np.maximum(np.abs(a + b), np.abs(c + d))
    )
    density = np.exp(-norm).sum(axis=(1, 2, 3))
    edges = np.append(steps - 0.25, 12.25)
    cdf = np.insert(np.cumsum(density) / density.sum(), 0, 0.0)
    spread = np.sqrt((density * steps**2).sum() / density.sum())
    assert ours[:, 0, 0].std() == pytest.approx(spread, rel=0.06)
    p = continuous_p(1.3 * ours[:, 0, 0], lambda x: np.interp(x, edges, cdf))
    assert p < FALSE_ALARM < continuous_p(ours[:, 0, 0], lambda x: np.interp(x, edges, cdf))


@pytest.mark.parametrize("n_classes", [2, 3, 4, 6, 10])
def test_volumes_keep_the_bounds_of_the_proposals(n_classes: int) -> None:
    law = CubeContrasts(rate=1, dimension=5, n_classes=n_classes)
    shares = np.random.default_rng(0).dirichlet(np.ones(n_classes), 500)
    volumes = law._volume(shares)
    assert (volumes <= law._volume(np.full((1, n_classes), 1 / n_classes))[0] * (1 + 1e-9)).all()
    assert (volumes <= np.prod(2 * shares, axis=1) * sqrt(n_classes / 2) + 1e-12).all()
    # Of three equal bounds: a hexagon of area 3; of two: an interval.
    known = {2: 2.0, 3: 3.0}
    if n_classes in known:
        assert law._volume(np.ones((1, n_classes)))[0] == pytest.approx(known[n_classes])


@pytest.mark.few(1)
@pytest.mark.parametrize("n_classes", [3, 6, 9])
def test_variance_is_known_and_below_that_of_independent_cubes(n_classes: int) -> None:
    law = CubeContrasts(rate=1, dimension=12, n_classes=n_classes)
    measured = (draws(law, 200, SeededNoise(0)) ** 2).sum(axis=(1, 2)).mean()
    assert measured == pytest.approx(law.variance, rel=0.1)
    cubes = (n_classes - 1) * GammaCube(rate=1, dimension=12).variance
    assert measured < 0.95 * cubes


def test_cube_contrasts_bad_arguments_are_named() -> None:
    with pytest.raises(InvalidArgument, match="n_classes"):
        CubeContrasts(rate=1, dimension=1, n_classes=11)


def test_it_is_positive_and_repeatable() -> None:
    assert erlang(3, SeededNoise(1)) == erlang(3, SeededNoise(1)) > 0


def test_mean_is_the_shape() -> None:
    noise = SeededNoise(2)
    draws = [erlang(4, noise) for _ in range(20_000)]
    # The standard error is 2 / sqrt(20000), so 0.1 is seven of them.
    assert abs(np.mean(draws) - 4.0) < 0.1


def test_another_rate_rescales_the_same_draw() -> None:
    one = LaplaceVector(rate=1.0, dimension=5).sample(SeededNoise(3))
    four = LaplaceVector(rate=4.0, dimension=5).sample(SeededNoise(3))
    np.testing.assert_allclose(one, 4.0 * four)


def test_log_density_falls_with_the_sum() -> None:
    assert LaplaceVector(rate=2.0, dimension=2).log_density(np.array([3.0, -4.0])) == -14.0


def test_variance() -> None:
    draws = LaplaceVector(rate=0.5, dimension=20_000).sample(SeededNoise(5))
    expected = LaplaceVector(rate=0.5, dimension=1).variance
    assert np.mean(draws**2) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("arguments", [{"rate": 0.0, "dimension": 1}, {"rate": 1, "dimension": 0}])
def test_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        LaplaceVector(**arguments)  # type: ignore[arg-type]


def test_gamma_cube_another_rate_rescales_the_same_draw() -> None:
    one = GammaCube(rate=1.0, dimension=5).sample(SeededNoise(3))
    four = GammaCube(rate=4.0, dimension=5).sample(SeededNoise(3))
    np.testing.assert_allclose(one, 4.0 * four)


def test_log_density_falls_with_the_largest_entry() -> None:
    assert GammaCube(rate=2.0, dimension=2).log_density(np.array([3.0, -4.0])) == -8.0


def test_variance_is_the_expected_squared_length() -> None:
    law, noise = GammaCube(rate=0.5, dimension=3), SeededNoise(5)
    squares = [float((law.sample(noise) ** 2).sum()) for _ in range(20_000)]
    assert np.mean(squares) == pytest.approx(law.variance, rel=0.1)


def test_in_one_dimension_it_is_laplace() -> None:
    assert GammaCube(rate=0.5, dimension=1).variance == pytest.approx(2 / 0.5**2)


@pytest.mark.parametrize("arguments", [{"rate": -1.0, "dimension": 1}, {"rate": 1, "dimension": 0}])
def test_gamma_cube_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        GammaCube(**arguments)  # type: ignore[arg-type]


def test_gamma_sphere_another_rate_rescales_the_same_draw() -> None:
    one = GammaSphere(rate=1.0, dimension=5).sample(SeededNoise(3))
    four = GammaSphere(rate=4.0, dimension=5).sample(SeededNoise(3))
    np.testing.assert_allclose(one, 4.0 * four)


def test_log_density_falls_with_the_euclidean_length() -> None:
    law = GammaSphere(rate=2.0, dimension=2)
    assert law.log_density(np.array([3.0, 4.0])) == pytest.approx(-10.0)


@pytest.mark.parametrize("arguments", [{"rate": 0.0, "dimension": 1}, {"rate": 1, "dimension": 0}])
def test_gamma_sphere_bad_arguments_are_named(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match="rate|dimension"):
        GammaSphere(**arguments)  # type: ignore[arg-type]
