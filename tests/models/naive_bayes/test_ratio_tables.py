"""Ratio tables: as additive parts, as responses, rescaled; all views agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from dpcore.models.naive_bayes.ratio_tables import (
    RatioTables,
    indicator_tables,
    log_ratios,
    numeric_tables,
    onto_simplex,
)
from tests.models._records import all_records, training

COUNTS = arrays(np.float64, (2, 4), elements=st.floats(-50, 200))

TOTALS = arrays(np.float64, (2,), elements=st.floats(-20, 300))


@given(COUNTS, TOTALS)
def test_projection_is_feasible_and_keeps_the_order(counts: np.ndarray, totals: np.ndarray) -> None:
    projected = onto_simplex(counts, totals)
    assert (projected >= 0).all()
    np.testing.assert_allclose(projected.sum(axis=1), np.maximum(totals, 0), atol=1e-9)
    for raw, new in zip(counts, projected, strict=True):
        assert (np.diff(new[np.argsort(raw)]) >= -1e-9).all()


@pytest.mark.parametrize("seed", range(5))
def test_projection_is_the_nearest_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts, total = rng.normal(5, 20, size=4), 30.0
    found = onto_simplex(counts[np.newaxis], np.array([total]))[0]
    best = minimize(
        lambda x: ((x - counts) ** 2).sum(),
        np.full(4, total / 4),
        bounds=[(0, None)] * 4,
        constraints={"type": "eq", "fun": lambda x: x.sum() - total},
    )
    np.testing.assert_allclose(found, best.x, atol=1e-3)


def test_feasible_counts_are_left_alone() -> None:
    counts = np.array([[3.0, 0.0, 7.0]])
    np.testing.assert_allclose(onto_simplex(counts, np.array([10.0])), counts)


@given(COUNTS, TOTALS, st.floats(0, 1e4))
def test_ratios_are_finite(counts: np.ndarray, totals: np.ndarray, scale: float) -> None:
    assert np.isfinite(log_ratios(np.maximum(counts, 0), totals, scale=scale)).all()


def test_without_noise_and_with_many_records_they_are_the_true_ratios() -> None:
    counts = np.array([[8e6, 2e6], [1e6, 1e6]])
    ratios = log_ratios(counts, counts.sum(axis=1), scale=0.0)
    share = counts.sum(axis=0) / counts.sum()
    expected = np.log(counts / counts.sum(axis=1, keepdims=True) / share)
    np.testing.assert_allclose(ratios, expected, atol=1e-4)


def test_counts_as_small_as_their_noise_stay_quiet() -> None:
    counts, totals = np.array([[3.0, 97.0], [0.0, 100.0]]), np.array([100.0, 100.0])
    loud = np.abs(log_ratios(counts, totals, scale=0.0)).max()
    quiet = np.abs(log_ratios(counts, totals, scale=50.0)).max()
    assert quiet < 0.1 < loud


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


def test_tables_on_the_grid_reach_the_ends_of_their_box_and_go_no_further() -> None:
    odds = np.array([[-9.0, 0.5, 9.0]])
    tables = RatioTables(np.zeros(1), (np.arange(4.0),), (odds,), (), ()).on_grid(2.0)
    assert tables.numeric[0].tolist() == [[-1.0, 0.25, 1.0]]
