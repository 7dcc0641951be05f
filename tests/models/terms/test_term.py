"""What all terms share: a JSON round trip by kind."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.models.terms import (
    CellsTerm,
    GaussianTerm,
    IndicatorTerm,
    LinearTerm,
    Term,
    read_term,
)
from tests.models._records import all_records, training

ROWS = training(all_records(2)[:12], 2).rows
RNG = np.random.default_rng(0)
TERMS: list[Term] = [
    LinearTerm(RNG.normal(size=(2, 1))),
    IndicatorTerm(RNG.normal(size=(2, 6))),
    GaussianTerm(RNG.normal(size=(2, 1)), RNG.random((2, 1)) + 0.1),
    CellsTerm((np.array([-1.0, 0.0, 3.0]),), (RNG.normal(size=(2, 2)),)),
]


@pytest.mark.parametrize("term", TERMS)
def test_json_round_trip(term: Term) -> None:
    again = read_term(json.loads(json.dumps(term.to_plain())))
    assert type(again) is type(term)
    np.testing.assert_array_equal(again.scores(ROWS), term.scores(ROWS))


@pytest.mark.parametrize("term", TERMS)
def test_one_row_of_scores_per_record(term: Term) -> None:
    assert term.scores(ROWS).shape == (ROWS.n_rows, 2)
