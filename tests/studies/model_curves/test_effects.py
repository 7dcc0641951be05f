"""What a feature does to the log-odds: weights of a logistic model, ratios of naive Bayes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.studies.model_curves.effects import Effects, feature_effects
from dpcore.studies.model_curves.trainer import Records, trainer
from tests.models._every_method import METHODS
from tests.studies.model_curves._records import records


def effects(method: str, given: Records, epsilon: str = "1") -> Effects:
    one = trainer(method)
    model = one.fit(
        given.train,
        n_classes=2,
        epsilon=Fraction(epsilon),
        neighbors=Neighbors.ADD_REMOVE,
        noise=SeededNoise(1),
    )
    return feature_effects(model, given, one, neighbors=Neighbors.ADD_REMOVE)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_an_effect_per_feature(method: str) -> None:
    given = records()
    found = effects(method, given)
    assert found.names == given.train.space.names
    assert found.released.shape == found.exact.shape == (7,)
    assert np.isfinite(found.released).all()
    assert np.isfinite(found.exact).all()


def test_with_much_epsilon_both_are_the_log_ratios_of_the_records() -> None:
    given = records()
    found = effects("truncated-counts", given, "10000")
    np.testing.assert_allclose(found.released, found.exact, atol=0.02)
    smoker = given.train.matrix[:, 3]
    share = [smoker[given.train.y == label].mean() for label in (0, 1)]
    ratio = np.log(share[1] / share[0]) - np.log((1 - share[1]) / (1 - share[0]))
    assert found.exact[3] == pytest.approx(ratio, abs=0.1)


def test_little_epsilon_moves_only_the_released_ones() -> None:
    given = records()
    much, little = effects("histogram", given, "100"), effects("histogram", given, "0.01")
    np.testing.assert_allclose(much.exact, little.exact)
    assert np.abs(little.released - little.exact).max() > np.abs(much.released - much.exact).max()


def test_a_number_goes_from_quartile_to_quartile() -> None:
    given = records()
    low, high = np.quantile(given.train.matrix[:, 0], [0.25, 0.75])
    found = effects("objective", given)
    assert found.contrasts[0] == f"{low:,.6g} to {high:,.6g}"
    assert set(found.contrasts[1:]) == {""}
    assert found.exact[0] > 0.5


def test_sparse_and_dense_agree() -> None:
    dense, sparse = (effects("l1-counts", records(sparse=one)) for one in (False, True))
    np.testing.assert_allclose(dense.released, sparse.released)
    np.testing.assert_allclose(dense.exact, sparse.exact)
    assert dense.contrasts == sparse.contrasts
