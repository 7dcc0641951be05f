"""Linear terms read numbers on the scale of their bounds."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.sparse import csr_array

from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.models.terms import (
    BagTerm,
    CellsTerm,
    GaussianTerm,
    IndicatorTerm,
    LinearTerm,
    PairsTerm,
    PolylineTerm,
    Term,
    fixed_order_product,
    fixed_order_sum,
    read_term,
    text_shares,
)
from dpcore.schema import Block, Feature, FeatureSpace
from tests.models._records import all_records, training

ROWS = training(all_records(2)[:12], 2).rows

RNG = np.random.default_rng(0)

TERMS: list[Term] = [
    LinearTerm(RNG.normal(size=(2, 1))),
    PolylineTerm(np.array([[-0.5, 0.1, 2.0]]), RNG.normal(size=(2, 1, 3)), np.ones((2, 1))),
    IndicatorTerm(RNG.normal(size=(2, 6))),
    GaussianTerm(RNG.normal(size=(2, 1)), RNG.random((2, 1)) + 0.1),
    CellsTerm((np.array([-1.0, 0.0, 3.0]),), (RNG.normal(size=(2, 2)),)),
    BagTerm(3, 6, 2, RNG.normal(size=(2, 3)), RNG.normal(size=2)),
    PairsTerm(
        (np.array([-1.0, 0.0, 3.0]),),
        ((0, 1), (1, 2)),
        (RNG.normal(size=(2, 2, 3)), RNG.normal(size=(2, 3, 2))),
    ),
]


@pytest.mark.parametrize("term", TERMS)
def test_json_round_trip(term: Term) -> None:
    again = read_term(json.loads(json.dumps(term.to_plain())))
    assert type(again) is type(term)
    np.testing.assert_array_equal(again.scores(ROWS), term.scores(ROWS))


@pytest.mark.parametrize("term", TERMS)
def test_one_row_of_scores_per_record(term: Term) -> None:
    assert term.scores(ROWS).shape == (ROWS.n_rows, 2)


NUMBERS, WORDS = 60, 40

WIDE = FeatureSpace(
    (
        *(Feature(f"x{i}", "numeric", f"x{i}", (-1.0, 1.0)) for i in range(NUMBERS)),
        *(Feature(f"text:{i}", "indicator", "text") for i in range(WORDS)),
    ),
    (
        *(Block(f"x{i}", "numeric", i, i + 1, 1) for i in range(NUMBERS)),
        Block("text", "bag", NUMBERS, NUMBERS + WORDS, 30),
    ),
)


def wide_terms(scores: int) -> list[Term]:
    grid = np.linspace(-1, 1, 17)
    return [
        LinearTerm(RNG.normal(size=(scores, NUMBERS))),
        PolylineTerm(
            np.sort(RNG.normal(size=(NUMBERS, 5))),
            RNG.normal(size=(scores, NUMBERS, 5)),
            np.zeros((scores, NUMBERS)),
        ),
        IndicatorTerm(RNG.normal(size=(scores, WORDS))),
        GaussianTerm(
            RNG.uniform(-1, 1, (scores, NUMBERS)), RNG.uniform(0.01, 0.3, (scores, NUMBERS))
        ),
        CellsTerm((grid,) * NUMBERS, (RNG.normal(size=(scores, 16)),) * NUMBERS),
        BagTerm(0, WORDS, 7, RNG.normal(size=(scores, WORDS)), RNG.normal(size=scores)),
        PairsTerm((grid,) * NUMBERS, ((0, 7), (5, 9)), (RNG.normal(size=(scores, 16, 16)),) * 2),
    ]


@pytest.mark.few(21)
@pytest.mark.parametrize("scores", [1, 2, 3])
@pytest.mark.parametrize("kind", range(7))
@pytest.mark.parametrize("layout", [np.asarray, np.asfortranarray, csr_array])
def test_scores_are_bit_for_bit_the_record_s_own(scores: int, kind: int, layout: type) -> None:
    """One record more or less, or another place, changes no score, not even in its last bit."""
    term = wide_terms(scores)[kind]
    rng = np.random.default_rng(3)
    matrix = np.hstack([rng.uniform(-1, 1, (601, NUMBERS)), rng.random((601, WORDS)) < 0.3])
    together = term.scores(BoundedRows.of(layout(matrix), WIDE))
    for n in (1, 2, 7, 100, 600):
        some = term.scores(BoundedRows.of(layout(matrix[:n]), WIDE))
        np.testing.assert_array_equal(some, together[:n])
    for place in (0, 1, 13, 600):
        alone = term.scores(BoundedRows.of(layout(matrix[place : place + 1]), WIDE))
        np.testing.assert_array_equal(alone[0], together[place])


def distinct_results(product: object, features: int, scores: int) -> int:
    """How many different results one and the same row gets among 1 to 4097 copies of it."""
    rng = np.random.default_rng(features)
    row, weights = rng.uniform(-1, 1, features), rng.normal(size=(scores, features))
    found = [
        product(np.tile(row, (n, 1)), weights)  # type: ignore[operator]
        for n in (1, 2, 3, 5, 8, 100, 600, 601, 4097)
    ]
    return len(np.unique(np.vstack(found), axis=0))


@pytest.mark.parametrize("scores", [1, 2, 3])
@pytest.mark.parametrize("features", [1, 3, 14, 30, 60])
def test_copies_of_a_row_get_one_result(features: int, scores: int) -> None:
    assert distinct_results(fixed_order_product, features, scores) == 1


@given(st.integers(0, 5), st.integers(0, 12), st.integers(1, 4), st.integers(0, 99))
def test_it_is_the_matrix_product(n: int, features: int, scores: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=(n, features)), rng.normal(size=(scores, features))
    expected = values @ weights.T
    for layout in (np.ascontiguousarray, np.asfortranarray):
        found = fixed_order_product(layout(values), weights)
        assert found.shape == (n, scores)
        np.testing.assert_allclose(found, expected, atol=1e-12)
        np.testing.assert_array_equal(found, fixed_order_product(values, weights))


@given(st.integers(1, 40), st.integers(1, 20), st.integers(0, 99))
def test_sums_do_not_depend_on_the_other_rows_or_the_layout(n: int, p: int, seed: int) -> None:
    columns = np.random.default_rng(seed).normal(size=(n, p))
    total = fixed_order_sum(columns)
    np.testing.assert_allclose(total, columns.sum(axis=1), atol=1e-12)
    np.testing.assert_array_equal(total, fixed_order_sum(np.asfortranarray(columns)))
    alone = [fixed_order_sum(columns[i : i + 1])[0] for i in range(n)]
    np.testing.assert_array_equal(total, alone)


ROWS_OF_BAG = training(all_records(2), 2).rows

TERM = BagTerm(3, 6, 2, np.array([[5.0, 7.0, -3.0]]), np.array([10.0]))


def test_a_score_is_the_mean_weight_and_the_length() -> None:
    words = ROWS_OF_BAG.indicators[:, 3:].toarray()
    counts = words.sum(axis=1)
    expected = words @ TERM.weights[0] / np.maximum(counts, 2) + 10 * np.minimum(counts / 4, 1)
    np.testing.assert_allclose(TERM.scores(ROWS_OF_BAG)[:, 0], expected)
    assert set(counts) == {0.0, 2.0}, "a text of three words is cut to two"


@pytest.mark.parametrize("least", [1, 3, 10])
def test_shares_keep_their_bounds(least: int) -> None:
    rng = np.random.default_rng(0)
    words = csr_array((rng.random((50, 20)) < rng.random((50, 1))).astype(float))
    shares = text_shares(words, least).toarray()
    assert shares.sum(axis=1).max() <= 1 + 1e-12
    assert (shares**2).sum(axis=1).max() <= 1 / least + 1e-12
    np.testing.assert_array_equal(shares > 0, words.toarray() > 0)


def test_a_text_without_words_is_nothing() -> None:
    assert text_shares(csr_array((2, 4)), 5).nnz == 0


def test_the_weight_of_the_cell() -> None:
    rows = training([((age, 0, 0, 0, 0, 0, 0), 0) for age in (-1.0, 0.0, 2.9, 3.0)], 1).rows
    term = CellsTerm((np.array([-1.0, 0.0, 3.0]),), (np.array([[5.0, 7.0], [1.0, 2.0]]),))
    assert term.scores(rows).tolist() == [[5, 1], [7, 2], [7, 2], [7, 2]]


@given(st.floats(-1, 1), st.floats(1e-3, 1), st.floats(-1, 3))
def test_against_the_normal_law(mean: float, variance: float, age: float) -> None:
    rows = training([((age, 0, 0, 0, 0, 0, 0), 0)], 1).rows
    term = GaussianTerm(np.array([[mean]]), np.array([[variance]]))
    expected = stats.norm(mean, np.sqrt(variance)).logpdf((age - 1) / 2)
    np.testing.assert_allclose(term.scores(rows), [[expected]], rtol=1e-9, atol=1e-9)


def test_weights_of_present_indicators_add_up() -> None:
    rows = training([((0, 1, 0, 1, 1, 0, 0), 0), ((0, 0, 0, 0, 0, 0, 0), 0)], 1).rows
    term = IndicatorTerm(np.array([[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]]))
    assert term.scores(rows).ravel().tolist() == [1 + 4 + 8, 0]


def test_bounds_map_to_one_and_minus_one() -> None:
    rows = training([((age, 0, 0, 0, 0, 0, 0), 0) for age in (-1.0, 1.0, 3.0, 99.0)], 1).rows
    assert LinearTerm(np.array([[2.0]])).scores(rows).ravel().tolist() == [-2, 0, 2, 2]


def test_a_polyline_is_level_beyond_its_knots_and_knows_what_is_missing() -> None:
    space = FeatureSpace((Feature("a", "numeric", "a", (0.0, 4.0), True),))
    rows = BoundedRows.of(np.array([[0.0], [1.0], [2.0], [4.0], [np.nan]]), space)
    knots, heights = np.array([[-0.5, 0.5]]), np.array([[[1.0, 3.0]]])
    term = PolylineTerm(knots, heights, np.array([[-7.0]]))
    assert term.scores(rows).ravel().tolist() == [1.0, 1.0, 2.0, 3.0, -7.0]
