"""Golden charges, and the true normal law at much epsilon; see the mechanism for the loss."""

from __future__ import annotations

from dpcore import Loss, SeededNoise
from dpcore.mechanisms import SmoothCauchy
from dpcore.models.naive_bayes.smooth import METHOD, smooth
from dpcore.release import open_gate
from tests.models.naive_bayes._fitted import check_normal_law, run, two_normals

LOSS = Loss(3)


def test_it_names_the_mechanism_that_it_uses() -> None:
    gate = open_gate(LOSS, noise=SeededNoise(0))
    smooth(two_normals(50)[0], loss=LOSS, gate=gate, allocation=2.0)
    assert [charge.mechanism for charge in gate.charges][1:] == [SmoothCauchy.__name__] * 2
    assert METHOD.guarantee is SmoothCauchy.guarantee


def test_golden_charges() -> None:
    charges = run(smooth, two_normals(50)[0], LOSS, allocation=2.0)[1]
    assert charges == {label: Loss(1) for label in ("class sizes", "means", "standard deviations")}


def test_much_epsilon_gives_means_and_deviations() -> None:
    check_normal_law(smooth, Loss(200))
