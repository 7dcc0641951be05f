"""What a feature does to the log-odds: weights of a logistic model, ratios of naive Bayes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.curves.model_curves.effects import Directions, Effects, feature_effects
from dpcore.curves.model_curves.trainers import EncodedSplit, trainer
from dpcore.schema import Block, Categorical, Design, FeatureSpace, Numeric, Schema
from tests.curves.model_curves._records import records
from tests.models._every_method import METHODS
from tests.models._records import SPACE


def effects(method: str, given: EncodedSplit, epsilon: str = "1") -> Effects:
    one = trainer(method)
    model = one.fit(
        given,
        epsilon=Fraction(epsilon),
        neighbors=Neighbors.ADD_REMOVE,
        noise=SeededNoise(1),
    )
    return feature_effects(model, given, one, neighbors=Neighbors.ADD_REMOVE)


def test_the_effect_without_noise_is_what_counting_by_hand_finds() -> None:
    """Whatever epsilon and calibration make of it: here calibration turns some effects round."""
    given = records()
    rows, positive = np.asarray(given.train.matrix), given.train.y == 1
    for epsilon in ("0.05", "1"):
        found = effects("histogram", given, epsilon)
        for place in (1, 2, 3):
            share = [rows[chosen, place].mean() for chosen in (~positive, positive)]
            assert np.sign(found.exact[place]) == np.sign(share[1] - share[0])
    calibrated = trainer("histogram")
    assert dict(calibrated.uncalibrated.parameters) == {"calibration": "none"}
    assert trainer("objective").uncalibrated == trainer("objective")


def test_a_level_is_compared_with_the_others_and_not_with_none() -> None:
    """No record is without a level, so that nothing is known of what none would mean."""
    given = records()
    levels = np.asarray(given.train.matrix)[:, 1:3].astype(bool)
    kept = levels.any(axis=1)
    train = given.train.rows(kept)
    found = effects("truncated-counts", replace(given, train=train), "10000")
    assert np.sign(found.exact[1]) == -np.sign(found.exact[2])
    assert found.exact[1] == pytest.approx(-found.exact[2], abs=0.1)


def test_a_feature_without_an_effect_is_neither_right_nor_wrong() -> None:
    exact, released = np.array([1.0, -2.0, 0.5, 0.0, 0.001]), np.array([0.7, 0.1, 0.0, 3.0, -1.0])
    found = Effects(tuple("abcde"), ("",) * 5, released, exact)
    assert found.directions(np.arange(5)) == Directions(same=1, opposite=1, none=1)
    assert found.directions(np.array([3, 4])) == Directions(same=0, opposite=0, none=0)


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
    # The two levels of a job; words and a lone level are compared with their absence.
    assert found.contrasts[1:] == (*["against the other levels"] * 2, "", "", "", "")
    assert found.exact[0] > 0.5


def test_sparse_and_dense_agree() -> None:
    dense, sparse = (effects("l1-counts", records(sparse=one)) for one in (False, True))
    np.testing.assert_allclose(dense.released, sparse.released)
    np.testing.assert_allclose(dense.exact, sparse.exact)
    assert dense.contrasts == sparse.contrasts


def test_a_number_with_one_quartile_goes_from_the_smallest_to_the_largest() -> None:
    given = records()
    matrix = np.array(given.train.matrix)
    matrix[5:, 0] = 0.25
    matrix[:5, 0] = [0.0, 0.5, 0.5, 0.75, 1.0]
    found = effects("objective", replace(given, train=replace(given.train, matrix=matrix)))
    assert found.contrasts[0] == "0 to 1"
    assert np.isfinite(found.exact).all()


def test_without_features_there_are_no_effects() -> None:
    given = records()
    none = FeatureSpace(())
    train, test = (
        Design(np.zeros((one.y.size, 0)), none, one.y) for one in (given.train, given.test)
    )
    found = effects("histogram", replace(given, train=train, test=test))
    assert (found.names, found.released.size, found.exact.size) == ((), 0, 0)


def test_columns_that_are_weighed_together_are_named_in_their_order() -> None:
    """Numbers come first among attributes, wherever they stand in the table."""
    rng, n = np.random.default_rng(0), 6_000
    levels, number = np.eye(2)[rng.integers(0, 2, n)], rng.uniform(-1.0, 3.0, n)
    sick = (number > 1.0) == (levels[:, 0] == 1.0)
    y = np.where(rng.random(n) < 0.9, sick, ~sick).astype(np.int64)
    matrix = np.column_stack([levels, number, rng.integers(0, 2, n)])
    features = [SPACE.features[place] for place in (1, 2, 0, 3)]
    blocks = (
        Block("job", "one-hot", 0, 2, 1),
        Block("age", "numeric", 2, 3, 1),
        Block("smoker", "one-hot", 3, 4, 1),
    )
    design = Design(matrix, FeatureSpace(tuple(features), blocks), y)
    first = np.arange(n) < 4_500
    given = EncodedSplit(design.rows(first), design.rows(~first), 2, 1, "a product")
    (pair,) = effects("objective", given, "3").pairs
    assert pair.names == ("age", "job")
    assert effects("histogram", given, "3").pairs == ()


def test_an_effect_that_hangs_on_another_column_is_the_mean_over_the_records() -> None:
    draws = np.random.default_rng(3)
    dose, job = draws.uniform(0, 1, 2_000), draws.integers(0, 2, 2_000)
    odds = np.where(job == 1, 6.0 * (dose - 0.5), -2.0 * (dose - 0.5))
    y = (draws.random(2_000) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    schema = Schema((Numeric("dose", (0.0, 1.0)), Categorical("job", ("a", "b", "c"))))
    space = FeatureSpace.of(schema)
    matrix = np.column_stack([dose, job == 0, job == 1, np.zeros(2_000)]).astype(np.float64)
    design = Design(matrix, space, y)
    given = EncodedSplit(design, design, 2, 1, "product")
    one = trainer("objective")
    model = one.fit(
        given, epsilon=Fraction(20), neighbors=Neighbors.ADD_REMOVE, noise=SeededNoise(1)
    )
    found = feature_effects(model, given, one, neighbors=Neighbors.ADD_REMOVE)
    assert [pair.names for pair in found.pairs] == [("dose", "job")]
    low, high = np.quantile(dose, [0.25, 0.75])
    ends = [np.where([True, False, False, False], level, matrix) for level in (low, high)]
    odds_at = [model.predict_log_proba(rows) @ [-1.0, 1.0] for rows in ends]
    by_hand = np.mean(odds_at[1] - odds_at[0])
    assert found.released[0] == pytest.approx(by_hand, abs=1e-9)
    # Half of the records are of each job, whose slopes over half of the range are 3 and -1.
    assert by_hand == pytest.approx(1.0, abs=0.3)
