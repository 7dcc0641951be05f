"""Training on the gathered rows of Dask collections: the model of the table, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.models.collection import encoded_collection, is_collection
from dpcore.schema import Schema, encode
from tests.aggregates._tables import SCHEMA, TEXTS, people, writers

dd = pytest.importorskip("dask.dataframe")


def table(kind: str, rows: int = 150) -> tuple[Any, Schema]:
    return (people(rows), SCHEMA) if kind == "table" else (writers(rows), TEXTS)


@pytest.mark.parametrize("kind", ["table", "texts"])
@pytest.mark.parametrize("partitions", [1, 4])
def test_partitions_are_encoded_as_the_table_is(kind: str, partitions: int) -> None:
    frame, schema = table(kind)
    remote = dd.from_pandas(frame, npartitions=partitions)
    assert is_collection(remote)
    assert not is_collection(frame)
    classes = np.array(schema.label.classes)
    matrix, codes = encoded_collection(remote, remote["ill"], schema, classes)
    here = encode(frame.drop(columns="ill"), schema).matrix
    assert type(matrix) is type(here)
    dense = [one if isinstance(one, np.ndarray) else one.toarray() for one in (matrix, here)]
    np.testing.assert_array_equal(*dense)
    wanted = [list(classes).index(one) if one in classes else -1 for one in frame["ill"]]
    assert codes.tolist() == wanted


@pytest.mark.parametrize("kind", ["table", "texts"])
@pytest.mark.parametrize(
    "make, method",
    [
        (DPLogisticRegression, "output-perturbation"),
        (DPLogisticRegression, "objective-chaudhuri"),
        (DPNaiveBayes, "auto"),
        (DPNaiveBayes, "vaidya"),
    ],
)
def test_the_model_and_its_charges_are_those_of_the_table(
    make: type, method: str, kind: str
) -> None:
    frame, schema = table(kind)
    remote = dd.from_pandas(frame, npartitions=3)
    models = [
        make(2, method=method, schema=schema, noise=SeededNoise(3)).fit(
            X.drop(columns="ill"), X["ill"]
        )
        for X in (remote, frame)
    ]
    assert models[0].to_json() == models[1].to_json()


def test_it_is_charged_with_real_noise() -> None:
    ledger, remote = Ledger(Loss(1)), dd.from_pandas(writers(60), npartitions=2)
    given = {"schema": TEXTS, "ledger": ledger, "noise": SystemNoise()}
    DPLogisticRegression(1, **given).fit(remote, remote["ill"])
    assert ledger.spent == Loss(1)


def test_what_does_not_fit_is_refused_before_a_charge() -> None:
    ledger, remote = Ledger(Loss(1)), dd.from_pandas(writers(60), npartitions=2)
    X, y = remote, remote["ill"]
    unlabelled = Schema(TEXTS.columns[:-1])
    for error, words, schema, labels in (
        (InvalidArgument, "a Schema, to be trained on a Dask collection", None, y),
        (InvalidArgument, "in the 2 partitions", TEXTS, y.repartition(npartitions=1)),
        (InvalidArgument, "in the 2 partitions", TEXTS, ["no"] * 60),
        (PrivateInference, "the class labels", unlabelled, y),
    ):
        model = DPLogisticRegression(1, schema=schema, ledger=ledger, noise=SeededNoise(0))
        with pytest.raises(error, match=words):
            model.fit(X, labels)
    assert ledger.charges == ()
