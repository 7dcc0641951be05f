"""Regression where the records are: the model of the table, and no row that leaves."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import DataError, InvalidArgument
from dpcore.models import DPClassifier, DPLogisticRegression, DPNaiveBayes
from dpcore.models import collection as collection_module
from dpcore.models.classifier import auto as choice
from dpcore.models.collection import DaskPartitions, encoded_collection, kept_collection
from dpcore.models.training import Training
from dpcore.schema import FeatureSpace, Label, Schema
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers

dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
delayed = pytest.importorskip("dask.delayed").delayed

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
    return dd.from_delayed([dd.from_pandas(part, npartitions=1).to_delayed()[0] for part in parts])


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


def assert_same_model(
    one: DPLogisticRegression | DPClassifier, other: DPLogisticRegression | DPClassifier
) -> None:
    ours, theirs = json.loads(one.to_json()), json.loads(other.to_json())
    assert ours["charges"] == theirs["charges"]
    assert ours["provenance"] == theirs["provenance"]
    found, expected = numbers(ours["value"]), numbers(theirs["value"])
    assert len(found) == len(expected) > 3
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)


@pytest.mark.spanning
@pytest.mark.usefixtures("scheduler")
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_model_of_the_table_for_the_same_charges(kind: str, neighbors: str) -> None:
    make, schema = KINDS[kind]
    frame = make(240)
    there = fitted(collection(frame), schema, neighbors=neighbors)
    assert_same_model(there, fitted(frame, schema, neighbors=neighbors))


@pytest.mark.parametrize("epsilon", ["0.2", 200])
@pytest.mark.parametrize("kind", KINDS)
def test_few_and_many_records_get_the_layout_of_the_table(kind: str, epsilon: Any) -> None:
    make, schema = KINDS[kind]
    frame = make(600)
    pair = [fitted(X, schema, epsilon=epsilon) for X in (collection(frame), frame)]
    assert_same_model(*pair)
    cells = "cells" in json.dumps(json.loads(pair[0].to_json())["value"])
    assert cells == (epsilon == 200)


def test_pairs_of_attributes_are_those_of_the_table() -> None:
    frame = people(6_000)
    frame["ill"] = np.where((frame["smokes"] == "yes") == (frame["age"] > 50), "yes", "no")
    pair = [fitted(X, BINARY, epsilon=20) for X in (collection(frame), frame)]
    assert_same_model(*pair)
    assert any(charge.label == "worth of pairs" for charge in pair[0].release_.charges)
    assert "pairs" in [term["kind"] for term in json.loads(pair[0].to_json())["value"]["terms"]]


def test_counted_levels_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_FEWEST_LEVELS", 3)
    frame, told = people(240), {"schema": BINARY, "noise": SeededNoise(3)}
    there, here = (DPClassifier(1, **told) for _ in range(2))
    for model, X in ((there, collection(frame)), (here, frame)):
        model.fit(X.drop(columns="ill"), X["ill"])
    assert_same_model(there, here)
    labels = [charge.label for charge in here.release_.charges]
    assert labels[2:] == ["histograms of 4 cells", "range of numbers", "weights"]


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
    assert there.fingerprint == here.fingerprint
    np.testing.assert_array_equal(there.sizes, here.sizes)
    np.testing.assert_array_equal(there.indicator_counts, here.indicator_counts)
    counted = there.summed(attrgetter("indicator_counts"))
    np.testing.assert_array_equal(counted, here.indicator_counts)
    np.testing.assert_array_equal(there.moment_sums, here.moment_sums)
    edges = tuple(np.linspace(low, high, 5) for low, high in here.rows.space.numeric_bounds.T)
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


def test_it_is_charged_with_real_noise() -> None:
    ledger = Ledger(Loss(1))
    fitted(collection(people(60)), SCHEMA, ledger=ledger, noise=SystemNoise())
    assert ledger.spent == Loss(1)


@pytest.mark.usefixtures("scheduler")
def test_labels_of_other_rows_are_refused_and_stay_charged() -> None:
    frame, ledger = people(90), Ledger(Loss(1))
    X, y = (dd.from_pandas(frame[rows:], npartitions=2) for rows in (0, 10))
    model = DPLogisticRegression(1, schema=SCHEMA, ledger=ledger, noise=SystemNoise())
    with pytest.raises(InvalidArgument, match="one label for each row of a partition"):
        model.fit(X, y["ill"])
    # Only the rows tell, and those are read after the charge.
    assert ledger.spent == Loss(1)


@pytest.mark.few(1)
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

    remote = dd.from_map(read, range(3), meta=first[:0])
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
    remote = dd.from_delayed(
        [delayed(part) for part in parts], meta=frame[:0].astype(object), verify_meta=False
    )
    classes = np.array(SCHEMA.label.classes)
    matrix, codes = encoded_collection(remote, remote["ill"], SCHEMA, classes)
    plain = dd.from_pandas(frame, npartitions=1)
    expected, labels = encoded_collection(plain, plain["ill"], SCHEMA, classes)
    np.testing.assert_array_equal(np.delete(matrix, 5, axis=0), np.delete(expected, 5, axis=0))
    np.testing.assert_array_equal(codes, labels)
    assert_same_model(fitted(remote, SCHEMA), fitted(odd, SCHEMA))


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people(3000)
    for place in range(6):
        frame[place * 500 : (place + 1) * 500].to_parquet(tmp_path / f"{place}.parquet")
    remote = dd.read_parquet(tmp_path, blocksize=None)
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
