"""Ratio tables: as additive parts, as responses, rescaled; all views agree."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.models.naive_bayes.ratio_tables import (
    RatioTables,
    indicator_tables,
    numeric_tables,
)
from tests.models._records import all_records, training

DATA = training(all_records(2), 2)
BLOCKS = DATA.rows.indicator_blocks


def tables(n_classes: int = 2) -> RatioTables:
    rng = np.random.default_rng(0)
    return RatioTables(
        rng.normal(size=n_classes),
        (np.array([-1.0, 0.0, 1.0, 3.0]),),
        (rng.normal(size=(n_classes, 3)),),
        BLOCKS,
        tuple(rng.normal(size=(n_classes, width)) for width in (3, 2, 3)),
    )


def test_the_model_adds_what_each_record_has() -> None:
    whole = tables()
    row = training([((0.5, 0, 1, 0, 1, 0, 1), 0)], 2).rows
    age, job, smoker, text = (*whole.numeric, *whole.indicators)
    expected = whole.log_prior + age[:, 1] + job[:, 1] + smoker[:, 1] + text[:, 0] + text[:, 2]
    np.testing.assert_allclose(whole.model().scores(row)[0], expected)


def test_none_of_a_block_is_its_last_cell() -> None:
    whole = tables()
    row = training([((0.5, 0, 0, 1, 0, 0, 0), 0)], 2).rows
    age, job, smoker, _ = (*whole.numeric, *whole.indicators)
    expected = whole.log_prior + age[:, 1] + job[:, 2] + smoker[:, 0]
    np.testing.assert_allclose(whole.model().scores(row)[0], expected)


def test_log_odds_are_the_difference_of_the_scores() -> None:
    whole = tables()
    odds = whole.second_against_first()
    scores = whole.model().scores(DATA.rows)
    summed = odds.responses(DATA.rows).sum(axis=1) + odds.log_prior[0]
    np.testing.assert_allclose(summed, scores[:, 1] - scores[:, 0])
    bias, _ = odds.additive_parts()
    assert bias.shape == (1,)
    assert len(odds) == 4
    assert odds.has_bag


@pytest.mark.parametrize("width", [0.3, np.inf])
def test_rescaled_weighs_each_response(width: float) -> None:
    odds = tables().second_against_first()
    weights, prior = np.array([1.0, -2.0, 0.5, 0.0]), np.array([0.7])
    rescaled = odds.rescaled(prior, weights, width=width)
    without_text = DATA.rows  # the word block has weight 0, so its cut does not matter
    cut = np.clip(odds.responses(without_text), -width, width)
    unit = width if np.isfinite(width) else 1.0
    expected = cut[:, :3] @ weights[:3] / unit + 0.7
    found = rescaled.responses(without_text).sum(axis=1) + rescaled.log_prior[0]
    np.testing.assert_allclose(found, expected)


def test_tables_from_noisy_counts_are_finite_and_shaped() -> None:
    sizes = np.array([10.0, -3.0])
    noisy = [np.array([[5.0, -9.0, 2.0], [0.0, 1.0, -4.0]])] * 2
    numeric = numeric_tables(noisy, sizes, scales=[3.0, 2.0])
    indicator = indicator_tables(noisy, sizes, (BLOCKS[0], BLOCKS[2]), scales=[3.0, 2.0])
    for table in (*numeric, *indicator):
        assert table.shape == (2, 3)
        assert np.isfinite(table).all()
    # The empty class says nothing where cells are made to add up to its size.
    np.testing.assert_array_equal(numeric[0][1], np.zeros(3))
