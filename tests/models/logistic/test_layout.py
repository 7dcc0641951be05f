"""Layouts: the columns and the model say the same, and the parts are as declared."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from dpcore.models.additive import AdditiveModel
from dpcore.models.grid import Ends
from dpcore.models.logistic.layout import Basis, columns_of, side_by_side
from tests.models._records import all_records, training


def test_joining_keeps_values_and_picks_the_format() -> None:
    dense, thin = np.arange(6.0).reshape(3, 2), csr_array((3, 40))
    joined = side_by_side([dense, thin])
    assert issparse(joined)
    np.testing.assert_array_equal(joined.toarray(), np.hstack([dense, np.zeros((3, 40))]))
    assert isinstance(side_by_side([dense, dense]), np.ndarray)


@pytest.mark.parametrize("levels", [[3, 0, 39], [3, 0, -1], [-1, -1, -1]])
def test_joining_levels_that_every_row_has_or_not(levels: list[int]) -> None:
    dense, one_hot = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]]), np.zeros((3, 40))
    for row, level in enumerate(levels):
        # None where it is -1.
        one_hot[row, level : level + 1] = 5.0
    joined = side_by_side([dense, csr_array(one_hot), dense])
    assert issparse(joined)
    assert joined.has_canonical_format
    np.testing.assert_array_equal(joined.toarray(), np.hstack([dense, one_hot, dense]))


def test_joining_no_rows() -> None:
    assert side_by_side([np.zeros((0, 2)), csr_array((0, 3))]).shape == (0, 5)


@pytest.mark.parametrize("places", [[0, 1, 2, 3], [1, 3], [2]])
def test_some_columns_are_those_of_the_matrix(places: list[int]) -> None:
    table = np.random.default_rng(0).integers(0, 2, (9, 4)).astype(float)
    found = columns_of(csr_array(table), np.array(places))
    np.testing.assert_array_equal(found.toarray(), table[:, places])


DATA = training(all_records(2), 2)

BLOCKS = DATA.rows.indicator_blocks

EDGES = (np.array([-1.0, 0.0, 1.0, 3.0]),)

LAYOUTS = [
    Basis((), BLOCKS, 1),
    Basis(EDGES, BLOCKS, 1, reach=0.25),
    Basis((), (), 1),
    Basis((), (), 0),
    Basis(EDGES, BLOCKS, 1, linear=False),
    Basis(EDGES, BLOCKS, 1, ends=Ends(np.array([-0.5]), np.array([0.25])), turning=0.5),
    Basis(EDGES, (), 1, linear=False, reach=0.25),
]


@pytest.mark.parametrize("basis", [LAYOUTS[0], LAYOUTS[1], *LAYOUTS[4:]])
@pytest.mark.parametrize("scores", [1, 3])
def test_the_model_scores_as_the_columns_do(basis: Basis, scores: int) -> None:
    columns = basis.columns(DATA.rows)
    width = sum(part.width for part in basis.parts)
    assert columns.shape == (DATA.rows.n_rows, width)
    weights = np.random.default_rng(0).normal(size=(scores, width))
    bias, terms = basis.model_parts(weights)
    model = AdditiveModel("softmax", bias, terms)
    np.testing.assert_allclose(model.scores(DATA.rows), columns @ weights.T)


def test_the_box_holds_constant_pairs_and_numbers() -> None:
    kinds = [(part.kind, part.width, part.most) for part in LAYOUTS[0].parts]
    assert kinds == [("box", 3, 1), ("ones", 2, 1), ("shares", 3, 2)]
    distances = LAYOUTS[5].parts[1]
    assert (distances.kind, distances.width, distances.reach) == ("box", 1, 0.5)
    cut = [(part.kind, part.width, part.most) for part in LAYOUTS[1].parts]
    assert cut == [("box", 3, 1), ("ones", 3, 1), ("ones", 2, 1), ("shares", 3, 2)]
