"""Golden charges, and the true normal law at much epsilon; see the mechanism for the loss."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import SmoothGaussian
from dpcore.models import DPNaiveBayes
from dpcore.models.naive_bayes.smooth_gaussian import METHOD, smooth_gaussian
from dpcore.release import open_gate
from tests.models.naive_bayes._fitted import check_normal_law, run, two_normals

LOSS = Loss(3, "1e-6")


def test_it_names_the_mechanism_that_it_uses() -> None:
    gate = open_gate(LOSS, noise=SeededNoise(0))
    smooth_gaussian(two_normals(50)[0], loss=LOSS, gate=gate, allocation=2.0)
    assert [charge.mechanism for charge in gate.charges][1:] == [SmoothGaussian.__name__] * 2
    assert METHOD.guarantee is SmoothGaussian.guarantee


def test_delta_is_for_the_numbers_only() -> None:
    charges = run(smooth_gaussian, two_normals(50)[0], LOSS, allocation=2.0)[1]
    assert charges == {
        "class sizes": Loss(1),
        "means": Loss(1, "5e-7"),
        "standard deviations": Loss(1, "5e-7"),
    }


def test_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(smooth_gaussian, Loss(4000, "0.01"), n=60_000)


def test_delta_is_a_parameter_of_the_estimator() -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % 2
    ledger = Ledger(Loss(1, "0.001"))
    public = {"classes": (0, 1), "bounds": (0, 1), "ledger": ledger}
    DPNaiveBayes(method="smooth-gaussian", delta=0.001, **public).fit(X, y)
    assert ledger.spent == Loss(1, "0.001")
    with pytest.raises(InvalidArgument, match="'smooth' takes allocation"):
        DPNaiveBayes(method="smooth", delta=0.001, **public).fit(X, y)
