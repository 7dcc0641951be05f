"""Moments method: golden charges, exact sensitivity of the pair of sums, the exact law."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import feature_counts
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.feature_counts import MOMENT_UNITS, moment_units
from dpcore.models.naive_bayes.moments import _PAIR_SENSITIVITY, moments
from dpcore.models.terms import GaussianTerm
from dpcore.models.training import Training
from dpcore.release import open_gate
from dpcore.schema import Feature, FeatureSpace
from tests.models._records import SPACE, all_records, released_by_neighbours, training


def test_golden_charges() -> None:
    gate = open_gate(Loss("0.65"), noise=SeededNoise(0))
    moments(training(all_records(2), 2), loss=Loss("0.65"), gate=gate)
    # 1 : 4 : 1.5, for sizes, two one-hot blocks and two words, and one numeric feature.
    assert {charge.label: charge.loss.epsilon for charge in gate.charges} == {
        "class sizes": Fraction(1, 10),
        "indicator counts": Fraction(4, 10),
        "sums of numeric features": Fraction(15, 100),
    }


@pytest.mark.parametrize("kept, labels", [([0], 2), ([1, 2], 2), ([], 1)])
def test_what_is_absent_costs_nothing(kept: list[int], labels: int) -> None:
    gate = open_gate(Loss(1), noise=SeededNoise(0))
    space = SPACE.take(kept)
    records = [((*(row[i] for i in kept),), label) for row, label in all_records(2)]
    moments(training(records, 2, space), loss=Loss(1), gate=gate)
    assert len(gate.charges) == labels
    assert gate.ledger.spent == Loss(1)


def test_sensitivity_of_the_pair_of_sums() -> None:
    u = np.linspace(-1, 1, 2001)
    assert (np.abs(u) + np.abs(u**2 - 0.5)).max() == pytest.approx(_PAIR_SENSITIVITY)
    swaps = np.abs(u - u[:, np.newaxis]) + np.abs(u**2 - (u**2)[:, np.newaxis])
    assert swaps.max() <= 2 * _PAIR_SENSITIVITY


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_the_noise_of_sums_is_made_for_all_that_a_record_moves(neighbors: Neighbors) -> None:
    seen = released_by_neighbours(
        lambda some, gate: moments(some, loss=Loss(1), gate=gate), neighbors
    )
    (mechanism, one), (_, other) = (released["sums of numeric features"] for released in seen)
    assert np.abs(one - other).sum() == mechanism.l1_sensitivity


def test_much_epsilon_gives_means_and_variances() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 5000)
    values = np.clip(rng.normal(np.where(labels == 1, 3.0, 6.0), 1.0), 0, 10)
    space = FeatureSpace((Feature("x", "numeric", "x", (0.0, 10.0)),))
    data = training([((v,), y) for v, y in zip(values, labels, strict=True)], 2, space)
    gate = open_gate(Loss(10_000), noise=SeededNoise(0))
    term = moments(data, loss=Loss(10_000), gate=gate).terms[0]
    assert isinstance(term, GaussianTerm)
    for label in (0, 1):
        own = values[labels == label]
        assert 5 + 5 * term.means[label, 0] == pytest.approx(own.mean(), abs=0.02)
        assert 25 * term.variances[label, 0] == pytest.approx(own.var(), abs=0.05)


@pytest.mark.parametrize("seed", range(20))
def test_noise_never_makes_a_variance_absurd(seed: int) -> None:
    rng = np.random.default_rng(0)
    records = [((v,), y) for v, y in zip(rng.random(40), rng.integers(0, 2, 40), strict=True)]
    space = FeatureSpace((Feature("x", "numeric", "x", (0.0, 1.0)),))
    gate = open_gate(Loss("0.2"), noise=SeededNoise(seed))
    term = moments(training(records, 2, space), loss=Loss("0.2"), gate=gate).terms[0]
    assert isinstance(term, GaussianTerm)
    assert (np.abs(term.means) <= 1).all()
    assert ((term.variances >= 1e-6) & (term.variances <= 1)).all()


@pytest.mark.spanning
@pytest.mark.parametrize("own", [1.0, -1.0, 0.7, 2.0**-33 * 0.6])
@pytest.mark.parametrize("others", [1 / 3, 0.7, 2.0**-33 * 0.75])
def test_a_record_moves_the_sums_by_its_summand_exactly(own: float, others: float) -> None:
    """Whatever stands in the sums already: no rounding of one record's doing on top."""
    space = FeatureSpace((Feature("x", "numeric", "x", (-1.0, 1.0)),))

    def sums(values: np.ndarray) -> np.ndarray:
        rows = BoundedRows.of(values[:, np.newaxis], space)
        return Training(rows, np.zeros(values.size, dtype=np.int64), 1).moment_sums

    many = np.full(300_001, others)
    many[:150_000] = 1.0
    alone = sums(np.array([own]))
    for place in (0, 200_000, many.size):
        np.testing.assert_array_equal(sums(np.insert(many, place, own)) - sums(many), alone)
    assert np.abs(alone).sum() <= _PAIR_SENSITIVITY
    assert alone.ravel() == pytest.approx([own, own**2 - 0.5], abs=2.0**-30)


def test_sums_are_whole_numbers_of_units_however_the_rows_are_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values, classes = np.random.default_rng(0).uniform(-1.0, 1.0, 50), np.arange(50) % 3
    wanted = [
        [sum(round(one * MOMENT_UNITS) for one in summands[classes == label]) for label in range(3)]
        for summands in (values, values**2 - 0.5)
    ]
    for at_once in (feature_counts._EXACT_ROWS, 7):
        monkeypatch.setattr(feature_counts, "_EXACT_ROWS", at_once)
        assert moment_units([values], classes, 3)[:, :, 0].tolist() == wanted
