"""What every ROC method must do, found in the registry: a new one is tested with no edit here."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise, SystemNoise
from dpcore.errors import BudgetExceeded, NeighborsMismatch, NotPrivate, UnsupportedNeighbors
from dpcore.evaluation import RocRelease, private_roc_curve, roc_area_between, roc_methods
from dpcore.registry import Parameter
from tests.evaluation.roc._data import HARD, beta_scores

METHODS = roc_methods()
SCORES = beta_scores()
every_method = pytest.mark.parametrize("method", METHODS)
every_relation = pytest.mark.parametrize("neighbors", list(Neighbors))


def run(method: str, scores: Any = SCORES, **arguments: Any) -> RocRelease:
    declared = METHODS[method]
    if Neighbors.of(arguments.get("neighbors", "add-remove")) not in declared.neighbors:
        pytest.skip(f"{method} states no calibration for this relation")
    defaults = {"epsilon": 1, "noise": SeededNoise(0)}
    return private_roc_curve(scores, method=method, **defaults | arguments)


def assert_is_a_curve(curve: RocRelease) -> None:
    for rate in (curve.fpr, curve.tpr):
        assert (rate[0], rate[-1]) == (0.0, 1.0)
        assert (np.diff(rate) >= 0).all()
    assert curve.fpr.shape == curve.tpr.shape == curve.thresholds.shape
    assert curve.thresholds[0] == np.inf
    assert ((curve.thresholds[1:] >= 0) & (curve.thresholds[1:] <= 1)).all()
    assert (np.diff(curve.thresholds[1:]) <= 0).all()
    assert 0.0 <= curve.auc <= 1.0
    for band, rate in ((curve.fpr_band, curve.fpr), (curve.tpr_band, curve.tpr)):
        if band is not None:
            assert band.shape == (2, curve.fpr.size)
            # Smoothing may move a rate beyond its box, which is stretched to hold it.
            assert ((band[0] <= rate) & (rate <= band[1])).all()
            assert ((band >= 0) & (band <= 1)).all()
            assert (np.diff(band, axis=1) >= 0).all()
    if curve.auc_interval is not None:
        low, high = curve.auc_interval
        assert 0.0 <= low <= high <= 1.0


def settings(parameter: Parameter) -> list[int | float | str]:
    """The ends of a parameter's range, or all its choices."""
    if parameter.kind is str:
        return list(parameter.choices)
    ends = [parameter.minimum, parameter.maximum]
    return [parameter.kind(end) for end in ends if end is not None]


def test_the_methods_of_the_papers_are_there() -> None:
    known = {"laplace", "fixed-space", "recursive-medians", "quantile-bins"}
    assert known | {"fixed-space-parallel", "recursive-medians-published"} <= set(METHODS)


@pytest.mark.spanning
@every_relation
@every_method
@pytest.mark.parametrize("data", HARD)
def test_any_data_give_a_curve(method: str, neighbors: Neighbors, data: str) -> None:
    for epsilon in (0.01, 1, 100):
        assert_is_a_curve(run(method, HARD[data], neighbors=neighbors, epsilon=epsilon))


@every_method
def test_every_setting_of_every_parameter_gives_a_curve(method: str) -> None:
    for parameter in METHODS[method].parameters:
        for value in settings(parameter):
            curve = run(method, **{parameter.name: value})
            assert_is_a_curve(curve)
            assert curve.parameters[parameter.name] == value


@every_relation
@every_method
def test_charges_add_up_to_epsilon_at_most(method: str, neighbors: Neighbors) -> None:
    """Exact fractions, on the part that was named, and the ledger agrees."""
    part = Part("split", "test", fixed_under_replacement=True)
    ledger = Ledger(Loss(1), neighbors)
    curve = run(method, neighbors=neighbors, ledger=ledger, part=part, epsilon=Fraction(1, 3))
    assert curve.charges == ledger.charges
    assert curve.charges
    assert ledger.spent == ledger.total(curve.charges)
    assert ledger.spent.within(Loss(Fraction(1, 3)))
    assert all(charge.part is not None and part in charge.part.path for charge in curve.charges)
    assert curve.neighbors is neighbors


@every_method
def test_the_same_seed_gives_the_same_curve(method: str) -> None:
    once, again, other = (run(method, noise=SeededNoise(seed)) for seed in (7, 7, 8))
    assert once.to_json() == again.to_json()
    assert once.to_json() != other.to_json()
    assert once.simulated


@every_method
def test_noise_that_cannot_be_repeated(method: str) -> None:
    scores = beta_scores(200)
    if not METHODS[method].guarantee.holds:
        ledger = Ledger(Loss(1))
        with pytest.raises(NotPrivate):
            run(method, scores, noise=SystemNoise(), ledger=ledger)
        assert not ledger.charges
        return
    one, other = (run(method, scores, noise=SystemNoise()) for _ in range(2))
    assert_is_a_curve(one)
    assert not one.simulated
    assert one.to_json() != other.to_json()


@every_method
def test_json_round_trip(method: str) -> None:
    part = Part("class", "1", within=Part("split", "test"))
    curve = run(method, part=part, confidence=0.8)
    again = RocRelease.from_json(curve.to_json())
    assert again.to_json() == curve.to_json()
    assert again.charges == curve.charges
    for name in ("fpr", "tpr", "thresholds", "fpr_band", "tpr_band"):
        ours, theirs = getattr(curve, name), getattr(again, name)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            np.testing.assert_array_equal(ours, theirs)
    assert (again.auc, again.auc_interval, again.method) == (curve.auc, curve.auc_interval, method)


@every_method
@pytest.mark.parametrize("epsilon", [2, 0.5, "0.5", Fraction(1, 7), np.float64(0.5)])
def test_every_way_to_write_epsilon(method: str, epsilon: Any) -> None:
    assert_is_a_curve(run(method, epsilon=epsilon))


@every_method
def test_labels_and_scores_of_any_kind(method: str) -> None:
    labels, scores = ["no", "yes", "yes"] * 20, [0.1, 0.8, 0.4] * 20
    curve = run(method, labels, y_score=scores, pos_label="yes")
    assert_is_a_curve(curve)
    same = run(method, np.array([0, 1, 1] * 20), y_score=np.array(scores, dtype=np.float32))
    np.testing.assert_array_equal(curve.fpr, same.fpr)


@every_method
def test_what_cannot_be_paid_is_neither_charged_nor_drawn(method: str) -> None:
    ledger = Ledger(Loss("0.5"))
    with pytest.raises(BudgetExceeded):
        run(method, ledger=ledger)
    assert not ledger.charges
    with pytest.raises(NeighborsMismatch):
        run(method, ledger=Ledger(Loss(1), "replace"))


@every_method
def test_a_relation_without_calibration_is_refused(method: str) -> None:
    for neighbors in set(Neighbors) - set(METHODS[method].neighbors):
        with pytest.raises(UnsupportedNeighbors):
            private_roc_curve(
                SCORES, epsilon=1, method=method, neighbors=neighbors, noise=SeededNoise(0)
            )


@every_method
def test_large_epsilon_shows_the_truth(method: str) -> None:
    """Little noise and default parameters: what is left is the method's own resolution."""
    fpr, tpr, _ = SCORES.roc()
    curve = run(method, epsilon=10_000)
    assert roc_area_between(curve.fpr, curve.tpr, fpr, tpr) < 0.04
