"""Records become the same rows however they are handed over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.models.record_reader import RecordReader
from dpcore.schema import FeatureSpace, Schema, encode
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers

TABLES = [(people(70), SCHEMA), (writers(70), TEXTS)]


class Reader(RecordReader):
    """Knows what its records are, and learns nothing."""

    def __init__(self, method: str = "", classes: Any = None, schema: Any = None) -> None:
        self.method, self.classes, self.bounds, self.schema = method, classes, None, schema


def plain(rows: BoundedRows) -> tuple[list[Any], list[Any]]:
    return rows.numeric.tolist(), rows.indicators.toarray().tolist()


@pytest.mark.parametrize("frame, schema", TABLES, ids=["table", "texts"])
def test_a_table_and_its_matrix_are_the_same_records(frame: Any, schema: Schema) -> None:
    features = frame.drop(columns="ill")
    matrix = encode(features, schema).matrix
    classes, space = schema.label.classes, FeatureSpace.of(schema)
    readers = [Reader(schema=schema), *(Reader(schema=space, classes=classes) for _ in range(2))]
    tables = [features, matrix, csr_array(matrix)]
    read = [
        one._training(table, frame["ill"].to_numpy(), simulated=False)
        for one, table in zip(readers, tables, strict=True)
    ]
    assert plain(read[0].rows) == plain(read[1].rows) == plain(read[2].rows)
    assert read[0].classes.tolist() == read[1].classes.tolist() == read[2].classes.tolist()
    assert readers[0].classes_.tolist() == readers[1].classes_.tolist()
    # Records of further tables, of which none are left out.
    assert plain(readers[0]._rows(features)) == plain(readers[1]._rows(matrix))
    assert readers[0]._rows(features).n_rows == 70


def test_one_declared_class_is_too_few_for_an_estimator_that_needs_two() -> None:
    class Two(Reader):
        _least_classes = 2

    labels = np.array(["no", "no"])
    matrix = np.zeros((2, len(FeatureSpace.of(TEXTS).features)))
    with pytest.raises(InvalidArgument, match="2 or more labels"):
        Two(schema=FeatureSpace.of(TEXTS))._training(matrix, labels, simulated=True)


def test_nothing_is_learned_from_the_records_under_real_noise() -> None:
    numbers, labels = np.zeros((4, 2)), np.array([0, 1, 0, 1])
    for reader in (Reader(), Reader(classes=(0, 1)), Reader(schema=FeatureSpace.of(TEXTS))):
        with pytest.raises((PrivateInference, ValueError)):
            reader._training(numbers, labels, simulated=False)
    read = Reader()._training(numbers, labels, simulated=True)
    assert read.n_classes == 2
