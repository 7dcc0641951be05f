"""Dask: the same counts to the bit, on a cluster of two workers too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcore import SeededNoise
from dpcore.aggregates import FeatureCounts, ScoreHistogram
from dpcore.aggregates.back_end import count_here
from dpcore.aggregates.dask_back_end import count_on_cluster
from dpcore.aggregates.files import file_parts
from dpcore.aggregates.score_counter import ScoreCounter
from dpcore.errors import MissingResource
from dpcore.evaluation import private_roc_curve
from tests.aggregates._files import parquet_files, predictions
from tests.aggregates._tables import SCHEMA, people

dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

COUNTER = ScoreCounter(label="y", score="p")


@pytest.fixture(scope="module")
def client():
    options = {"processes": False, "dashboard_address": None, "threads_per_worker": 1}
    with (
        distributed.LocalCluster(n_workers=2, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_partitions_give_the_counts_of_arrays() -> None:
    frame = predictions(9000)
    frame.loc[3, "p"] = np.nan
    found = ScoreHistogram.from_dask(dd.from_pandas(frame, npartitions=11), label="y", score="p")
    kept = frame.dropna()
    exact = ScoreHistogram.from_arrays(kept["y"], kept["p"])
    np.testing.assert_array_equal(found.positives, exact.positives)
    np.testing.assert_array_equal(found.negatives, exact.negatives)


def test_a_cluster_gives_the_same_release(client, tmp_path: Path) -> None:
    frame = predictions(30_000)
    parts = file_parts(parquet_files(tmp_path, frame), COUNTER.columns)
    shares: list[float] = []
    vector = count_on_cluster(parts, COUNTER, client, progress=shares.append)
    np.testing.assert_array_equal(vector, count_here(parts, COUNTER))
    assert shares[-1] == 1.0

    def release(scores: ScoreHistogram) -> str:
        return private_roc_curve(scores, epsilon=1, noise=SeededNoise(3)).to_json()

    address = client.scheduler.address
    remote = ScoreHistogram.from_dask(
        dd.from_pandas(frame, npartitions=4), label="y", score="p", scheduler=address
    )
    here = release(ScoreHistogram.from_arrays(frame["y"], frame["p"]))
    assert release(ScoreHistogram.from_vector(vector)) == here
    assert release(remote) == here


def test_tables_are_counted_on_the_cluster(client) -> None:
    frame = people(200)
    remote = FeatureCounts.from_dask(dd.from_pandas(frame, npartitions=3), SCHEMA)
    np.testing.assert_array_equal(remote.counts, FeatureCounts.from_frame(frame, SCHEMA).counts)


def test_no_parts_and_no_rows(client) -> None:
    assert count_on_cluster([], COUNTER, client).sum() == 0
    empty = dd.from_pandas(pd.DataFrame({"y": [], "p": []}), npartitions=1)
    assert ScoreHistogram.from_dask(empty, label="y", score="p").n_positive == 0


def test_what_progress_raises_cancels(client, tmp_path: Path) -> None:
    parts = file_parts(parquet_files(tmp_path, predictions(900)), COUNTER.columns)

    def cancel(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        count_on_cluster(parts, COUNTER, client, progress=cancel)


def test_an_address_where_nothing_answers_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setattr("dpcore.aggregates.dask_back_end._SECONDS_TO_CONNECT", 0.2)
    with pytest.raises(MissingResource, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        ScoreHistogram.from_dask(
            dd.from_pandas(predictions(10), npartitions=1),
            label="y",
            score="p",
            scheduler="tcp://127.0.0.1:9",
        )
