"""Training on the gathered rows of Dask collections: the model of the table, to the bit."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, PrivateInference, SchemaError
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.models.collection import (
    DaskPartitions,
    encoded_collection,
    is_collection,
    require_collection,
)
from dpcore.schema import Label, Numeric, Schema, encode
from dpcore.schema.labels import class_codes
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers

delayed = pytest.importorskip("dask.delayed").delayed


def joined(words: Sequence[str]) -> str:
    return f"({' '.join(words)})"


@pytest.mark.parametrize("count", [1, 2, 8, 9, 70])
def test_results_are_added_in_the_order_of_the_partitions(count: int) -> None:
    parts = DaskPartitions(tuple(delayed(int)(number) for number in range(count)))
    found = parts.folded(str, joined)
    assert found.replace("(", "").replace(")", "").split() == [str(one) for one in range(count)]
    assert found.count("(") == found.count(")")
    assert ("((" in found) == (count > 8), "a tree, so that nobody holds the results of all"


def test_what_is_kept_is_made_once() -> None:
    made: list[int] = []

    def doubled(number: int) -> int:
        made.append(number)
        return 2 * number

    parts = DaskPartitions(tuple(delayed(int)(number) for number in range(3)))
    lazy = parts.turned(doubled)
    assert made == []
    kept = lazy.kept()
    assert sorted(made) == [0, 1, 2]
    assert [kept.folded(int, sum) for _ in range(2)] == [6, 6]
    assert len(made) == 3
    assert lazy.folded(int, sum) == 6
    assert len(made) == 6


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


def shuffled_source(reads: list[Any]) -> Any:
    """A source that gives the same rows in another order whenever it is read."""
    frame = pd.DataFrame({"age": np.linspace(18, 90, 60)})
    frame["ill"] = np.where(frame["age"] > 50, "yes", "no")

    def read(_: int, columns: Any = None) -> pd.DataFrame:
        reads.append(columns)
        return frame.sample(frac=1, random_state=len(reads))[columns or list(frame.columns)]

    return dd.from_map(read, range(2), meta=frame[:0])


def test_features_and_labels_are_read_at_once() -> None:
    """Read twice, they would be those of different records, and one record would move them all."""
    reads: list[Any] = []
    remote = shuffled_source(reads)
    schema = Schema((Numeric("age", (18, 90)), Label("ill", ("no", "yes"))))
    before = len(reads)
    matrix, codes = encoded_collection(remote, remote["ill"], schema, np.array(["no", "yes"]))
    assert len(reads) - before == 2
    np.testing.assert_array_equal(codes, matrix[:, 0] > 50)


@pytest.mark.parametrize("apart", [False, True])
def test_a_folder_of_files_of_which_few_columns_are_read(tmp_path: Path, apart: bool) -> None:
    """Dask reads several small files at once, more of them the fewer columns are wanted."""
    for place in range(8):
        people(40, seed=place).to_parquet(tmp_path / f"{place}.parquet")
    remote = dd.read_parquet(tmp_path)
    label = dd.read_parquet(tmp_path, columns=["ill"])["ill"] if apart else remote["ill"]
    whole = pd.concat([people(40, seed=place) for place in range(8)])
    classes = np.array(SCHEMA.label.classes)
    matrix, codes = encoded_collection(remote, label, SCHEMA, classes)
    np.testing.assert_array_equal(matrix, encode(whole.drop(columns="ill"), SCHEMA).matrix)
    np.testing.assert_array_equal(codes, class_codes(whole["ill"].to_numpy(), classes))


def test_a_schema_without_features_still_counts_the_records() -> None:
    schema = Schema((Label("ill", classes=("no", "yes")),))
    frame = writers(80)
    models = [
        DPLogisticRegression(1, schema=schema, noise=SeededNoise(3)).fit(X[[]], X["ill"])
        for X in (dd.from_pandas(frame, npartitions=2), frame)
    ]
    assert models[0].to_json() == models[1].to_json()


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda frame: frame.drop(columns="age"), "'age': the data lack this column"),
        (lambda frame: frame.set_axis(["age", "age", "ill"], axis=1), "hold it 2 times"),
    ],
)
def test_columns_that_are_not_there_once_are_refused_by_name(change: Any, words: str) -> None:
    remote = dd.from_pandas(change(writers(30)), npartitions=2)
    model = DPLogisticRegression(1, schema=TEXTS, noise=SeededNoise(0))
    with pytest.raises(SchemaError, match=words):
        model.fit(remote, remote["ill"])


def test_only_data_frames_and_series_have_rows_and_labels() -> None:
    remote = dd.from_pandas(writers(30), npartitions=2)
    numbers = remote[["age"]].to_dask_array(lengths=True)
    model = DPLogisticRegression(1, schema=TEXTS, noise=SeededNoise(0))
    for X, y, words in (
        (numbers, remote["ill"], "X must be a data frame"),
        (remote["age"], remote["ill"], "X must be a data frame"),
        (remote, remote[["ill"]], "y must be a Dask series"),
        (remote, numbers[:, 0], "y must be a Dask series"),
    ):
        with pytest.raises(InvalidArgument, match=words):
            model.fit(X, y)


def test_without_dask_there_are_no_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    remote = dd.from_pandas(writers(30), npartitions=2)
    monkeypatch.setitem(sys.modules, "dask.dataframe", None)
    with pytest.raises(InvalidArgument, match="^X must be a data frame, got 'DataFrame'"):
        require_collection(remote, remote["ill"])
