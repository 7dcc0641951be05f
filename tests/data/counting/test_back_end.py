"""Threads: same counts, progress, cancelling, errors."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcore import SeededNoise
from dpcore.data.counting import FeatureCounts, ScoreHistogram
from dpcore.data.counting.back_end import (
    Columns,
    FileChunk,
    _shares,
    connected,
    count_here,
    count_on_cluster,
)
from dpcore.data.counting.files import file_parts
from dpcore.data.counting.score_counter import ScoreCounter
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.evaluation import private_roc_curve
from tests.data.counting._files import parquet_files, predictions
from tests.data.counting._tables import SCHEMA, people

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")

distributed = pytest.importorskip("distributed")

# Where records are cut into partitions, one of them empty.
PARTS = (0, 2), (2, 2), (2, 3)
COUNTER_OF_DASK_BACK_END = ScoreCounter(label="y", score="p")


@pytest.fixture(scope="module")
def client():
    options = {"processes": False, "dashboard_address": ":0", "threads_per_worker": 1}
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


def test_results_are_gathered_on_the_loop_of_their_own_client(
    client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another's, two threads write to one stream, and a count hangs now and then."""
    from tornado.ioloop import IOLoop

    gather, loops = distributed.Client._gather, []

    async def recorded(self: object, *arguments: object, **options: object) -> object:
        loops.append((self, IOLoop.current()))
        return await gather(self, *arguments, **options)

    monkeypatch.setattr(distributed.Client, "_gather", recorded)
    parts = file_parts(
        parquet_files(tmp_path, predictions(9_000)), COUNTER_OF_DASK_BACK_END.columns
    )
    options = {"processes": False, "dashboard_address": ":0", "threads_per_worker": 1}
    with (
        distributed.LocalCluster(n_workers=1, **options) as cluster,
        distributed.Client(cluster, set_as_default=True) as other,
    ):
        assert distributed.default_client() is other
        count_on_cluster(parts, COUNTER_OF_DASK_BACK_END, client)
    assert loops
    assert all(one is client and loop is client.loop for one, loop in loops)


def test_a_cluster_gives_the_same_release(client, tmp_path: Path) -> None:
    frame = predictions(30_000)
    parts = file_parts(parquet_files(tmp_path, frame), COUNTER_OF_DASK_BACK_END.columns)
    shares: list[float] = []
    vector = count_on_cluster(parts, COUNTER_OF_DASK_BACK_END, client, progress=shares.append)
    np.testing.assert_array_equal(vector, count_here(parts, COUNTER_OF_DASK_BACK_END))
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


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_every_part_is_in_one_share_and_none_is_large(workers: int) -> None:
    for number in (0, 1, 5, 100):
        shares = _shares(list(range(number)), workers)  # type: ignore[arg-type]
        assert [part for share in shares for part in share] == list(range(number))
        assert max(map(len, shares), default=0) <= max(1, -(-number // (4 * workers)))
        assert min(map(len, shares[:-1]), default=1) >= number / (20 * workers)
        assert len(shares) <= 8 * workers


@dataclass(frozen=True)
class Deadly:
    """Rows whose first reader dies as if the machine had taken it."""

    rows: FileChunk
    mark: Path

    @property
    def weight(self) -> int:
        return self.rows.weight

    def batches(self, columns: Sequence[str]) -> Iterator[Columns]:
        die_once(self.mark)
        yield from self.rows.batches(columns)


def die_once(mark: Path) -> None:
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def die_at_row(frame: pd.DataFrame, mark: Path, row: int) -> pd.DataFrame:
    if row in frame.index:
        die_once(mark)
    return frame


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_changes_no_count(tmp_path: Path) -> None:
    frame = predictions(20_000)
    parts = file_parts(parquet_files(tmp_path, frame, files=8), COUNTER_OF_DASK_BACK_END.columns)
    exact = count_here(parts, COUNTER_OF_DASK_BACK_END)
    place = len(parts) // 2
    parts[place] = Deadly(parts[place], tmp_path / "died")
    options = {"dashboard_address": ":0", "threads_per_worker": 1}
    with (
        distributed.LocalCluster(n_workers=2, silence_logs=logging.CRITICAL, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = count_on_cluster(parts, COUNTER_OF_DASK_BACK_END, client)
        assert (tmp_path / "died").exists()
        np.testing.assert_array_equal(found, exact)
        collection = dd.from_pandas(frame, npartitions=6).map_partitions(
            die_at_row, tmp_path / "died again", 9_000, meta=frame.head(0)
        )
        of_partitions = ScoreHistogram.from_dask(collection, label="y", score="p")
    assert (tmp_path / "died again").exists()
    np.testing.assert_array_equal(of_partitions.positives, exact[65536:131072])
    np.testing.assert_array_equal(of_partitions.negatives, exact[:65536])


def test_no_parts_and_no_rows(client) -> None:
    assert count_on_cluster([], COUNTER_OF_DASK_BACK_END, client).sum() == 0
    empty = dd.from_pandas(pd.DataFrame({"y": [], "p": []}), npartitions=1)
    assert ScoreHistogram.from_dask(empty, label="y", score="p").n_positive == 0


@pytest.mark.parametrize("odd", ["\ud800", b"\xff", 10**5000], ids=["half", "bytes", "digits"])
def test_a_cell_of_which_dask_makes_no_text_ends_no_count(odd: object) -> None:
    """Nor one in a partition that is otherwise empty, nor where a choice of columns came after."""
    frame = pd.DataFrame({"z": [0.5, 0.5, 0.5], "y": [1, 0, odd], "p": [0.25, 0.75, odd]})
    parts = [dask.delayed(lambda part: part, pure=False)(frame[at:to]) for at, to in PARTS]
    collection = dd.from_delayed(parts, meta=frame[:0])
    for some in (collection, collection[["p", "y"]], dd.from_pandas(frame, npartitions=2)):
        found = ScoreHistogram.from_dask(some, label="y", score="p")
        assert (found.n_positive, found.n_negative, found.left_out) == (1, 1, 1)


def test_what_progress_raises_cancels(client, tmp_path: Path) -> None:
    parts = file_parts(parquet_files(tmp_path, predictions(900)), COUNTER_OF_DASK_BACK_END.columns)

    def cancel(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        count_on_cluster(parts, COUNTER_OF_DASK_BACK_END, client, progress=cancel)


def test_an_address_where_nothing_answers_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setattr("dpcore.data.counting.back_end._SECONDS_TO_CONNECT", 0.2)
    with pytest.raises(MissingResource, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        ScoreHistogram.from_dask(
            dd.from_pandas(predictions(10), npartitions=1),
            label="y",
            score="p",
            scheduler="tcp://127.0.0.1:9",
        )


COUNTER = ScoreCounter(label="y", score="p")


class Rows:
    """A part whose rows are made when they are read."""

    weight = 100

    def __init__(self, seed: int, fails: bool = False) -> None:
        self.seed, self.fails = seed, fails

    def batches(self, columns: tuple[str, ...]) -> Iterator[Columns]:
        rng = np.random.default_rng(self.seed)
        for _ in range(4):
            if self.fails:
                raise OSError("gone")
            yield {"y": rng.integers(0, 2, 25), "p": rng.random(25)}


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_the_number_of_threads_changes_no_count(workers: int | None) -> None:
    parts = [Rows(seed) for seed in range(9)]
    one = COUNTER(batch for part in parts for batch in part.batches(COUNTER.columns))
    np.testing.assert_array_equal(count_here(parts, COUNTER, workers=workers), one)


def test_no_parts_is_no_rows() -> None:
    assert count_here([], COUNTER).sum() == 0


def test_progress_ends_at_one_and_never_falls() -> None:
    shares: list[float] = []
    count_here([Rows(seed) for seed in range(6)], COUNTER, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_is_done_meanwhile_is_done_once_while_rows_are_read() -> None:
    begun, done = threading.Event(), []

    class Waiting(Rows):
        def batches(self, columns: tuple[str, ...]) -> Iterator[Columns]:
            assert begun.wait(10)
            yield from super().batches(columns)

    def meanwhile() -> None:
        done.append(threading.current_thread())
        begun.set()

    counts = count_here([Waiting(1), Waiting(2)], COUNTER, meanwhile=meanwhile)
    np.testing.assert_array_equal(counts, count_here([Rows(1), Rows(2)], COUNTER))
    assert done == [threading.current_thread()]


@pytest.mark.parametrize("called", ["progress", "meanwhile"])
def test_what_is_raised_here_ends_the_count(called: str) -> None:
    before = threading.active_count()
    read = []

    class Endless(Rows):
        def batches(self, columns: tuple[str, ...]) -> Iterator[Columns]:
            while True:
                read.append(1)
                yield from super().batches(columns)

    def cancel(*share: float) -> None:
        while not read:
            time.sleep(0.001)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        count_here([Endless(1), Endless(2)], COUNTER, **{called: cancel})
    assert read
    assert threading.active_count() == before


def test_an_error_in_a_thread_is_raised_here() -> None:
    with pytest.raises(OSError, match="gone"):
        count_here([Rows(1), Rows(2, fails=True), Rows(3)], COUNTER, workers=2)


def test_threads_are_at_least_one() -> None:
    with pytest.raises(InvalidArgument, match="workers"):
        count_here([], COUNTER, workers=0)


def test_without_dask_a_cluster_is_refused_with_the_way_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(MissingResource, match=r"Dask, which is not installed.*dpcore\[cluster\]"),
        connected("tcp://127.0.0.1:1"),
    ):
        pytest.fail("nothing can be connected")
