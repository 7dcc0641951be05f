"""Exact answers, which nobody may mistake for private ones."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.evaluation import NaiveReuse


def test_answers_are_exact_means_of_the_holdout():
    holdout = NaiveReuse([0, 0], [0, 1, 1, 1], noise=SeededNoise(1))
    assert holdout.answer(np.array) == 0.75
    answers = holdout.answers([[1, 1], [0, 0]], [[1, 1, 0, 0], [0, 0, 0, 0]])
    assert answers.tolist() == [0.5, 0.0]
    right = np.array([[True, True, False, True], [False] * 4])
    assert holdout.answers(np.zeros((2, 2), dtype=bool), right).tolist() == [0.75, 0.0]


@pytest.mark.parametrize("noise", [None, SystemNoise()])
def test_real_noise_is_refused(noise):
    with pytest.raises(NotPrivate, match="naive-reuse"):
        NaiveReuse([0], [1], noise=noise)


def test_shapes_are_checked():
    with pytest.raises(InvalidArgument, match="^train must be"):
        NaiveReuse([0], [1], noise=SeededNoise(1)).answers([[0, 1]], [[1]])
