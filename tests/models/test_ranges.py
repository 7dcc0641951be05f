"""Where numbers lie within their bounds: sensitivity, what is inferred, and what it is worth."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.mechanisms import Geometric, KNormHistograms
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.models.logistic import objective
from dpcore.models.ranges import Places, cells_for_places, likely_places, released_places
from dpcore.release import open_gate
from dpcore.schema import Feature, FeatureSpace
from tests.models._records import ReplayGate, training


def found(columns: list[np.ndarray], scale: float, seed: int = 0) -> Places:
    """From counts with Laplace noise."""
    totals = np.array([float(values.size) for values in columns])
    cells = cells_for_places(totals.min() / scale)
    exact = np.array([np.histogram(values, cells, (-1.0, 1.0))[0] for values in columns])
    counts = exact + np.random.default_rng(seed).laplace(0.0, scale, exact.shape)
    return likely_places(counts, totals, scale=scale)


def moves(
    neighbors: Neighbors, total: float, *, missing: bool
) -> tuple[Geometric | KNormHistograms, list[np.ndarray]]:
    """What one record changes in the histograms of three numbers, each of so many cells."""
    space = FeatureSpace(
        tuple(Feature(name, "numeric", name, (-1.0, 3.0), missing) for name in "abc")
    )
    rows = [(-1.0, 0.7, 9.0), (np.nan, 3.0, np.nan), (1.0, 1.0, 1.0), (-5.0, np.inf, 0.0)]
    base = [(row, 0) for row in rows[:2]]

    def counted(records: list) -> tuple[Geometric | KNormHistograms, np.ndarray]:
        gate = ReplayGate(neighbors)
        released_places(training(records, 2, space), total, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
        return gate.released["range of numbers"]

    mechanism, before = counted(base)
    assert mechanism.neighbors is neighbors
    kept = base[1:] if neighbors is Neighbors.REPLACE else base
    neighbours = [[*kept, (row, label)] for row in rows for label in (-1, 0, 1)]
    return mechanism, [(counted(records)[1] - before)[0] for records in neighbours]


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("missing", [False, True])
def test_one_record_moves_every_histogram_by_the_declared_sensitivity(
    neighbors: Neighbors, missing: bool
) -> None:
    mechanism, moved = moves(neighbors, 150.0, missing=missing)
    assert isinstance(mechanism, KNormHistograms)
    assert mechanism.sizes == (16 + missing,) * 3
    each = [change.reshape(3, 16 + missing) for change in moved]
    # The noise is for one change that is alike in all histograms, or for two of them.
    assert all(np.ptp(change.sum(axis=1)) == 0 for change in each)
    most = max(np.abs(change).sum(axis=1).max() for change in each)
    assert most == neighbors.pick(add_remove=1, replace=2)


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("missing", [False, True])
def test_one_record_moves_the_histogram_of_all_numbers_by_the_declared_sensitivity(
    neighbors: Neighbors, missing: bool
) -> None:
    mechanism, moved = moves(neighbors, 2.0, missing=missing)
    assert isinstance(mechanism, Geometric)
    assert {change.shape for change in moved} == {(17,)}
    assert max(np.abs(change).sum() for change in moved) == mechanism.l1_sensitivity
    assert mechanism.l1_sensitivity == neighbors.pick(add_remove=3, replace=6)


@pytest.mark.parametrize(("records", "part"), [(2.0, 150), (100.0, 100), (599.0, 17), (600.0, 250)])
def test_few_records_spend_a_little_on_all_numbers_and_more_on_each(
    records: float, part: int
) -> None:
    """Thousandths of epsilon 1, for 30 numbers."""
    space = FeatureSpace(tuple(Feature(f"x{k}", "numeric", f"x{k}", (0.0, 1.0)) for k in range(30)))
    gate, data = ReplayGate(Neighbors.ADD_REMOVE), training([((0.0,) * 30, 0)], 2, space)
    places, rest = released_places(data, records, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    assert 1000 * (1 - rest.epsilon) == part
    assert gate.released["range of numbers"][0].epsilon == 1 - rest.epsilon
    assert places.middle.shape == places.spread.shape == (30,)


def test_few_records_know_that_bounds_are_too_wide_for_all_numbers() -> None:
    """A histogram of each of 30 numbers says nothing of 430 records at epsilon 0.1."""
    space = FeatureSpace(
        tuple(Feature(f"x{k}", "numeric", f"x{k}", (-20.0, 20.0)) for k in range(30))
    )
    drawn = np.random.default_rng(0).normal(size=(430, 30))
    data = training([(tuple(row), 0) for row in drawn.tolist()], 2, space)
    reach = []
    for seed in range(20):
        gate = open_gate(Loss("0.1"), noise=SeededNoise(seed))
        places, _ = released_places(data, 430.0, loss=Loss("0.1"), gate=gate)
        ends = places.within(1.0)
        assert np.ptp(ends.low) == np.ptp(ends.high) == 0.0
        reach.append(float(ends.high[0] - ends.low[0]) / 2.0)
    # Without a release it is .6.
    assert 0.05 < np.mean(reach) < 0.3


def test_each_number_is_found_where_it_is() -> None:
    rng = np.random.default_rng(0)
    laws = [(0.0, 0.4), (-0.8, 0.06), (0.5, 0.12)]
    columns = [np.clip(rng.normal(middle, spread, 5_000), -1, 1) for middle, spread in laws]
    middles, spreads = np.array(laws).T
    places = found(columns, 100.0)
    np.testing.assert_allclose(places.middle, middles, atol=0.06)
    np.testing.assert_allclose(places.spread, spreads, atol=0.15)


def test_a_number_hidden_by_noise_is_taken_to_be_like_the_others() -> None:
    rng = np.random.default_rng(1)
    columns = [rng.normal(0.25, 0.06, 2_000) for _ in range(9)]
    alone = [found([values], 600.0, seed) for seed, values in enumerate(columns)]
    together = found(columns, 600.0)
    off = [abs(places.middle[0] - 0.25) for places in alone]
    assert np.abs(together.middle - 0.25).mean() < np.mean(off) / 2.0


def test_one_histogram_that_is_mostly_noise_is_believed_once() -> None:
    """Its own law was its prior four times over: numbers were cut to a part that noise chose."""
    totals = np.array([100.0])
    for seed in range(60):
        noise = np.random.default_rng(seed).laplace(scale=100.0, size=(1, 16))
        assert likely_places(100.0 / 16 + noise, totals, scale=100.0).spread[0] > 0.45


def test_what_is_not_known_of_a_middle_counts_as_spread() -> None:
    places = found([np.zeros(100)], 500.0)
    assert places.spread[0] > 0.5
    assert places.within(2.0).high[0] - places.within(2.0).low[0] > 1.5


def test_a_part_stays_within_its_bounds_and_has_a_width() -> None:
    ends = Places(np.array([-1.0, 1.0]), np.array([0.0, 5.0])).within(3.0)
    assert ends.low.tolist() == [-1.0, -1.0]
    assert -1.0 < ends.high[0] < -0.9
    assert ends.high[1] == 1.0


@pytest.mark.parametrize("model", [DPNaiveBayes, DPLogisticRegression])
def test_bounds_five_times_too_wide_cost_little(model: type) -> None:
    """With all numbers in one cell, and weights below their noise, it was .5 and .8 of .9."""
    rng, n = np.random.default_rng(0), 3_000
    y = rng.integers(0, 2, n)
    X = rng.normal(0.0, 1.0, (n, 8)) + 0.5 * y[:, np.newaxis]
    X[:, 1::2] *= -1.0

    def area(width: float) -> float:
        areas = []
        for seed in range(5):
            given = {"classes": (0, 1), "bounds": (-width, width), "noise": SeededNoise(seed)}
            fitted = model(0.5, **given).fit(X[:2_000], y[:2_000])
            areas.append(roc_auc_score(y[2_000:], fitted.predict_proba(X[2_000:])[:, 1]))
        return float(np.mean(areas))

    assert area(20.0) > area(4.0) - 0.03
    assert area(20.0) > 0.78


def test_weights_of_a_part_are_those_of_the_whole_range() -> None:
    """Records within the part are scored as they were trained; so are missing numbers."""
    space = FeatureSpace((Feature("a", "numeric", "a", (0.0, 10.0), True),))
    X = np.array([[1.0], [2.0], [np.nan], [3.0]] * 300)
    y = np.array([0, 0, 1, 1] * 300)
    fitted = DPLogisticRegression(1, classes=(0, 1), schema=space, noise=SeededNoise(0)).fit(X, y)
    low, half, high, none = fitted.decision_function([[1.0], [2.0], [3.0], [np.nan]])
    assert low < half < high
    assert none > half


def test_a_wrong_part_does_not_ruin_a_regression() -> None:
    """A number is cut to its part when it is scored, as it was when weights were made for it."""
    rng = np.random.default_rng(0)
    X = rng.normal(-0.3, 0.4, (20_000, 2)).clip(-1.0, 1.0)
    # What a number says stops where the wrong part does.
    y = (rng.logistic(size=20_000) < 12.0 * (np.minimum(X[:, 1], -0.6) + 0.6) - 0.6).astype(
        np.int64
    )
    wrong = Places(np.full(2, -0.8), np.full(2, 0.1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objective, "released_places", lambda *_, loss, **__: (wrong, loss))
        told = {"classes": (0, 1), "bounds": (-1.0, 1.0), "noise": SeededNoise(0)}
        model = DPLogisticRegression("0.1", **told).fit(X, y)
        assert model.score(X, y) > 1.0 - y.mean() - 0.01
