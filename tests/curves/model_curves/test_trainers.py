"""Trainers: the kind follows from the method, and the model is the estimator's own."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from dpcore import Neighbors, SeededNoise
from dpcore.curves.model_curves.trainers import confusion, measured, trainer
from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation import ExactScores
from dpcore.models import DPNaiveBayes, logistic_methods, naive_bayes_methods
from dpcore.models.logistic.layout import Basis
from tests.curves.model_curves._records import records
from tests.models._every_method import METHODS

NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)")


@pytest.mark.parametrize("n_classes", [2, 3])
def test_they_are_those_of_scikit_learn(n_classes: int) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 500)
    probability = rng.dirichlet(np.ones(n_classes), 500)
    probability[np.arange(500), y] += 0.2
    probability /= probability.sum(axis=1, keepdims=True)
    found = measured(probability, y, positive=1)
    decided = probability.argmax(axis=1)
    assert found.accuracy == pytest.approx(metrics.accuracy_score(y, decided))
    assert found.balanced == pytest.approx(metrics.balanced_accuracy_score(y, decided))
    area = metrics.roc_auc_score(y == 1, probability[:, 1])
    assert found.auc == pytest.approx(area, abs=1e-4)


def test_nobody_and_one_class() -> None:
    nobody = measured(np.zeros((0, 2)), np.zeros(0, dtype=np.int64), positive=1)
    assert np.isnan(nobody.accuracy)
    assert np.isnan(nobody.balanced)
    one = measured(np.array([[0.9, 0.1]] * 4), np.zeros(4, dtype=np.int64), positive=1)
    assert (one.accuracy, one.balanced, one.auc) == (1.0, 1.0, 0.5)


@given(
    scores=st.lists(st.floats(0, 1), min_size=1, max_size=30),
    threshold=st.integers(0, 20).map(lambda step: step / 20),
    seed=st.integers(0, 5),
)
def test_every_record_is_on_one_side(scores: list[float], threshold: float, seed: int) -> None:
    y = np.random.default_rng(seed).integers(0, 2, len(scores))
    found = confusion(ExactScores(y == 1, np.array(scores)), threshold)
    assert found.true_positives + found.false_negatives == int(y.sum())
    assert found.false_positives + found.true_negatives == int((1 - y).sum())
    above = np.array(scores) >= threshold
    assert found.true_positives == int((above & (y == 1)).sum())
    assert found.false_positives == int((above & (y == 0)).sum())


def test_rates_of_the_table() -> None:
    y, p = [1, 1, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.1, 0.6, 0.2]
    scores = ExactScores.from_arrays(y, p)
    found = confusion(scores, 0.5)
    assert (found.sensitivity, found.specificity) == (0.75, 0.5)
    assert found.balanced == 0.625
    assert found.accuracy == pytest.approx(4 / 6)
    assert np.isnan(confusion(ExactScores.from_arrays([], []), 0.5).accuracy)
    with pytest.raises(InvalidArgument, match="threshold"):
        confusion(scores, 1.5)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_trainer(method: str) -> None:
    one = trainer(method)
    assert one.declared is METHODS[method]
    model = one.fit(
        records(),
        epsilon=Fraction(1),
        neighbors=Neighbors.REPLACE,
        noise=SeededNoise(0),
    )
    assert (model.method, model.neighbors) == (method, Neighbors.REPLACE)
    assert model.release_.simulated


def test_it_trains_what_the_estimator_trains() -> None:
    given = records()
    ours = trainer("truncated-counts", max_nonzeros=2).fit(
        given,
        epsilon=Fraction(1, 2),
        neighbors=Neighbors.ADD_REMOVE,
        noise=SeededNoise(3),
    )
    theirs = DPNaiveBayes(
        0.5,
        method="truncated-counts",
        max_nonzeros=2,
        classes=(0, 1),
        schema=given.train.space,
        noise=SeededNoise(3),
    ).fit(given.train.matrix, given.train.y)
    assert ours.to_json() == theirs.to_json()


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(UnknownMethod, match="did you mean 'objective'"):
        trainer("objectiv")


@pytest.mark.parametrize("method", [*naive_bayes_methods(), *logistic_methods()])
def test_records_read_once_give_the_model_of_records_read_anew(method: str) -> None:
    """The same charges and the same noise: a point of a curve is a model of the study."""
    given, one = records(3), trainer(method)
    told = {"epsilon": Fraction(2), "neighbors": Neighbors.ADD_REMOVE}
    for seed in (0, 1):
        anew = one.fit(given, noise=SeededNoise(seed), **told)
        again = one.fit(given, noise=SeededNoise(seed), again=True, **told)
        first, second = (NUMBER.split(model.to_json()) for model in (again, anew))
        assert first[::2] == second[::2]
        # A regression is solved to far below the noise that hides how it is solved.
        apart = np.subtract(*(np.array(one[1::2], dtype=float) for one in (first, second)))
        assert np.abs(apart).max() <= (1e-6 if method == "objective" else 0.0)


def test_records_read_once_are_for_studies_only() -> None:
    given = records()
    model = DPNaiveBayes(1, classes=(0, 1), schema=given.train.space)
    with pytest.raises(InvalidArgument, match="simulated"):
        model.fit_simulated(given.training)


def test_tasks_at_work_on_the_same_records_do_not_disturb_each_other() -> None:
    training, before = records().training, sys.getswitchinterval()
    rules = [partial(lambda place, rows: rows.numeric[:, :place], place) for place in range(1, 8)]

    def work(first: int) -> list[int]:
        turns = [rules[(first + turn) % len(rules)] for turn in range(5000)]
        return [training.design(rule)[0].shape[1] for rule in turns]

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            widths = list(pool.map(work, range(4)))
    finally:
        sys.setswitchinterval(before)
    most = records().training.rows.numeric.shape[1]
    for first, found in enumerate(widths):
        assert found == [min((first + turn) % 7 + 1, most) for turn in range(5000)]


def test_designs_that_noise_has_chosen_do_not_pile_up() -> None:
    """Each visitor's seed cuts numbers elsewhere, and the records stay while anybody has them."""
    training = records().training
    for place in range(200):
        # A rule that is no layout, such as the score of a model that was drawn, is not kept at all.
        training.design(partial(lambda place, rows: rows.numeric + place, place))
        numbers = training.rows.numeric.shape[1]
        edges = (np.array([-1.0, -1.0 + (place + 1) / 200, 1.0]),) * numbers
        training.design(Basis(edges, training.rows.indicator_blocks, numbers).columns)
        training.cell_counts(edges)
    assert len(training._designs) == 3
    assert len(training._common) == len(training._counted) == 16
