"""L1-scaled counts: golden charges, exact sums, a text is worth one however long."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from dpcore import Loss, Neighbors
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.models.naive_bayes.l1_counts import (
    fold_words,
    l1_counts,
    unfold_words,
    word_cells,
)
from dpcore.models.training import Training
from dpcore.schema import Block, Feature, FeatureSpace
from tests.models._records import SPACE, ReplayGate, all_records, training
from tests.models.naive_bayes._fitted import run

SHARES = arrays(
    np.float64, st.tuples(st.integers(1, 3), st.integers(1, 40)), elements=st.sampled_from([0, 1])
)


@given(width=st.integers(1, 10_000), records=st.floats(-1e6, 1e6), more=st.floats(0, 1e6))
def test_more_records_never_mean_fewer_cells(width: int, records: float, more: float) -> None:
    cells = word_cells(width, records)
    assert 1 <= cells <= word_cells(width, records + more) <= width
    assert cells <= max(6 * records, 1)


@given(shares=SHARES, cells=st.integers(1, 50))
def test_folding_makes_no_change_larger(shares: np.ndarray, cells: int) -> None:
    folded = fold_words(shares / 2.0**24, cells)
    assert folded.shape == (shares.shape[0], cells)
    assert np.abs(folded).sum() == np.abs(shares / 2.0**24).sum()
    changes = np.where(np.arange(shares.size).reshape(shares.shape) % 2, shares, -shares)
    assert np.abs(fold_words(changes, cells)).sum() <= np.abs(changes).sum()


@given(shares=SHARES, cells=st.integers(1, 50))
def test_a_text_scores_what_its_cells_score(shares: np.ndarray, cells: int) -> None:
    table = np.random.default_rng(0).integers(-9, 9, (1, cells)).astype(float)
    words = unfold_words(table, shares.shape[1])
    np.testing.assert_array_equal(shares @ words.T, fold_words(shares, cells) @ table.T)


WORDS = 300

TEXT = FeatureSpace(
    tuple(Feature(f"w{i}", "indicator", "text") for i in range(WORDS)),
    (Block("text", "bag", 0, WORDS, WORDS),),
)


def texts(lengths: np.ndarray) -> Training:
    rows = np.arange(WORDS) < lengths[:, np.newaxis]
    return Training.of(
        BoundedRows.of(csr_array(rows.astype(float)), TEXT), np.zeros(lengths.size, int), 1
    )


@pytest.mark.parametrize("n_classes, epsilon, counts", [(2, 1, 95), (2, 100_000, 85), (3, 1, 95)])
def test_golden_charges(n_classes: int, epsilon: int, counts: int) -> None:
    charges = run(l1_counts, training(all_records(n_classes), n_classes), Loss(epsilon))[1]
    expected = {"class sizes": 5, "shares of features": counts}
    # Only many records per unit of noise make a calibration worth its part.
    expected |= {"calibration": 10} if counts == 85 else {}
    assert charges == {
        label: Loss(Fraction(epsilon * percent, 100)) for label, percent in expected.items()
    }


def test_a_text_costs_one_however_many_words_it_may_have() -> None:
    for neighbors, steps in ((Neighbors.ADD_REMOVE, 1), (Neighbors.REPLACE, 2)):
        gate = ReplayGate(neighbors)
        l1_counts(texts(np.array([WORDS])), loss=Loss(1), gate=gate)  # type: ignore[arg-type]
        mechanism, counts = gate.released["shares of features"]
        assert mechanism.l1_sensitivity == steps
        assert 0.999 < counts.sum() <= 1


@pytest.mark.parametrize("length", [1, 3, 7, 299])
def test_a_record_moves_the_sums_by_its_own_summand_exactly(length: int) -> None:
    block = TEXT.blocks[0]
    many = np.random.default_rng(0).integers(0, WORDS, 2_000)
    alone = texts(np.array([length])).word_shares(block)
    grown = texts(np.append(many, length)).word_shares(block)
    np.testing.assert_array_equal(grown - texts(many).word_shares(block), alone)
    assert alone.sum() <= 1
    assert alone[0, :length] == pytest.approx(1 / length, abs=2.0**-24)


def test_no_words_count_nothing() -> None:
    assert texts(np.array([0])).word_shares(TEXT.blocks[0]).sum() == 0


def test_no_features() -> None:
    data = training([((), 0)], 2, SPACE.take([]))
    assert run(l1_counts, data, Loss(1))[1].keys() == {"class sizes"}


def test_words_of_one_class_are_found() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 3_000)
    rows = rng.random((3_000, WORDS)) < 0.03
    rows[:, :3] |= (rng.random((3_000, 3)) < 0.5) & (labels[:, np.newaxis] == 1)
    data = Training.of(BoundedRows.of(rows.astype(float), TEXT), labels, 2)
    model, _ = run(l1_counts, data, Loss(2))
    hits = model.probabilities(model.scores(data.rows)).argmax(axis=1) == labels
    assert hits.mean() > 0.85


def test_noise_alone_does_not_outvote_the_class_sizes() -> None:
    rng = np.random.default_rng(0)
    labels = (rng.random(3_000) < 0.15).astype(int)
    rows = rng.random((3_000, WORDS)) < 0.05
    data = Training.of(BoundedRows.of(rows.astype(float), TEXT), labels, 2)
    model, _ = run(l1_counts, data, Loss(Fraction(1, 10)))
    first = model.probabilities(model.scores(data.rows)).argmax(axis=1) == 0
    assert first.mean() > 0.9


@pytest.mark.parametrize("epsilon, cells", [(1, 75), (100_000, WORDS)])
def test_words_share_cells_if_records_are_few(epsilon: int, cells: int) -> None:
    gate, data = ReplayGate(Neighbors.ADD_REMOVE), texts(np.full(20, WORDS))
    model = l1_counts(data, loss=Loss(epsilon), gate=gate)  # type: ignore[arg-type]
    mechanism, counts = gate.released["shares of features"]
    assert counts.shape == (1, cells)
    assert mechanism.l1_sensitivity == 1
    assert 0.999 < counts.sum() / 20 <= 1
    weights = model.terms[0].weights  # type: ignore[union-attr]
    np.testing.assert_array_equal(weights[:, cells:], weights[:, : WORDS - cells])
