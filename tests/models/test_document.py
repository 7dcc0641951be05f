"""Exported models as JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.errors import DataError
from dpcore.models.document import (
    labels_as_plain,
    read_document,
    read_features,
    write_features,
)
from dpcore.schema import Categorical, Label, Numeric, Schema
from tests.models._records import SPACE

SCHEMA = Schema((Numeric("age", (0, 9)), Categorical("job", ("a", "b")), Label("y", ("0", "1"))))


@pytest.mark.parametrize("declared", [SPACE, SCHEMA, SPACE.take([])])
def test_columns_survive_json(declared: object) -> None:
    text = json.dumps(write_features(declared))  # type: ignore[arg-type]
    assert read_features(json.loads(text)) == declared


@pytest.mark.parametrize("classes", [[0, 1], ["a", "b"], [True, False], [0.5, 1.5]])
def test_labels_survive_json(classes: list[object]) -> None:
    assert json.loads(json.dumps(labels_as_plain(np.array(classes)))) == classes


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", '{"provenance": {}}'])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(DataError, match="this is not an exported model; pass the text"):
        read_document(text, "DPNaiveBayes")


def test_the_wrong_kind_is_named() -> None:
    text = json.dumps({"provenance": {"estimator": "DPLogisticRegression"}})
    with pytest.raises(DataError, match="read it with DPLogisticRegression.from_json"):
        read_document(text, "DPNaiveBayes")
