"""What simulated releases let one expect: both numbers by name, and the band beside them."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.desk import Assumed
from dpcore.desk.expectation import aim, expectation
from dpcore.desk.publication import Measured, reach
from tests.desk._made import of_predictions, of_table

X = np.linspace(0.0, 1.0, 3)
STATING = [
    Measured(0.8 + step, 0.001 * run, stated=0.02 + step, x=X, y=X, lower=X - 0.1, upper=X + 0.2)
    for run, step in enumerate((0.0, 0.01, 0.02, 0.03))
]
SILENT = [Measured(0.5, 0.1 * run, x=X, y=X + 0.1 * run) for run in range(3)]


def test_what_is_stated_and_what_is_off_are_told_apart() -> None:
    found = expectation(of_predictions(), Assumed(), STATING)
    assert found.stated == pytest.approx(np.quantile([0.02, 0.03, 0.04, 0.05], 0.9))
    assert found.error == pytest.approx(np.quantile([0.0, 0.001, 0.002, 0.003], 0.9))
    assert f"state ± {found.stated:.3f} (AUC) or less in nine of ten" in found.sentence
    assert "on 5,000 simulated records" in found.sentence
    assert f"off by at most {found.error:.3f}" in found.spread_sentence
    low, high = found.spread
    assert f"between {low:.3f} and {high:.3f}" in found.spread_sentence


def test_what_useless_scores_would_state_is_said_too() -> None:
    found = expectation(
        of_predictions(), Assumed(auc=0.9), STATING, of_useless=[Measured(0.5, 0.0, stated=0.4)]
    )
    assert found.useless == 0.4
    assert "as good as an AUC of 0.9, but up to ± 0.400 if they tell nothing" in found.sentence
    assert found.stated == expectation(of_predictions(), Assumed(), STATING).stated
    assert expectation(of_predictions(), Assumed(), STATING).useless is None


def test_a_release_that_states_nothing_is_judged_by_its_error() -> None:
    found = expectation(of_table("features"), Assumed(), SILENT)
    assert found.stated is found.stated_spread is None
    assert f"an error of at most {found.error:.3f} ({found.unit}) in nine of ten" in found.sentence
    assert "state" not in found.spread_sentence


def test_the_target_is_held_against_what_the_owner_is_held_to() -> None:
    assert aim(STATING) == expectation(of_predictions(), Assumed(), STATING).stated
    assert aim(SILENT) == expectation(of_table("model"), Assumed(), SILENT).error


def test_the_band_is_the_stated_one_or_the_spread_of_the_curves() -> None:
    stating = expectation(of_predictions(), Assumed(), STATING)
    np.testing.assert_allclose(stating.lower, X - 0.1)
    np.testing.assert_allclose(stating.upper, X + 0.2)
    assert stating.band_name == "band that it will state"
    silent = expectation(of_table("features"), Assumed(), SILENT)
    np.testing.assert_allclose(silent.upper, X + np.quantile([0, 0.1, 0.2], 0.95))
    assert silent.band_name == "nine in ten releases"


def test_without_a_curve_there_is_no_band() -> None:
    found = expectation(of_table("features"), Assumed(), [Measured(1.0, 0.0), Measured(1.0, 0.0)])
    assert found.x is found.y is found.lower is found.upper is None


def test_an_interval_reaches_as_far_as_its_farther_end() -> None:
    assert reach(0.9, 0.7, 1.0) == pytest.approx(0.2)
    assert reach(X, X - 0.1, X + np.array([0.0, 0.3, 0.1])) == pytest.approx(0.3)
