"""Trainers: the kind follows from the method, and the model is the estimator's own."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.curves.model_curves.trainer import trainer
from dpcore.errors import UnknownMethod
from dpcore.models import DPNaiveBayes
from tests.curves.model_curves._records import records
from tests.models._every_method import METHODS


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_trainer(method: str) -> None:
    one = trainer(method)
    assert one.declared is METHODS[method]
    model = one.fit(
        records().train,
        n_classes=2,
        epsilon=Fraction(1),
        neighbors=Neighbors.REPLACE,
        noise=SeededNoise(0),
    )
    assert (model.method, model.neighbors) == (method, Neighbors.REPLACE)
    assert model.release_.simulated


def test_it_trains_what_the_estimator_trains() -> None:
    given = records()
    ours = trainer("truncated-counts", max_nonzeros=2).fit(
        given.train,
        n_classes=2,
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
