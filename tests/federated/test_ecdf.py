"""Distribution functions over every trust model: evaluation, monotony, Algorithm 1."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import roc_auc_score

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.errors import DataError, InvalidArgument
from dpcore.federated import FederatedEcdf, FederatedRoc, federated_roc, federation
from dpcore.federated.ecdf import TRUST_MODELS
from dpcore.postprocess.monotone import first_reaching

GRID_OF_ROC = np.linspace(1 / 64, 1.0, 64)

RNG = np.random.default_rng(1)

LABELS = RNG.integers(0, 2, 300)

SCORES = GRID_OF_ROC[np.clip(RNG.normal(24 + 16 * LABELS, 12), 0, 63).astype(int)]


def roc(trust: str, epsilon: object, seed: int = 1, **options: object) -> FederatedRoc:
    formed = federation(
        [SCORES[one::4] for one in range(4)],
        grid=GRID_OF_ROC,
        classes=[LABELS[one::4] for one in range(4)],
        epsilon=epsilon,
        trust=trust,
        noise=SeededNoise(seed),
        **options,
    )
    return federated_roc(FederatedEcdf(formed, GRID_OF_ROC))


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_without_noise_it_is_the_curve_of_the_scores(trust: str) -> None:
    curve = roc(trust, None)
    assert curve.auc == pytest.approx(roc_auc_score(LABELS, SCORES))
    for fpr, tpr, at in zip(curve.fpr, curve.tpr, curve.thresholds, strict=True):
        assert fpr == pytest.approx((SCORES[LABELS == 0] > at).mean())
        assert tpr == pytest.approx((SCORES[LABELS == 1] > at).mean())


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_a_noisy_curve_is_still_one(trust: str) -> None:
    curve = roc(trust, "0.5")
    for rates in (curve.fpr, curve.tpr):
        assert (rates[0], rates[-1]) == (0.0, 1.0)
        assert (np.diff(rates) >= 0).all()
    assert 0 < curve.auc < 1
    assert curve.simulated
    assert str(curve.charges[0].loss) == "epsilon 0.5"


@pytest.mark.statistical
@pytest.mark.parametrize("trust", TRUST_MODELS)
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("epsilon", ["0.7", 40])
def test_the_bands_hold_both_rates_and_the_curve_nine_times_in_ten(
    trust: str, neighbors: Neighbors, epsilon: object
) -> None:
    """Or less than once in a million times; with much epsilon noise is a record now and then."""
    exact, draws, held = roc(trust, None), 30, 0
    for seed in range(draws):
        curve = roc(trust, epsilon, seed=seed, neighbors=neighbors)
        rates = (curve.fpr_band, exact.fpr), (curve.tpr_band, exact.tpr)
        there = all(((one[0] <= rate) & (rate <= one[1])).all() for one, rate in rates)
        held += there
        # The line from point to point is in the region too.
        share = np.linspace(0, 1, 9)[:, np.newaxis]
        fpr, tpr = ((one[:-1] + share * np.diff(one)).T.ravel() for one in (exact.fpr, exact.tpr))
        across, lower, upper = curve.envelope
        # What is a step is read on its safe side, whatever the last digits are.
        first = np.searchsorted(across, fpr - 1e-9)
        last = np.searchsorted(across, fpr + 1e-9, side="right") - 1
        low, high = np.where(fpr > 0, lower[first], 0), np.where(fpr < 1, upper[last], 1)
        assert not there or ((low - 1e-9 <= tpr) & (tpr <= high + 1e-9)).all()
    assert held >= binom.ppf(1e-7, draws, 0.9)


def test_without_noise_the_bands_are_the_curve() -> None:
    curve = roc("secure-aggregation", None)
    for band, rate in ((curve.fpr_band, curve.fpr), (curve.tpr_band, curve.tpr)):
        np.testing.assert_allclose(band, [rate, rate], atol=1e-12)
    assert curve.auc_interval == pytest.approx((curve.auc, curve.auc))


def test_where_noise_drowns_the_records_anything_is_possible() -> None:
    curve = roc("trusted-curator", "0.001")
    assert curve.fpr_band[:, 1:-1].T.tolist() == [[0.0, 1.0]] * 63
    assert np.trapezoid(curve.envelope[2] - curve.envelope[1], curve.envelope[0]) == 1.0


def test_a_curve_is_written_and_read_with_all_that_it_says() -> None:
    curve = roc("trusted-curator", 1)
    again = FederatedRoc.from_json(curve.to_json())
    assert again == curve
    assert again.thresholds[-1] == -np.inf
    assert str(again.charges[0].loss) == "epsilon 1"
    with pytest.raises(DataError, match="this is not an exported federated ROC curve"):
        FederatedRoc.from_json(curve.to_json().replace('"confidence": 0.9', '"confidence": 90'))


@pytest.mark.parametrize("confidence", [0, 1, 90, "x", None])
def test_a_confidence_is_above_0_and_below_1(confidence: Any) -> None:
    formed = ecdf("trusted-curator", 1)
    of_classes = federation(
        [SCORES], classes=[LABELS], grid=GRID_OF_ROC, epsilon=1, trust="trusted-curator"
    )
    for call in (formed.band, partial(federated_roc, FederatedEcdf(of_classes, GRID_OF_ROC))):
        with pytest.raises(InvalidArgument, match="^confidence must be above 0 and below 1"):
            call(confidence=confidence)


def test_one_class_has_no_curve() -> None:
    formed = federation([SCORES], grid=GRID_OF_ROC, epsilon=1, trust="trusted-curator")
    with pytest.raises(InvalidArgument, match="classes must be two"):
        federated_roc(FederatedEcdf(formed, GRID_OF_ROC))


GRID = np.linspace(0.0, 1.0, 40)

VALUES = np.random.default_rng(0).beta(2, 3, 200)

PARTIES = [VALUES[first::5] for first in range(5)]


def ecdf(trust: str, epsilon: object = None, seed: int = 1, **options: object) -> FederatedEcdf:
    noise = SeededNoise(seed)
    formed = federation(PARTIES, grid=GRID, epsilon=epsilon, trust=trust, noise=noise, **options)
    return FederatedEcdf(formed, GRID)


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_without_noise_it_is_the_distribution_of_the_values(trust: str) -> None:
    one = ecdf(trust)
    x = np.array([[-1.0, 0.0, 0.3], [0.77, 1.0, 5.0]])
    places = np.searchsorted(GRID, x, side="right") - 1
    shares = np.array([(point >= VALUES).mean() for point in GRID])
    expected = np.where(places < 0, 0.0, shares[places])
    np.testing.assert_allclose(one.evaluate(x), expected)
    np.testing.assert_allclose(one.curve(), shares)
    assert one.total == 200


@pytest.mark.parametrize("trust", TRUST_MODELS)
@pytest.mark.parametrize("p", [0.0, 0.01, 0.5, 0.9, 1.0])
def test_the_inverse_is_the_quantile_of_algorithm_1(trust: str, p: float) -> None:
    one = ecdf(trust)
    cdf = np.array([(point >= VALUES).mean() for point in GRID])
    assert one.inverse(p) == GRID[first_reaching(cdf, p)]


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_the_search_asks_as_often_as_the_grid_halves(trust: str) -> None:
    one = ecdf(trust, epsilon=2)
    one.inverse(0.4)
    assert len(one._known) <= 6 + 1
    asked = dict(one._known)
    before = len(one.aggregator.traffic.sent)
    one.inverse(0.4)
    assert len(one.aggregator.traffic.sent) == before
    assert one._known.keys() == asked.keys()


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_a_noisy_curve_rises_from_zero_to_one(trust: str) -> None:
    curve = ecdf(trust, epsilon="0.1").curve()
    assert (np.diff(curve) >= 0).all()
    assert 0 <= curve[0] <= curve[-1] <= 1
    assert ecdf(trust, epsilon="0.1", seed=2).curve().tolist() != curve.tolist()


def test_all_models_err_by_their_number_of_full_noises() -> None:
    points = np.arange(0, 40, 5)
    true = np.array([(GRID[point] >= VALUES).sum() for point in points])
    for trust in TRUST_MODELS:
        errors = [ecdf(trust, epsilon=1, seed=seed).counts(points)[0] - true for seed in range(25)]
        formed = ecdf(trust, epsilon=1).aggregator
        expected = 7 * formed.plan.noise_variance * formed.full_noises
        # Seven intervals a point, eight points that share some: a spread of some 15 %.
        assert np.mean(np.square(errors)) == pytest.approx(expected, rel=0.75), trust


def test_public_numbers_of_records_are_used() -> None:
    noise, replace = SeededNoise(1), Neighbors.REPLACE
    formed = federation(PARTIES, grid=GRID, epsilon=1, neighbors=replace, noise=noise)
    assert FederatedEcdf(formed, GRID, records=200).total == 200
    assert FederatedEcdf(formed, GRID).total != 200


@pytest.mark.statistical
@pytest.mark.parametrize("records", [None, 200])
def test_the_band_of_a_distribution_holds_all_of_it_nine_times_in_ten(records: int | None) -> None:
    true, held = [(point >= VALUES).mean() for point in GRID], 0
    for seed in range(30):
        formed = ecdf("trusted-curator", 2, seed=seed, neighbors=Neighbors.REPLACE)
        one = FederatedEcdf(formed.aggregator, GRID, records=records)
        low, high = one.band()
        held += bool(((low - 1e-9 <= true) & (true <= high + 1e-9)).all())
        assert ((low <= one.curve()) & (one.curve() <= high)).all()
    assert held >= binom.ppf(1e-7, 30, 0.9)
    assert (high - low).mean() < 0.5


@pytest.mark.parametrize("grid", [[1.0], [1.0, 1.0], [2.0, 1.0], [0.0, np.nan]])
def test_impossible_grids_are_refused(grid: list[float]) -> None:
    with pytest.raises(InvalidArgument, match="grid"):
        federation(PARTIES, grid=grid, epsilon=1, noise=SeededNoise(1))


def test_other_choices_that_cannot_be() -> None:
    with pytest.raises(InvalidArgument, match="trust"):
        federation(PARTIES, grid=GRID, epsilon=1, trust="nobody")
    with pytest.raises(InvalidArgument, match="grid"):
        FederatedEcdf(ecdf("trusted-curator").aggregator, np.arange(500.0))
    with pytest.raises(InvalidArgument, match="of_class"):
        FederatedEcdf(ecdf("trusted-curator").aggregator, GRID, of_class=1)
    with pytest.raises(InvalidArgument, match="p must be"):
        ecdf("trusted-curator").inverse(1.5)


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_with_real_noise_no_record_makes_an_error(trust: str, neighbors: Neighbors) -> None:
    options = {"capacity": 3} if trust == "function-secret-sharing" else {}
    for odd, of_class in ((0.5, 1), (np.nan, 1), ("x", 1), (0.5, 7), (0.5, None)):
        ledger = Ledger(Loss(1), neighbors)
        formed = federation(
            [[0.1, 0.2, 0.3, odd], [0.4]], classes=[[0, 1, 0, of_class], [1]], grid=GRID,
            epsilon=1, trust=trust, neighbors=neighbors, ledger=ledger, **options,
        )  # fmt: skip
        assert formed.sums([39]).shape == (2, 1)
        assert ledger.spent == Loss(1)


@pytest.mark.parametrize("trust", TRUST_MODELS)
def test_what_cannot_be_used_is_counted_alike_in_every_trust_model(trust: str) -> None:
    for neighbors, counted in ((Neighbors.ADD_REMOVE, [[1], [1]]), (Neighbors.REPLACE, [[3], [1]])):
        formed = federation(
            [[0.1, np.nan], [0.4, 0.5]], classes=[[0, 0], [1, 7]], grid=GRID,
            epsilon=None, trust=trust, neighbors=neighbors, noise=SeededNoise(1),
        )  # fmt: skip
        assert formed.sums([39]).tolist() == counted


def test_records_beyond_the_capacity_count_for_nothing() -> None:
    formed = federation(
        [[0.1] * 5, [0.1]], grid=GRID, epsilon=None, trust="function-secret-sharing", capacity=3,
        noise=SeededNoise(1),
    )  # fmt: skip
    assert formed.sums([39]).tolist() == [[4]]


def test_an_option_that_no_trust_model_has_is_told_by_what_was_called() -> None:
    told = {"grid": GRID_OF_ROC, "epsilon": 1}
    unknown = r"^federation\(\) got an unexpected keyword argument '{}'{}$"
    asked = ("foo", ""), ("treshold", r"; did you mean 'threshold'\?")
    for name, hint in asked:
        with pytest.raises(TypeError, match=unknown.format(name, hint)):
            federation([SCORES, SCORES], **told, **{name: 2})
    # Of another trust model.
    with pytest.raises(TypeError, match=unknown.format("threshold", "")):
        federation([SCORES, SCORES], trust="trusted-curator", threshold=2, **told)
    for model in TRUST_MODELS.values():
        with pytest.raises(TypeError, match=rf"^{model.__name__}\(\) got .* 'foo'$"):
            model([], None, foo=1)
