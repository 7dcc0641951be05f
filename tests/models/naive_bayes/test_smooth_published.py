"""Golden charges, and the true normal law at much epsilon; see the mechanism for the loss."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise
from dpcore.errors import NotPrivate
from dpcore.mechanisms import PublishedSmoothCauchy
from dpcore.models import DPNaiveBayes
from dpcore.models.naive_bayes.smooth_published import METHOD, smooth_published
from dpcore.release import open_gate
from tests.models.naive_bayes._fitted import check_normal_law, two_normals

LOSS = Loss(3)


def test_it_names_the_mechanism_that_it_uses() -> None:
    gate = open_gate(LOSS, noise=SeededNoise(0))
    smooth_published(two_normals(50)[0], loss=LOSS, gate=gate, allocation=2.0)
    assert [charge.mechanism for charge in gate.charges][1:] == [PublishedSmoothCauchy.__name__] * 2
    assert METHOD.guarantee is PublishedSmoothCauchy.guarantee


def test_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(smooth_published, Loss(30_000))


def test_it_runs_in_simulations_only() -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % 2
    public = {"classes": (0, 1), "bounds": (0, 1)}
    ledger = Ledger(Loss(1))
    with pytest.raises(NotPrivate):
        DPNaiveBayes(method="smooth-published", ledger=ledger, **public).fit(X, y)
    assert ledger.charges == ()
