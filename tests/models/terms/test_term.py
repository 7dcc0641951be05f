"""What all terms share: a JSON round trip by kind, and scores that are each record's own."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.models.terms import (
    BagTerm,
    CellsTerm,
    GaussianTerm,
    IndicatorTerm,
    LinearTerm,
    Term,
    read_term,
)
from dpcore.schema import Block, Feature, FeatureSpace
from tests.models._records import all_records, training

ROWS = training(all_records(2)[:12], 2).rows
RNG = np.random.default_rng(0)
TERMS: list[Term] = [
    LinearTerm(RNG.normal(size=(2, 1))),
    IndicatorTerm(RNG.normal(size=(2, 6))),
    GaussianTerm(RNG.normal(size=(2, 1)), RNG.random((2, 1)) + 0.1),
    CellsTerm((np.array([-1.0, 0.0, 3.0]),), (RNG.normal(size=(2, 2)),)),
    BagTerm(3, 6, 2, RNG.normal(size=(2, 3)), RNG.normal(size=2)),
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
        IndicatorTerm(RNG.normal(size=(scores, WORDS))),
        GaussianTerm(
            RNG.uniform(-1, 1, (scores, NUMBERS)), RNG.uniform(0.01, 0.3, (scores, NUMBERS))
        ),
        CellsTerm((grid,) * NUMBERS, (RNG.normal(size=(scores, 16)),) * NUMBERS),
        BagTerm(0, WORDS, 7, RNG.normal(size=(scores, WORDS)), RNG.normal(size=scores)),
    ]


@pytest.mark.parametrize("scores", [1, 2, 3])
@pytest.mark.parametrize("kind", range(5))
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
