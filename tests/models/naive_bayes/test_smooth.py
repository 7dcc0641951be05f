"""Golden charges, and the true normal law at much epsilon; see the mechanism for the loss."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.mechanisms import PublishedSmoothCauchy, SmoothCauchy, SmoothGaussian
from dpcore.models import DPNaiveBayes
from dpcore.models.naive_bayes.smooth import METHOD, smooth_numbers
from dpcore.release import open_gate
from tests.models.naive_bayes._fitted import check_normal_law, run, two_normals

REPAIRED, GAUSSIAN, PUBLISHED, _ = METHOD
WITH_DELTA, PURE = Loss(3, "1e-6"), Loss(3)


def test_smooth_gaussian_it_names_the_mechanism_that_it_uses() -> None:
    gate = open_gate(WITH_DELTA, noise=SeededNoise(0))
    GAUSSIAN.run(two_normals(50)[0], loss=WITH_DELTA, gate=gate, allocation=2.0)
    assert [charge.mechanism for charge in gate.charges][1:] == [SmoothGaussian.__name__] * 2
    assert GAUSSIAN.guarantee is SmoothGaussian.guarantee


def test_delta_is_for_the_numbers_only() -> None:
    charges = run(GAUSSIAN.run, two_normals(50)[0], WITH_DELTA, allocation=2.0)[1]
    assert charges == {
        "class sizes": Loss(1),
        "means": Loss(1, "5e-7"),
        "standard deviations": Loss(1, "5e-7"),
    }


def test_smooth_gaussian_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(GAUSSIAN.run, Loss(4000, "0.01"), n=60_000)


def test_delta_is_a_parameter_of_the_estimator() -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % 2
    ledger = Ledger(Loss(1, "0.001"))
    public = {"classes": (0, 1), "bounds": (0, 1), "ledger": ledger}
    DPNaiveBayes(method="smooth-gaussian", delta=0.001, **public).fit(X, y)
    assert ledger.spent == Loss(1, "0.001")
    with pytest.raises(InvalidArgument, match="'smooth' takes allocation"):
        DPNaiveBayes(method="smooth", delta=0.001, **public).fit(X, y)


def test_smooth_published_it_names_the_mechanism_that_it_uses() -> None:
    gate = open_gate(PURE, noise=SeededNoise(0))
    PUBLISHED.run(two_normals(50)[0], loss=PURE, gate=gate, allocation=2.0)
    assert [charge.mechanism for charge in gate.charges][1:] == [PublishedSmoothCauchy.__name__] * 2
    assert PUBLISHED.guarantee is PublishedSmoothCauchy.guarantee


def test_smooth_published_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(PUBLISHED.run, Loss(30_000))


def test_it_runs_in_simulations_only() -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % 2
    public = {"classes": (0, 1), "bounds": (0, 1)}
    ledger = Ledger(Loss(1))
    with pytest.raises(NotPrivate):
        DPNaiveBayes(method="smooth-published", ledger=ledger, **public).fit(X, y)
    assert ledger.charges == ()


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_two_charges_and_the_true_numbers(neighbors: Neighbors) -> None:
    data, values, labels = two_normals()
    gate = open_gate(Loss(100), neighbors=neighbors, noise=SeededNoise(0))
    means, deviations = smooth_numbers(SmoothCauchy, data, np.zeros(2), Loss(60), Loss(40), gate)
    assert [charge.loss for charge in gate.charges] == [Loss(60), Loss(40)]
    for label in (0, 1):
        own = values[labels == label] / 5 - 1
        assert means[label, 0] == pytest.approx(own.mean(), abs=1e-3)
        assert deviations[label, 0] == pytest.approx(own.std(), abs=2e-3)


def test_missing_cells_are_the_middle() -> None:
    data, _, _ = two_normals(10)
    assert np.isfinite(data.rows.scaled).all()


LOSS = Loss(3)


def test_it_names_the_mechanism_that_it_uses() -> None:
    gate = open_gate(LOSS, noise=SeededNoise(0))
    REPAIRED.run(two_normals(50)[0], loss=LOSS, gate=gate, allocation=2.0)
    assert [charge.mechanism for charge in gate.charges][1:] == [SmoothCauchy.__name__] * 2
    assert REPAIRED.guarantee is SmoothCauchy.guarantee


def test_golden_charges() -> None:
    charges = run(REPAIRED.run, two_normals(50)[0], LOSS, allocation=2.0)[1]
    assert charges == {label: Loss(1) for label in ("class sizes", "means", "standard deviations")}


def test_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(REPAIRED.run, Loss(200))
