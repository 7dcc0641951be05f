"""Exact L-infinity noise: the law by enumeration, the sampler against it, the loss."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.audit.mechanism_cases.number_cases import count_pairs
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Geometric, Laplace, PolyaShare
from dpcore.mechanisms.counts.additive import KNormCounts, _log_differences, uniform_below
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.release import release
from tests.statistical.fit import FALSE_ALARM, chi_square_p, discrete_laplace_p

vectors = hnp.arrays(np.float64, st.integers(1, 8), elements=st.floats(-1e4, 1e4))


def rounded(mechanism: Laplace, values: np.ndarray) -> list[Fraction]:
    cell = mechanism.cell(values.size)
    return [Fraction(c) for c in np.rint(values / cell).tolist()]


@given(vectors, st.floats(1e-3, 1e3), st.fractions(Fraction(1, 100), 10), st.integers(0, 2**32))
def test_privacy_loss_on_the_grid_is_within_epsilon(
    values: np.ndarray, sensitivity: float, epsilon: Fraction, seed: int
) -> None:
    """For any two vectors at L1 distance at most the sensitivity, the exact joint loss of discrete
    Laplace noise (their distance in cells over the scale in cells) is at most epsilon."""
    mechanism = Laplace(epsilon=epsilon, l1_sensitivity=sensitivity)
    direction = np.random.default_rng(seed).laplace(size=values.size)
    neighbor = values + direction * (0.999999 * sensitivity / np.abs(direction).sum())
    pairs = zip(rounded(mechanism, values), rounded(mechanism, neighbor), strict=True)
    distance = sum(abs(a - b) for a, b in pairs)
    assert distance / mechanism.cell_scale(values.size) <= epsilon


def test_without_the_widening_rounding_would_break_the_bound() -> None:
    """The test above can fail: rounding alone moves these vectors further than the sensitivity."""
    mechanism = Laplace(epsilon=1)
    cell = mechanism.cell(4)
    low = np.full(4, 0.49) * cell
    high = low + np.array([1.0, 0, 0, 0]) + np.array([-0.06, 0.02, 0.02, 0.02]) * cell
    assert np.abs(high - low).sum() <= 1.0 + 1e-12
    pairs = zip(rounded(mechanism, low), rounded(mechanism, high), strict=True)
    distance = sum(abs(a - b) for a, b in pairs)
    assert distance > Fraction(1) / Fraction(cell)
    assert distance / mechanism.cell_scale(4) <= 1


@given(st.floats(1e-6, 1e6), st.integers(1, 10_000))
def test_the_grid_costs_one_part_in_a_million(sensitivity: float, size: int) -> None:
    mechanism = Laplace(epsilon=1, l1_sensitivity=sensitivity)
    scale = float(mechanism.cell_scale(size)) * mechanism.cell(size)
    assert mechanism.scale <= scale <= mechanism.scale * (1 + 2e-6)


def test_outputs_are_whole_cells() -> None:
    mechanism = Laplace(epsilon=1)
    noisy = mechanism.draw(np.array([0.1, -3.7]), SeededNoise(4))
    cells = noisy / mechanism.cell(2)
    np.testing.assert_array_equal(cells, np.rint(cells))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_must_be_finite(bad: float) -> None:
    with pytest.raises(InvalidArgument, match="finite"):
        Laplace(epsilon=1).draw(np.array([bad]), SeededNoise(0))


def test_huge_values_are_clamped_not_wrapped() -> None:
    noisy = Laplace(epsilon=1).draw(np.array([1e300, -1e300]), SeededNoise(0))
    assert noisy[0] > 0 > noisy[1]


def test_loss() -> None:
    assert Laplace(epsilon="0.3").loss == Loss("0.3")
    with pytest.raises(InvalidArgument, match="l1_sensitivity"):
        Laplace(epsilon=1, l1_sensitivity=0.0)


SOURCES = [SeededNoise(11), SystemNoise()]


def summed(parties: int, shares: int, epsilon: float, size: int, noise: NoiseSource) -> np.ndarray:
    mechanism = PolyaShare(epsilon=epsilon, shares=shares)
    zeros = np.zeros(size, dtype=np.int64)
    return sum((mechanism.draw(zeros, noise) for _ in range(parties)), start=zeros)


@pytest.mark.statistical
@pytest.mark.parametrize("noise", SOURCES)
@pytest.mark.parametrize("shares", [1, 3, 8])
def test_so_many_shares_are_geometric_noise(shares: int, noise: NoiseSource) -> None:
    draws = summed(shares, shares, 0.25, 20_000, noise)
    for factor, fits in [(1.0, True), (0.7, False), (1.3, False)]:
        assert (discrete_laplace_p(draws, factor * 4.0) > FALSE_ALARM) is fits, factor


@pytest.mark.statistical
@pytest.mark.parametrize("parties", [5, 12])
def test_missing_or_spare_shares_make_another_law(parties: int) -> None:
    draws = summed(parties, 8, 0.25, 40_000, SeededNoise(3))
    assert discrete_laplace_p(draws, 4.0) < FALSE_ALARM


@pytest.mark.statistical
@pytest.mark.parametrize("noise", SOURCES)
def test_one_share_is_the_difference_of_two_negative_binomials(noise: NoiseSource) -> None:
    draws = summed(1, 4, 0.5, 40_000, noise)
    support = np.arange(-40, 41)
    heads = stats.nbinom(0.25, -np.expm1(-0.5)).pmf(np.arange(400))
    law = np.array([np.dot(heads[max(z, 0) :][:300], heads[max(-z, 0) :][:300]) for z in support])
    law[[0, -1]] += (1.0 - law.sum()) / 2.0
    observed = np.bincount(np.clip(draws, -40, 40) + 40, minlength=81)
    assert chi_square_p(observed, law) > FALSE_ALARM
    narrower = stats.nbinom(0.25, -np.expm1(-0.5 * 1.3)).pmf(np.arange(400))
    wrong = np.array(
        [np.dot(narrower[max(z, 0) :][:300], narrower[max(-z, 0) :][:300]) for z in support]
    )
    wrong[[0, -1]] += (1.0 - wrong.sum()) / 2.0
    assert chi_square_p(observed, wrong) < FALSE_ALARM


@given(st.fractions(Fraction(1, 100), 10), st.integers(1, 5), st.integers(1, 100))
def test_the_loss_is_that_of_the_sum(epsilon: Fraction, sensitivity: int, shares: int) -> None:
    mechanism = PolyaShare(epsilon=epsilon, shares=shares, l1_sensitivity=sensitivity)
    assert mechanism.loss == Loss(epsilon)
    assert mechanism.scale == sensitivity / epsilon
    assert mechanism.neighbors is Neighbors.ADD_REMOVE


def test_shape_type_and_input_are_kept() -> None:
    counts = np.arange(12, dtype=np.int32).reshape(3, 4)
    noisy = PolyaShare(epsilon=0.01, shares=2).draw(counts, SeededNoise(0))
    assert noisy.shape == (3, 4)
    assert noisy.dtype == np.int64
    assert (noisy != counts).any()
    assert counts.tolist() == np.arange(12).reshape(3, 4).tolist()


def test_the_widest_noise_is_still_whole_and_unbounded() -> None:
    draws = summed(2, 2, 2.0**-50, 2000, SeededNoise(1))
    assert 2.0**49 < np.abs(draws).mean() < 2.0**51


def test_hardly_any_noise_is_zero() -> None:
    assert summed(3, 3, 60.0, 1000, SeededNoise(2)).tolist() == [0] * 1000


@pytest.mark.parametrize(
    "wrong", [{"epsilon": 0}, {"shares": 0}, {"l1_sensitivity": 0}, {"epsilon": "1e-20"}]
)
def test_what_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(InvalidArgument):
        PolyaShare(**{"epsilon": 1, "shares": 2, **wrong}).draw(
            np.zeros(1, dtype=np.int64), SeededNoise(0)
        )


def test_polya_share_real_numbers_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="array of integers"):
        PolyaShare(epsilon=1, shares=2).draw(np.zeros(3), SeededNoise(0))  # type: ignore[arg-type]


def log_mass(z: np.ndarray, scale: float) -> np.ndarray:
    return -np.abs(z) / scale


@given(st.fractions(Fraction(1, 100), 10), st.integers(1, 5))
def test_loss_is_epsilon_and_tight(epsilon: Fraction, sensitivity: int) -> None:
    """The worst log-ratio over outputs, on inputs as far apart as allowed, is epsilon exactly."""
    mechanism = Geometric(epsilon=epsilon, l1_sensitivity=sensitivity)
    outputs = np.arange(-50, 51)
    scale = float(mechanism.scale)
    ratio = log_mass(outputs, scale) - log_mass(outputs - sensitivity, scale)
    assert np.abs(ratio).max() == pytest.approx(float(epsilon))
    assert mechanism.loss == Loss(epsilon)


def test_noise_keeps_shape_and_type() -> None:
    noisy = Geometric(epsilon=1).draw(np.zeros((3, 4), dtype=np.int32), SeededNoise(0))
    assert noisy.shape == (3, 4)
    assert noisy.dtype == np.int64


def test_the_input_is_not_altered() -> None:
    counts = np.arange(5)
    Geometric(epsilon=0.1).draw(counts, SeededNoise(0))
    np.testing.assert_array_equal(counts, np.arange(5))


def test_real_numbers_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="array of integers"):
        Geometric(epsilon=1).draw(np.zeros(3), SeededNoise(0))  # type: ignore[arg-type]


@pytest.mark.parametrize("epsilon", [0, -1, "0"])
def test_epsilon_must_be_positive(epsilon: object) -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        Geometric(epsilon=epsilon)  # type: ignore[arg-type]


def test_sensitivity_must_be_a_count() -> None:
    with pytest.raises(InvalidArgument, match="l1_sensitivity"):
        Geometric(epsilon=1, l1_sensitivity=0)


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_cells_have_the_noise_of_the_farthest_neighbours(neighbors: Neighbors) -> None:
    farthest = max(np.abs(pair.d - pair.d_prime).sum() for pair in count_pairs(neighbors))
    made = Geometric.of_cells(Loss("1/2"), neighbors)
    assert made == Geometric(
        epsilon=Fraction(1, 2), l1_sensitivity=int(farthest), neighbors=neighbors
    )
    assert Geometric.of_cells(Loss(1), neighbors, 3).l1_sensitivity == 3 * farthest


def test_default_neighbors() -> None:
    assert Geometric(epsilon=1).neighbors is Neighbors.ADD_REMOVE


@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_an_epsilon_too_small_to_draw_is_refused(noise: NoiseSource) -> None:
    with pytest.raises(InvalidArgument, match="larger epsilon"):
        Geometric(epsilon="1e-20").draw(np.zeros(1, dtype=np.int64), noise)


def test_huge_counts_are_clamped_not_wrapped() -> None:
    largest = np.iinfo(np.int64).max
    noisy = Geometric(epsilon="1e-12").draw(np.array([largest, -largest]), SeededNoise(0))
    assert noisy[0] > 0 > noisy[1]


@pytest.mark.parametrize("noise", [SeededNoise(3), SystemNoise()])
def test_every_number_is_equally_likely(noise: SeededNoise | SystemNoise) -> None:
    counts = np.bincount(uniform_below(7, 20_000, noise), minlength=7)
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
    assert uniform_below(3, 1, source).tolist() == [0]  # type: ignore[arg-type]
    assert source.asked == 2


def test_one_choice() -> None:
    assert uniform_below(1, 3, SeededNoise(0)).tolist() == [0, 0, 0]


def test_noise_that_is_too_wide_for_the_square_ends_in_a_sentence() -> None:
    """Beyond 2^52 no number fills a whole turn of the range: drawing anew would never end."""
    with pytest.raises(InvalidArgument, match="end must be"):
        KNormCounts(epsilon="1e-15").draw(np.zeros(9, dtype=np.int64), SeededNoise(0))


@pytest.mark.parametrize("power", [1, 2, 5, 60])
def test_differences_rebuild_the_polynomial(power: int) -> None:
    differences = np.exp(_log_differences(power)) if power < 9 else None
    if differences is None:
        assert np.isfinite(_log_differences(power)).all()
        return
    for k in range(6):
        rebuilt = sum(a * comb(k, j) for j, a in enumerate(differences))
        assert rebuilt == pytest.approx((2 * k + 1) ** power)


@pytest.mark.parametrize("size, epsilon", [(1, 0.7), (2, 0.7), (8, 0.2), (100, 1.0)])
def test_the_mixture_is_the_law_of_the_radius(size: int, epsilon: float) -> None:
    mechanism = KNormCounts(epsilon=epsilon)
    logs = _log_differences(size) + mechanism._log_stage(size)
    shares = np.exp(logs - logs.max())
    shares /= shares.sum()
    k = np.arange(0, int(3 * size / epsilon + 80 / epsilon))
    mixed = sum(
        share * stats.nbinom.pmf(k - j, j + 1, -np.expm1(-epsilon))
        for j, share in enumerate(shares)
    )
    law = -epsilon * k + size * np.log(2 * k + 1)
    law = np.exp(law - law.max())
    np.testing.assert_allclose(mixed, law / law.sum(), atol=1e-12)


def test_enumerated_noise_falls_by_epsilon_for_each_step_of_the_norm() -> None:
    """Sum over radii of the chance of each point, exactly as the sampler makes it."""
    epsilon, size = 0.8, 2
    k = np.arange(200)
    law = np.exp(-epsilon * k) * (2 * k + 1.0) ** size
    law /= law.sum()
    inside = law / (2 * k + 1.0) ** size
    for z in product(range(-3, 4), repeat=size):
        norm = max(map(abs, z))
        for step in product((-1, 0, 1), repeat=size):
            moved = max(abs(a + b) for a, b in zip(z, step, strict=True))
            ratio = np.log(inside[norm:].sum() / inside[moved:].sum())
            assert abs(ratio) <= epsilon + 1e-9
    assert np.log(inside[2:].sum() / inside[3:].sum()) == pytest.approx(epsilon)


@pytest.mark.few(1)
@pytest.mark.parametrize("noise", [SeededNoise(5), SystemNoise()])
def test_draws_follow_the_law(noise: SeededNoise | SystemNoise) -> None:
    mechanism, value = KNormCounts(epsilon=0.8), np.array([10, -4])
    draws = np.array([mechanism.draw(value, noise) - value for _ in range(2500)])
    places = np.arange(-25, 26)
    norms = np.maximum(np.abs(places)[:, np.newaxis], np.abs(places))
    observed = np.zeros(norms.shape, dtype=np.int64)
    np.add.at(observed, tuple((np.clip(draws, -25, 25) + 25).T), 1)
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        chance = np.exp(-0.8 * factor * norms)
        p = chi_square_p(observed.ravel(), (chance / chance.sum()).ravel())
        assert (p > FALSE_ALARM) is fits, factor


def test_sensitivity_stretches_the_noise() -> None:
    wide = KNormCounts(epsilon=1, linf_sensitivity=3, neighbors=Neighbors.REPLACE)
    assert float(wide.rate) == pytest.approx(1 / 3)
    assert wide.loss == Loss(1)


def test_empty_and_shape() -> None:
    mechanism = KNormCounts(epsilon=1)
    assert mechanism.draw(np.zeros(0, dtype=np.int64), SeededNoise(0)).shape == (0,)
    assert mechanism.draw(np.zeros((2, 3), dtype=np.int64), SeededNoise(0)).shape == (2, 3)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        KNormCounts(epsilon=0)
    with pytest.raises(InvalidArgument, match="linf_sensitivity"):
        KNormCounts(epsilon=1, linf_sensitivity=0)
    with pytest.raises(InvalidArgument, match="integers"):
        KNormCounts(epsilon=1).draw(np.zeros(2), SeededNoise(0))  # type: ignore[arg-type]


@pytest.mark.parametrize("mechanism", [PolyaShare(epsilon=1, shares=3), KNormCounts(epsilon=1)])
def test_without_noise_counts_are_themselves(mechanism: PolyaShare | KNormCounts) -> None:
    counts = np.array([[3, 0], [-1, 2**40]])
    found = release(mechanism, counts, label="x", ledger=Ledger(), noise=NoiseOff())
    np.testing.assert_array_equal(found.value, counts)
