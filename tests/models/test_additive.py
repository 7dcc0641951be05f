"""Additive models: links, sums, JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.models.additive import AdditiveModel, Link, best_factor
from dpcore.models.terms import IndicatorTerm, LinearTerm
from tests.models._records import training

ROWS = training([((1.0, 1, 0, 1, 0, 0, 0), 0), ((-1.0, 0, 1, 0, 1, 1, 0), 1)], 2).rows


@given(st.sampled_from(["softmax", "sigmoid", "one-vs-rest"]), st.integers(0, 10**6))
def test_probabilities_are_probabilities(link: Link, seed: int) -> None:
    width = 1 if link == "sigmoid" else 4
    scores = np.random.default_rng(seed).normal(size=(5, width)) * 300
    model = AdditiveModel(link, np.zeros(width), ())
    probability = model.probabilities(scores)
    assert probability.shape == (5, max(width, 2))
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    logs = model.log_probabilities(scores)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.exp(logs), probability, atol=1e-12)


def test_one_vs_rest_normalises_sigmoids() -> None:
    scores = np.array([[0.0, 1.0, -2.0]])
    sigmoids = 1 / (1 + np.exp(-scores))
    model = AdditiveModel("one-vs-rest", np.zeros(3), ())
    np.testing.assert_allclose(model.probabilities(scores), sigmoids / sigmoids.sum())


def test_scores_add_up() -> None:
    linear, indicator = LinearTerm(np.array([[2.0]])), IndicatorTerm(np.ones((1, 6)))
    model = AdditiveModel("sigmoid", np.array([0.5]), (linear, indicator))
    # Ages 1 and -1 are 0 and -1 on the scale of the bounds (-1, 3).
    np.testing.assert_allclose(model.scores(ROWS), [[0.5 + 0 + 2], [0.5 - 2 + 3]])


@pytest.mark.parametrize("link", ["softmax", "one-vs-rest"])
def test_json_round_trip(link: Link) -> None:
    terms = (LinearTerm(np.array([[2.0], [1 / 3]])), IndicatorTerm(np.ones((2, 6)) / 7))
    model = AdditiveModel(link, np.array([0.1, -1e-17]), terms)
    again = AdditiveModel.from_plain(json.loads(json.dumps(model.to_plain())))
    np.testing.assert_array_equal(again.scores(ROWS), model.scores(ROWS))
    assert again.link == link


@pytest.mark.parametrize("link", ["softmax", "one-vs-rest", "sigmoid"])
@pytest.mark.parametrize("classes", [2, 3, 9, 33])
def test_each_row_is_bit_for_bit_its_own(link: Link, classes: int) -> None:
    width = 1 if link == "sigmoid" else classes
    model = AdditiveModel(link, np.zeros(width), ())
    scores = np.random.default_rng(classes).normal(size=(601, width)) * 3
    for function in (model.probabilities, model.log_probabilities):
        together = function(scores)
        for layout in (np.asarray, np.asfortranarray):
            for rows in (slice(0, 600), slice(0, 1), slice(37, 38), slice(5, 70), slice(None)):
                np.testing.assert_array_equal(function(layout(scores[rows])), together[rows])


@pytest.mark.parametrize("left, noise", [(0.9, 0.1), (0.5, 0.8), (0.1, 3.0)])
def test_the_best_factor_is_the_slope_of_log_odds_on_what_was_told(
    left: float, noise: float
) -> None:
    rng = np.random.default_rng(0)
    odds = rng.normal(0.0, 2.0**0.5, 100_000)
    told = left * odds + rng.normal(0.0, noise**0.5, odds.size)
    slope = (told @ odds) / (told @ told)
    assert best_factor(left, noise, most=2.0) == pytest.approx(slope, rel=0.06)
    assert best_factor(left, 0.0, most=1.05) == 1.05


def test_what_nothing_is_left_of_says_nothing() -> None:
    assert best_factor(0.0, 0.0, most=2.0) == best_factor(0.0, 1.0, most=2.0) == 0.0
