"""Layouts: the columns and the model say the same, and the parts are as declared."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from dpcore.mechanisms.regression.tables import Beside
from dpcore.models.additive import AdditiveModel
from dpcore.models.grid import Ends
from dpcore.models.logistic.layout import Basis, side_by_side
from dpcore.models.naive_bayes.ratio_tables import RatioTables
from dpcore.schema.space import Block
from tests.models._records import WITHOUT_TEXT, all_records, training


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


DATA = training(all_records(2), 2)

BLOCKS = DATA.rows.indicator_blocks

EDGES = (np.array([-1.0, 0.0, 1.0, 3.0]),)

# What the levels of the job say, and having none of them.
SAID = RatioTables(np.zeros(1), (), (), BLOCKS[:1], (np.array([[0.5, -1.5, 0.25]]),))

LAYOUTS = [
    Basis((), BLOCKS, 1),
    Basis(EDGES, BLOCKS, 1, reach=0.25),
    Basis((), (), 1),
    Basis((), (), 0),
    Basis(EDGES, BLOCKS, 1, linear=False),
    Basis(EDGES, BLOCKS, 1, ends=Ends(np.array([-0.5]), np.array([0.25])), turning=0.5),
    Basis(EDGES, (), 1, linear=False, reach=0.25),
    Basis((), BLOCKS, 1, counted=SAID),
    Basis(EDGES, BLOCKS, 1, linear=False, counted=SAID),
    Basis(
        EDGES, BLOCKS, 1, ends=Ends(np.array([-0.5]), np.array([0.25])), turning=0.5, counted=SAID
    ),
]


@pytest.mark.parametrize("basis", [LAYOUTS[0], LAYOUTS[1], *LAYOUTS[4:]])
@pytest.mark.parametrize("scores", [1, 3])
def test_the_model_scores_as_the_columns_do(basis: Basis, scores: int) -> None:
    columns = basis.columns(DATA.rows)
    width = sum(part.width for part in basis.parts)
    assert columns.shape == (DATA.rows.n_rows, width)
    weights = np.random.default_rng(0).normal(size=(scores, width))
    if basis.counted:
        weights[:, basis.score_column] = 3.0
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


def test_levels_stand_in_a_table_beside_dense_columns_and_a_row_of_none_has_none() -> None:
    data = training(all_records(2), 2, WITHOUT_TEXT).rows
    block = next(one for one in data.indicator_blocks if one.stop - one.start > 1)
    levels = data.indicators[:, block.start : block.stop].toarray()
    assert set(levels.sum(axis=1).tolist()) == {0.0, 1.0}
    columns = Basis(EDGES, data.indicator_blocks, 1, reach=0.25).columns(data)
    assert isinstance(columns, Beside)
    np.testing.assert_array_equal(columns.toarray()[:, -levels.shape[1] :], levels)


def test_what_counted_levels_say_is_cut_to_the_box_and_never_turned_round() -> None:
    far = RatioTables(np.zeros(1), (), (), BLOCKS[:1], (np.array([[-9.0, 9.0, 0.0]]),))
    basis = Basis((), BLOCKS, 1, counted=far)
    column = np.asarray(basis.columns(DATA.rows))[:, basis.score_column]
    assert set(column.tolist()) == {-1.0, 0.0}
    assert basis.parts[0].width == 1 + basis.score_column
    below = np.zeros((1, basis.width))
    below[0, basis.score_column] = -2.0
    bias, terms = basis.model_parts(below)
    assert (AdditiveModel("sigmoid", bias, terms).scores(DATA.rows) == 0).all()


def test_no_block_is_looked_for_among_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which would take the square of their number, and of a table of many columns minutes."""
    compared, own = list[str](), Block.__eq__

    def counted(one: Block, other: object) -> bool:
        compared.append(one.name)
        return own(one, other)

    monkeypatch.setattr(Block, "__eq__", counted)
    basis = Basis((), BLOCKS, 1)
    assert [block.name for block in basis.wide] == ["job"]
    basis.columns(DATA.rows)
    assert compared == []
