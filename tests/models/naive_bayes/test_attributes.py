"""Counts of attributes, how epsilon is divided among them, and the exact model."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcore import Loss
from dpcore.models import naive_bayes_methods
from dpcore.models.naive_bayes.attributes import (
    CountedMethod,
    attribute_counts,
    block_counts,
    block_sensitivity,
    fit_attributes,
    log_prior,
    n_attributes,
)
from dpcore.models.terms import IndicatorTerm
from dpcore.models.training import Training
from tests.models._records import SPACE, Record, all_records, training
from tests.models.naive_bayes._fitted import normal_term, run


@given(arrays(np.float64, st.integers(1, 5), elements=st.floats(-1e6, 1e6)))
def test_priors_are_probabilities_and_never_zero(sizes: np.ndarray) -> None:
    logs = log_prior(sizes)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.exp(logs).sum(), 1.0)


def test_many_records_give_their_shares() -> None:
    np.testing.assert_allclose(np.exp(log_prior(np.array([3e6, 1e6]))), [0.75, 0.25], atol=1e-6)


def test_the_methods_that_read_sums_alone_say_so() -> None:
    counted = {
        name: method.histograms
        for name, method in naive_bayes_methods().items()
        if isinstance(method, CountedMethod)
    }
    assert counted.pop("moments") is False
    assert counted == dict.fromkeys(("auto", "histogram", "l1-counts", "truncated-counts"), True)


RECORDS_OF_INDICATORS = all_records(2)


@given(st.lists(st.sampled_from(RECORDS_OF_INDICATORS), max_size=6))
def test_one_hot_cells_add_up_to_the_class_sizes(records: list[Record]) -> None:
    data = training(records, 2)
    for counts, block in zip(block_counts(data), data.rows.indicator_blocks, strict=True):
        assert (counts >= 0).all()
        if block.kind == "one-hot":
            np.testing.assert_array_equal(counts.sum(axis=1), data.sizes)
            assert counts.shape[1] == block.stop - block.start + 1


def test_exact_sensitivity() -> None:
    blocks = training([], 2).rows.indicator_blocks
    counted = np.array(
        [
            np.concatenate([counts.ravel() for counts in block_counts(training([record], 2))])
            for record in RECORDS_OF_INDICATORS
        ]
    )
    assert counted.sum(axis=1).max() == block_sensitivity(blocks) == 1 + 1 + 2
    swaps = np.abs(counted[:, np.newaxis] - counted).sum(axis=2)
    assert swaps.max() == 2 * block_sensitivity(blocks)


def test_the_rest_cell_is_last() -> None:
    counts = block_counts(training([((0, 0, 0, 0, 0, 0, 0), 1)], 2))
    assert counts[0].tolist() == [[0, 0, 0], [0, 0, 1]]
    assert counts[2].tolist() == [[0, 0, 0], [0, 0, 0]]


def test_no_blocks() -> None:
    assert block_sensitivity(()) == 0


RECORDS = all_records(2)


def no_numbers(data: Training, sizes: np.ndarray, *rest: Any) -> tuple[np.ndarray, np.ndarray]:
    shape = (data.n_classes, data.rows.numeric.shape[1])
    return np.full(shape, 7.0), np.full(shape, -7.0)


def fit(data: Training, loss: Loss, allocation: float = 2.0) -> Any:
    return run(fit_attributes, data, loss, allocation=allocation, numbers=no_numbers)


@given(st.lists(st.sampled_from(RECORDS), max_size=6))
def test_every_attribute_counts_every_record_once(records: list[Record]) -> None:
    data = training(records, 2)
    blocks = data.rows.indicator_blocks
    total = sum(counts.sum() for counts in attribute_counts(data))
    assert total == n_attributes(blocks) * data.sizes.sum()
    assert n_attributes(blocks) == 1 + 1 + 3


def test_words_come_first_there_then_not_there() -> None:
    data = training([((0, 0, 0, 0, 1, 1, 0), 1)], 2)
    assert attribute_counts(data)[2].tolist() == [[0] * 6, [1, 1, 0, 0, 0, 1]]


@pytest.mark.parametrize("allocation, units", [(2.0, 8), (4.0, 10), (1.0, 7)])
def test_golden_charges(allocation: float, units: int) -> None:
    """One unit for the sizes, five for the attributes, `allocation` for the only number."""
    asked: list[Loss] = []

    def numbers(data: Training, sizes: np.ndarray, one: Loss, two: Loss, gate: Any) -> Any:
        asked.extend((one, two))
        return no_numbers(data, sizes)

    loss = Loss(units, Fraction(1, 10))
    _, charges = run(
        fit_attributes, training(RECORDS, 2), loss, allocation=allocation, numbers=numbers
    )
    assert charges == {"class sizes": Loss(1), "attribute counts": Loss(5)}
    assert asked == [Loss(Fraction(allocation) / 2, Fraction(1, 20))] * 2


def test_absurd_numbers_are_brought_within_reason() -> None:
    term = normal_term(fit(training(RECORDS, 2), Loss(1))[0])
    assert term.means.tolist() == [[1.0], [1.0]]
    assert np.sqrt(term.variances) == pytest.approx(0.1)


def test_much_epsilon_gives_the_posterior_of_naive_bayes() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 6000)
    smoker = rng.random(6000) < np.array([0.1, 0.5, 0.8])[labels]
    records = [((float(s),), y) for s, y in zip(smoker, labels, strict=True)]
    data = training(records, 3, SPACE.take([3]))
    model, _ = fit(data, Loss(10_000))
    probability = model.probabilities(model.scores(data.rows))
    for value in (False, True):
        share = np.bincount(labels[smoker == value], minlength=3) / (smoker == value).sum()
        np.testing.assert_allclose(probability[smoker == value][0], share, atol=0.01)


def test_words_that_are_missing_speak_too() -> None:
    space = SPACE.take([4, 5, 6])
    records = [((1, 0, 0), 1), ((0, 0, 0), 0)] * 500
    model, _ = fit(training(records, 2, space), Loss(10_000))
    empty = training([((0, 0, 0), 0)], 2, space)
    assert model.probabilities(model.scores(empty.rows))[0, 0] > 0.99
    assert isinstance(model.terms[0], IndicatorTerm)
