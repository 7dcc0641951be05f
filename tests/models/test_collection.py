"""Training on the gathered rows of Dask collections: the model of the table, to the bit."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import DataError, InvalidArgument, PrivateInference, SchemaError
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.models import collection as collection_module
from dpcore.models.collection import (
    DaskPartitions,
    encoded_collection,
    is_collection,
    kept_collection,
)
from dpcore.models.training import Training
from dpcore.schema import FeatureSpace, Label, Numeric, Schema, encode
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


parted_training_dd = pytest.importorskip("dask.dataframe")

distributed = pytest.importorskip("distributed")

parted_training_delayed = pytest.importorskip("dask.delayed").delayed

BINARY = Schema((*SCHEMA.columns[:-1], Label("ill", classes=("no", "yes"))))

KINDS: dict[str, tuple[Any, Schema]] = {
    "three classes": (people, SCHEMA),
    "two classes": (people, BINARY),
    "texts": (writers, TEXTS),
}


@pytest.fixture(params=["threads", "two workers"])
def scheduler(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "threads":
        yield
        return
    options = {"processes": False, "dashboard_address": ":0", "threads_per_worker": 1}
    with (
        distributed.LocalCluster(n_workers=2, **options) as cluster,
        distributed.Client(cluster),
    ):
        yield


def collection(frame: pd.DataFrame) -> Any:
    """Three partitions, of which one is empty."""
    third = len(frame) // 3
    parts = [frame[:third], frame[:0], frame[third:]]
    return parted_training_dd.from_delayed(
        [parted_training_dd.from_pandas(part, npartitions=1).to_delayed()[0] for part in parts]
    )


def fitted(X: Any, schema: Schema, **arguments: Any) -> DPLogisticRegression:
    given = {"epsilon": 1, "noise": SeededNoise(3)} | arguments
    model = DPLogisticRegression(given.pop("epsilon"), schema=schema, **given)
    return model.fit(X.drop(columns="ill"), X["ill"])


def numbers(value: Any) -> list[float]:
    """All numbers of a plain document, in order."""
    if isinstance(value, dict):
        return [one for key in sorted(value) for one in numbers(value[key])]
    if isinstance(value, list):
        return [one for part in value for one in numbers(part)]
    return [float(value)] if isinstance(value, int | float) else []


def assert_same_model(one: DPLogisticRegression, other: DPLogisticRegression) -> None:
    ours, theirs = json.loads(one.to_json()), json.loads(other.to_json())
    assert ours["charges"] == theirs["charges"]
    assert ours["provenance"] == theirs["provenance"]
    found, expected = numbers(ours["value"]), numbers(theirs["value"])
    assert len(found) == len(expected) > 3
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)


@pytest.mark.usefixtures("scheduler")
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_model_of_the_table_for_the_same_charges(kind: str, neighbors: str) -> None:
    make, schema = KINDS[kind]
    frame = make(240)
    there = fitted(collection(frame), schema, neighbors=neighbors)
    assert_same_model(there, fitted(frame, schema, neighbors=neighbors))


@pytest.mark.parametrize("epsilon", ["0.5", 200])
@pytest.mark.parametrize("kind", KINDS)
def test_few_and_many_records_get_the_layout_of_the_table(kind: str, epsilon: Any) -> None:
    make, schema = KINDS[kind]
    frame = make(600)
    pair = [fitted(X, schema, epsilon=epsilon) for X in (collection(frame), frame)]
    assert_same_model(*pair)
    cells = "cells" in json.dumps(json.loads(pair[0].to_json())["value"])
    assert cells == (epsilon == 200)


def test_nobody_in_any_partition_is_a_table_too() -> None:
    frame = people(9)[:0]
    assert_same_model(fitted(collection(frame), SCHEMA), fitted(frame, SCHEMA))


@pytest.mark.parametrize("kind", KINDS)
def test_every_sum_is_that_of_the_rows(kind: str) -> None:
    make, schema = KINDS[kind]
    frame, classes = make(200), np.array(schema.label.classes)
    remote, space = collection(frame), FeatureSpace.of(schema)
    there = kept_collection(remote, remote["ill"], schema, classes)
    matrix, codes = encoded_collection(remote, remote["ill"], schema, classes)
    here = Training.of(BoundedRows.of(matrix, space), codes, classes.size)
    assert (here.has_rows, there.has_rows) == (True, False)
    assert there.fingerprint() == here.fingerprint()
    np.testing.assert_array_equal(there.sizes, here.sizes)
    np.testing.assert_array_equal(there.indicator_counts, here.indicator_counts)
    np.testing.assert_array_equal(there.moment_sums, here.moment_sums)
    edges = tuple(np.linspace(low, high, 5) for low, high in here.rows.numeric_bounds.T)
    for ours, theirs in zip(there.cell_counts(edges), here.cell_counts(edges), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for block in here.rows.indicator_blocks:
        np.testing.assert_array_equal(there.word_shares(block), here.word_shares(block))


def sizes_brought(monkeypatch: pytest.MonkeyPatch, rows: int) -> set[int]:
    """Numbers in the results that came here during one fit."""
    sizes, folded = set[int](), DaskPartitions.folded

    def noted(self: Any, task: Any, add: Any) -> Any:
        found = folded(self, task, add)
        parts = found if isinstance(found, tuple) else [getattr(found, "gradients", found)]
        sizes.update(np.size(part) for part in parts)
        return found

    monkeypatch.setattr(DaskPartitions, "folded", noted)
    fitted(collection(people(rows)), SCHEMA, epsilon="0.01")
    monkeypatch.undo()
    return sizes


def test_what_comes_here_does_not_grow_with_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    few = sizes_brought(monkeypatch, 300)
    assert few == sizes_brought(monkeypatch, 3000)
    assert len(few) > 3
    assert max(few) < 3000


def test_other_methods_bring_the_rows_here(monkeypatch: pytest.MonkeyPatch) -> None:
    brought: list[str] = []

    def noted(*arguments: Any) -> Any:
        brought.append("rows")
        return encoded_collection(*arguments)

    monkeypatch.setattr(collection_module, "encoded_collection", noted)
    remote = collection(writers(60))
    for make, method, expected in (
        (DPLogisticRegression, "objective", 0),
        (DPLogisticRegression, "objective-chaudhuri", 1),
        (DPLogisticRegression, "output-perturbation", 2),
        (DPNaiveBayes, "auto", 3),
    ):
        make(1, method=method, schema=TEXTS, noise=SeededNoise(0)).fit(remote, remote["ill"])
        assert len(brought) == expected, method


def test_parted_training_it_is_charged_with_real_noise() -> None:
    ledger = Ledger(Loss(1))
    fitted(collection(people(60)), SCHEMA, ledger=ledger, noise=SystemNoise())
    assert ledger.spent == Loss(1)


@pytest.mark.usefixtures("scheduler")
def test_labels_of_other_rows_are_refused_and_stay_charged() -> None:
    frame, ledger = people(90), Ledger(Loss(1))
    X, y = (parted_training_dd.from_pandas(frame[rows:], npartitions=2) for rows in (0, 10))
    model = DPLogisticRegression(1, schema=SCHEMA, ledger=ledger, noise=SystemNoise())
    with pytest.raises(InvalidArgument, match="one label for each row of a partition"):
        model.fit(X, y["ill"])
    # Only the rows tell, and those are read after the charge.
    assert ledger.spent == Loss(1)


@pytest.mark.parametrize("column", ["age", "smokes", "ill"])
def test_records_that_change_while_they_are_trained_on_are_refused(
    monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    """As those of a lost worker do, if their source gives others when it is read again."""
    first, later = people(200), people(200)
    later[column] = people(200, seed=1)[column]
    ledger, lost = Ledger(Loss(1)), list[int]()

    def read(_: int) -> pd.DataFrame:
        return later if lost else first

    remote = parted_training_dd.from_map(read, range(3), meta=first[:0])
    persisted = DaskPartitions.kept
    # Nothing is kept: every pass reads anew, which is what happens to whom a worker is lost.
    monkeypatch.setattr(DaskPartitions, "kept", lambda self: self)
    folded = DaskPartitions.folded

    def losing(self: Any, task: Any, add: Any) -> Any:
        found = folded(self, task, add)
        lost.append(1)
        return found

    assert fitted(remote, SCHEMA, noise=SystemNoise()).classes_.size == 3
    monkeypatch.setattr(DaskPartitions, "folded", losing)
    with pytest.raises(DataError, match="gave other records when it was read again") as raised:
        fitted(remote, SCHEMA, ledger=ledger, noise=SystemNoise())
    assert not any(digit in str(raised.value) for digit in "0123456789")
    # What was drawn may have been seen.
    assert ledger.spent == Loss(1)
    monkeypatch.setattr(DaskPartitions, "kept", persisted)
    lost.clear()
    fitted(remote, SCHEMA, noise=SystemNoise())


def test_an_odd_cell_changes_its_own_record_alone() -> None:
    """It changes how its partition is stored, and no other does: rows must not notice."""
    frame = people(90)
    odd = frame.astype(object)
    odd.loc[5, ["age", "smokes", "job"]] = ["odd", True, 3.5]
    parts = [odd[:30], frame[30:60].astype({"job": "category"}), frame[60:].astype("string")]
    remote = parted_training_dd.from_delayed(
        [parted_training_delayed(part) for part in parts],
        meta=frame[:0].astype(object),
        verify_meta=False,
    )
    classes = np.array(SCHEMA.label.classes)
    matrix, codes = encoded_collection(remote, remote["ill"], SCHEMA, classes)
    plain = parted_training_dd.from_pandas(frame, npartitions=1)
    expected, labels = encoded_collection(plain, plain["ill"], SCHEMA, classes)
    np.testing.assert_array_equal(np.delete(matrix, 5, axis=0), np.delete(expected, 5, axis=0))
    np.testing.assert_array_equal(codes, labels)
    assert_same_model(fitted(remote, SCHEMA), fitted(odd, SCHEMA))


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people(3000)
    for place in range(6):
        frame[place * 500 : (place + 1) * 500].to_parquet(tmp_path / f"{place}.parquet")
    remote = parted_training_dd.read_parquet(tmp_path, blocksize=None)
    expected = fitted(frame, SCHEMA)
    options = {"processes": True, "dashboard_address": ":0", "threads_per_worker": 1}
    with (
        distributed.LocalCluster(n_workers=2, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        victims, passes = list(client.run(os.getpid).values())[:1], list[int]()
        folded = DaskPartitions.folded

        def killing(self: Any, task: Any, add: Any) -> Any:
            passes.append(1)
            if len(passes) == 4:
                os.kill(victims.pop(), signal.SIGKILL)
            return folded(self, task, add)

        monkeypatch.setattr(DaskPartitions, "folded", killing)
        found = fitted(remote, SCHEMA)
    assert victims == []
    assert_same_model(found, expected)


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
