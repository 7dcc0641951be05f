"""The printed method: same steps, printed noise, never with real noise."""

from __future__ import annotations

import pytest

from dpcore import Loss, Neighbors, SystemNoise
from dpcore.errors import NotPrivate
from dpcore.evaluation import private_roc_curve, roc_methods
from dpcore.mechanisms import PublishedSmoothMedians
from tests.evaluation.roc._data import beta_scores
from tests.evaluation.roc._spy import released


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_printed_constants_under_either_relation(neighbors: Neighbors) -> None:
    seen = released("recursive-medians-published", ((0, 1), (1, 2)), neighbors, k=10)
    mechanism, _ = seen["medians of level 1"]
    assert type(mechanism) is PublishedSmoothMedians
    assert mechanism.loss == Loss("0.02")
    assert mechanism.beta == pytest.approx(0.02)
    assert mechanism.noise_factor == pytest.approx(8 / 0.2)


def test_the_badge_and_the_refusal() -> None:
    guarantee = roc_methods()["recursive-medians-published"].guarantee
    assert guarantee.word == "BROKEN"
    with pytest.raises(NotPrivate, match=r"1\.18"):
        private_roc_curve(
            beta_scores(50), epsilon=1, method="recursive-medians-published", noise=SystemNoise()
        )
