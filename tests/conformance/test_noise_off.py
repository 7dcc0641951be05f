"""With the noise off every method runs, and what it finds is exact and never private."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import dpcore
from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import WithoutNoise
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.privacy import Guarantee
from dpcore.release import release
from dpcore.selection import select_features, selectors
from dpcore.study import NoiseChoice
from tests.models._every_method import data, every_method, make
from tests.models._records import SPACE

pytestmark = pytest.mark.conformance
X, Y = data(600)
ROOT = Path(dpcore.__file__).parent


@every_method
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_a_model_without_noise_is_the_limit_of_a_large_epsilon(
    model: type, method: str, neighbors: Neighbors
) -> None:
    """At an epsilon that hides nothing both agree; at a small one only the noise is gone."""
    if neighbors not in model._methods.get(method).neighbors:
        pytest.skip("states no calibration for it")
    common = {"neighbors": neighbors, "epsilon": 1e6}
    exact = make(model, method, noise=NoiseOff(), **common).fit(X, Y).predict_proba(X)
    # A delta keeps the noise of Gaussian tails wide at any epsilon; the statistics are the same.
    noisy_method = "smooth" if method == "smooth-gaussian" else method
    noisy = make(model, noisy_method, noise=SeededNoise(3), **common).fit(X, Y).predict_proba(X)
    # Output perturbation spends a large epsilon on a small penalty, so that some noise stays.
    tolerance = 0.06 if method == "output-perturbation" else 0.02
    np.testing.assert_allclose(exact, noisy, atol=tolerance)
    small = make(model, method, noise=NoiseOff(), neighbors=neighbors, epsilon=0.5)
    assert roc_auc_score(Y, small.fit(X, Y).predict_proba(X)[:, 1]) > 0.85


@every_method
def test_a_model_without_noise_is_a_simulation(model: type, method: str) -> None:
    ledger = Ledger(Loss(3, 1e-3))
    fitted = make(model, method, noise=NoiseOff(), ledger=ledger).fit(X, Y)
    assert fitted.release_.simulated
    assert json.loads(fitted.to_json())["simulated"] is True
    # It is charged like any other, so that it cannot be had for nothing either.
    assert ledger.charges == fitted.release_.charges != ()


@pytest.mark.parametrize("name", [one for one, declared in selectors().items() if declared.spends])
def test_a_selector_without_noise_applies_its_rule_to_the_exact_scores(name: str) -> None:
    rule = {"top_k": 2} if "top_k" in selectors()[name].rules else {"threshold": 190.0}
    told = {"score": "total-count", "space": SPACE, **rule}
    # What is not drawn with noise that shows is the rule itself.
    expected = select_features(
        X, Y, method="noisy-scores", epsilon=10**6, noise=SeededNoise(0), **told
    )
    found = select_features(X, Y, method=name, epsilon=0.01, noise=NoiseOff(), **told)
    assert found.selected.tolist() == expected.selected.tolist()
    assert 1 < found.selected.size < 7
    assert found.simulated


class Exact:
    """A mechanism that says what it is without noise."""

    loss, neighbors = Loss(1), Neighbors.ADD_REMOVE
    guarantee = Guarantee.proven("a test")

    def draw(self, value: float, noise: NoiseSource) -> float:
        return value + float(noise.uniform(1)[0])

    def without_noise(self, value: float) -> float:
        return value


def test_the_gate_says_that_the_noise_was_off() -> None:
    ledger = Ledger(Loss(1))
    found = release(Exact(), 2.0, label="x", ledger=ledger, noise=NoiseOff())
    assert (found.value, found.simulated, len(ledger.charges)) == (2.0, True, 1)
    assert json.loads(found.to_json())["provenance"]["noise"] == "off"
    noisy = release(Exact(), 2.0, label="x", ledger=Ledger(), noise=SeededNoise(1))
    assert noisy.value != 2.0
    assert "noise" not in noisy.provenance


def test_a_mechanism_without_such_a_limit_fails_rather_than_draws() -> None:
    class Forgotten:
        loss, neighbors, guarantee, draw = Exact.loss, Exact.neighbors, Exact.guarantee, Exact.draw

    assert not isinstance(Forgotten(), WithoutNoise)
    with pytest.raises(NotImplementedError):
        release(Forgotten(), 2.0, label="x", ledger=Ledger(), noise=NoiseOff())


@pytest.mark.parametrize("text", ["off", "none", "seed:off"])
def test_no_study_and_no_request_can_ask_for_it(text: str) -> None:
    with pytest.raises(InvalidArgument, match="noise"):
        NoiseChoice.of(text)
    assert not hasattr(dpcore, "NoiseOff")


def test_only_comparisons_switch_the_noise_off() -> None:
    """In the source of the package, so that no command, page or desk can release without noise."""
    users = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if "NoiseOff()" in path.read_text().split('"""', 2)[-1]
    }
    assert users == {
        "mechanisms/regression/block_objective.py",
        "mechanisms/regression/perturbation.py",
        "noise/seeded.py",
        "curves/model_curves/comparison.py",
        "curves/model_curves/effects.py",
        "study/steps.py",
    }
