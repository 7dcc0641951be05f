"""Where numbers lie within their bounds: sensitivity, what is inferred, and what it is worth."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.mechanisms import KNormHistograms
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.models.logistic import objective
from dpcore.models.ranges import Places, cells_for_places, likely_places, released_places
from dpcore.schema import Feature, FeatureSpace
from tests.models._records import ReplayGate, training


def found(columns: list[np.ndarray], scale: float, seed: int = 0) -> Places:
    """From counts with Laplace noise."""
    totals = np.array([float(values.size) for values in columns])
    cells = cells_for_places(totals.min() / scale)
    exact = np.array([np.histogram(values, cells, (-1.0, 1.0))[0] for values in columns])
    counts = exact + np.random.default_rng(seed).laplace(0.0, scale, exact.shape)
    return likely_places(counts, totals, scale=scale)


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("missing", [False, True])
def test_one_record_moves_every_histogram_by_the_declared_sensitivity(
    neighbors: Neighbors, missing: bool
) -> None:
    space = FeatureSpace(
        tuple(Feature(name, "numeric", name, (-1.0, 3.0), missing) for name in "abc")
    )
    rows = [(-1.0, 0.7, 9.0), (np.nan, 3.0, np.nan), (1.0, 1.0, 1.0), (-5.0, np.inf, 0.0)]
    base = [(row, 0) for row in rows[:2]]

    def counted(records: list) -> np.ndarray:
        gate = ReplayGate(neighbors)
        released_places(training(records, 2, space), 2.0, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
        mechanism, counts = gate.released["range of numbers"]
        assert isinstance(mechanism, KNormHistograms)
        assert (mechanism.neighbors, mechanism.loss) == (neighbors, Loss(1))
        assert mechanism.sizes == (16 + missing,) * 3
        return counts.reshape(3, 16 + missing)

    before = counted(base)
    moves = []
    for row in rows:
        for label in (-1, 0, 1):
            added = [*base, (row, label)]
            if neighbors is Neighbors.REPLACE:
                added = [*base[1:], (row, label)]
            moved = counted(added) - before
            # The noise is for one change that is alike in all histograms, or for two of them.
            assert np.ptp(moved.sum(axis=1)) == 0
            moves.append(np.abs(moved).sum(axis=1).max())
    assert max(moves) == neighbors.pick(add_remove=1, replace=2)


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
        patch.setattr(objective, "released_places", lambda *_, **__: wrong)
        told = {"classes": (0, 1), "bounds": (-1.0, 1.0), "noise": SeededNoise(0)}
        model = DPLogisticRegression("0.1", **told).fit(X, y)
        assert model.score(X, y) > 1.0 - y.mean() - 0.01
