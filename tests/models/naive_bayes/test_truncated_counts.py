"""Truncated counts: one charge, the cut, the exact model."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import BernoulliNB

from dpcore import Loss, Neighbors
from dpcore.models.naive_bayes.truncated_counts import truncated_counts
from tests.models._records import SPACE, ReplayGate, all_records, training
from tests.models.naive_bayes._fitted import run


def test_golden_charges() -> None:
    charges = run(truncated_counts, training(all_records(2), 2), Loss(1), max_nonzeros=2)[1]
    assert charges == {"class sizes and counts": Loss(1)}


@pytest.mark.parametrize("most, sensitivity", [(1, 1 + 1 + 2 + 1), (2, 6), (50, 6)])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_sensitivity_is_one_more_than_what_is_left(
    most: int, sensitivity: int, neighbors: Neighbors
) -> None:
    gate = ReplayGate(neighbors)
    data = training([((0.0, 1, 0, 1, 1, 1, 1), 0)], 2)
    truncated_counts(data, loss=Loss(1), gate=gate, max_nonzeros=most)  # type: ignore[arg-type]
    mechanism, counts = gate.released["class sizes and counts"]
    assert mechanism.l1_sensitivity == sensitivity * neighbors.pick(add_remove=1, replace=2)
    assert counts.sum() == sensitivity


def test_the_first_words_are_kept() -> None:
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    data = training([((1, 1, 0), 0)], 1, SPACE.take([4, 5, 6]))
    truncated_counts(data, loss=Loss(1), gate=gate, max_nonzeros=1)  # type: ignore[arg-type]
    assert gate.released["class sizes and counts"][1].tolist() == [[1, 1, 0, 0]]


def test_much_epsilon_gives_bernoulli_naive_bayes() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 4000)
    words = rng.random((4000, 3)) < np.where(
        labels[:, np.newaxis] == 1, [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]
    )
    words[words.all(axis=1), 2] = False  # no text has more words than the schema allows
    records = [(tuple(row), y) for row, y in zip(words.astype(float), labels, strict=True)]
    data = training(records, 2, SPACE.take([4, 5, 6]))
    model, _ = run(truncated_counts, data, Loss(10_000), max_nonzeros=9)
    probability = model.probabilities(model.scores(data.rows))
    expected = BernoulliNB().fit(words, labels).predict_proba(words)
    np.testing.assert_allclose(probability, expected, atol=0.005)


def test_noise_beyond_the_class_makes_no_impossible_probability() -> None:
    data = training([((1, 1, 0), 0)], 2, SPACE.take([4, 5, 6]))
    model, _ = run(truncated_counts, data, Loss("0.001"), max_nonzeros=2)
    assert np.isfinite(model.log_probabilities(model.scores(data.rows))).all()
