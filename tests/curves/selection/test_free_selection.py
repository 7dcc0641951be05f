"""Selecting from a release: no record is read, and the model that is left is the same one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpcore.curves.selection.free_selection import (
    free_curve,
    largest,
    pruned,
    released_weights,
    select_for_free,
)
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.reading import samples
from dpcore.models import DPNaiveBayes
from dpcore.noise import SeededNoise
from dpcore.study import Dataset, DataSource, Epsilons, Workflow
from dpcore.study.sources import open_records
from dpcore.study.steps import Prepared, prepare

STUDY = Workflow(data=DataSource(sample="heart-risk"), epsilon=Epsilons(training=2))


@pytest.fixture(scope="module")
def data() -> Dataset:
    sample = samples()["heart-risk"]
    return Dataset(sample.frame(), sample.schema(), "sample:heart-risk")


@pytest.fixture(scope="module")
def records(data: Dataset) -> Prepared:
    return prepare(open_records(data), split=STUDY.split, simulated=True)


@pytest.fixture(scope="module", params=["histogram", "l1-counts", "moments", "truncated-counts"])
def model(request: pytest.FixtureRequest, records: Prepared) -> DPNaiveBayes:
    train = records.train
    return DPNaiveBayes(
        5, method=request.param, classes=(0, 1), schema=train.space, noise=SeededNoise(0)
    ).fit(train.matrix, train.y)


def test_every_indicator_has_a_weight_and_no_number(model: DPNaiveBayes) -> None:
    weights = released_weights(model)
    numeric = np.array([feature.kind == "numeric" for feature in model.space_.features])
    assert np.array_equal(np.isnan(weights), numeric)
    assert (weights[~numeric] >= 0).all()


def test_keeping_all_changes_nothing_and_keeping_none_ignores_the_indicators(
    model: DPNaiveBayes, records: Prepared
) -> None:
    rows = BoundedRows.of(records.test.matrix, records.test.space)
    everything = pruned(model, np.arange(rows.space.names.__len__()))
    assert np.array_equal(everything.scores(rows), model.model_.scores(rows))
    nothing = pruned(model, np.zeros(0, dtype=np.int64))
    blank = replace(rows, indicators=rows.indicators * 0.0)
    assert np.allclose(nothing.scores(rows), nothing.scores(blank))
    assert not np.allclose(model.model_.scores(rows), model.model_.scores(blank))


def test_the_largest_come_first_and_numbers_never() -> None:
    weights = np.array([np.nan, 3.0, 1.0, 3.0])
    assert largest(weights, 1).tolist() == [1]
    assert largest(weights, 2).tolist() == [1, 3]
    assert largest(weights, 9).tolist() == [1, 2, 3]


def test_all_of_them_reach_the_accuracy_of_the_model(
    model: DPNaiveBayes, records: Prepared
) -> None:
    (whole,) = select_for_free(model, records.test, [10])
    predicted = model.predict(records.test.matrix) == records.test.y
    assert whole == pytest.approx(float(predicted.mean()), abs=1e-12)


def test_a_curve_has_a_row_for_each_run(data: Dataset, records: Prepared) -> None:
    kept: dict = {}
    told: list[float] = []

    def curve() -> np.ndarray:
        return free_curve(
            STUDY, [1, 5], data=data, test=records.test, runs=2, kept=kept, progress=told.append
        ).accuracy

    assert curve().shape == (2, 2)
    assert np.array_equal(curve(), curve())
    assert told == [0.0, 0.5]
    more = replace(STUDY, epsilon=replace(STUDY.epsilon, training=Fraction(9)))
    free_curve(more, [1, 5], data=data, test=records.test, runs=1, kept=kept, progress=told.append)
    assert len(told) == 3
