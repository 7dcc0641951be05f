"""Whatever is read in a process of its own is what would have been read here, or one sentence."""

from __future__ import annotations

import gzip
import io
import os
import runpy
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore._fork_server import SERVER
from dpcore.data.reading import Dialect, Limits, limited_process, read_dataset, read_predictions
from dpcore.data.reading.prediction_scores import ScoreRefused
from dpcore.data.reading.predictions import RowsIncomplete
from dpcore.data.reading.problems import ELSEWHERE, TooCostly
from dpcore.desk import canonical_digest, read_blindly
from dpcore.errors import IntakeError
from dpcore.schema import Label, Numeric, Schema
from tests.desk._made import of_predictions

ODD = pd.DataFrame(
    {
        "whole": [1, 2, 3],
        "real": [0.5, np.nan, -np.inf],
        "text": ["a", None, "é\U0001f600"],
        "none": [None, None, None],
    }
)
MEBIBYTE = 2**20


def parquet(table: pa.Table | pd.DataFrame, **options: object) -> bytes:
    file = io.BytesIO()
    table = pa.Table.from_pandas(table) if isinstance(table, pd.DataFrame) else table
    pq.write_table(table, file, **options)
    return file.getvalue()


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was handed to the server."""
    asked: list[str] = []
    ask = limited_process._ask

    def noted(request: dict[str, object], *rest: object) -> object:
        asked.append(str(request["name"]))
        return ask(request, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(limited_process, "_ask", noted)
    return asked


def test_tables_arrive_as_they_are_read_here(
    forked: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = parquet(ODD)
    packed = gzip.compress(content, mtime=0)
    (tmp_path / "odd.parquet").write_bytes(content)
    given = {"schema": Schema((Numeric("real", (0, 1)), Label("text", ("a", "b"))))}
    given["dialect"] = Dialect()
    there = [
        read_dataset(content),
        read_dataset(tmp_path / "odd.parquet"),
        read_dataset(packed, name="n", **given),
    ]
    assert forked == ["read_dataset"] * 3
    monkeypatch.setattr(limited_process, "_within", True)
    here = [
        read_dataset(content),
        read_dataset(tmp_path / "odd.parquet"),
        read_dataset(packed, name="n", **given),
    ]
    for one, other in zip(there, here, strict=True):
        pd.testing.assert_frame_equal(one.frame, other.frame)
        assert one.problems == other.problems
        assert (one.dialect, one.digest) == (other.dialect, other.digest)
        assert one.taken_from_data == other.taken_from_data


def test_predictions_and_errors_arrive_with_their_facts(forked: list[str]) -> None:
    good = pd.DataFrame({"label": ["no", "yes"], "score": [0.25, 1.0]})
    found = read_predictions(parquet(good))
    assert (found.y_true.tolist(), found.y_score.tolist()) == ([0, 1], [0.25, 1.0])
    assert (found.classes, found.columns) == (("no", "yes"), ("label", "score"))
    with pytest.raises(RowsIncomplete, match=r"1 of 2 rows lack") as incomplete:
        read_predictions(parquet(good.assign(score=[0.5, None])))
    assert (incomplete.value.missing, incomplete.value.row) == (1, 2)
    with pytest.raises(ScoreRefused) as refused:
        read_predictions(parquet(good.assign(score=[0.5, 50.0])), scale="probability")
    assert refused.value.scale == "percent"
    with pytest.raises(IntakeError, match="^the file gone.csv cannot be read"):
        read_predictions(Path("gone.csv"))
    assert len(forked) == 3


@pytest.mark.parametrize(
    "content, elsewhere",
    [
        (b"a,b\n1,2\n", False),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), False),
        (b"a,b\n" + b"1,2\n" * 2**19, True),
        (gzip.compress(b"a,b\n" + b"1,2\n" * 2**19, mtime=0), True),
        (b"a," * 2**13 + b"b\n" + b"1," * 2**13 + b"2\n", True),
        (parquet(ODD), True),
        (gzip.compress(parquet(ODD), mtime=0), True),
    ],
)
def test_only_small_texts_are_read_here(content: bytes, elsewhere: bool, forked: list[str]) -> None:
    with suppress(IntakeError):
        read_dataset(content)
    assert bool(forked) is elsewhere


def test_too_much_memory_or_time_is_one_sentence_that_says_the_limits_only() -> None:
    content = b"label,score\n" + b"1,0.5\n0,0.25\n" * 400_000
    said = []
    # Memory ends in Python, in Arrow, or where Arrow starts a thread.
    for number in (8, 9, 12, 16, 20, 24):
        with pytest.raises(TooCostly) as told:
            read_predictions(content, limits=Limits(memory_bytes=number * MEBIBYTE))
        said.append(str(told.value))
    assert said[0].startswith("the file takes more than 8 MB of memory or 16 seconds of processor")
    assert said[1] == said[0].replace("8 MB", "9 MB")
    assert said[0].endswith(ELSEWHERE)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory as glibc holds it")
@pytest.mark.parametrize(
    "rows, columns, most, unit", [(2_000, 1_000, 9_999, 1000), (6_000, 500, 2, 1)]
)
def test_memory_that_is_given_back_is_not_counted(
    rows: int, columns: int, most: int, unit: int
) -> None:
    """For each column Arrow asks for the size of all cells: for all of these for 12 gigabytes.

    Of cells of one digit, and their commas, a text of 6 MB is half as much.
    """
    names = ",".join(f"g{place}" for place in range(columns))
    rest = "\n".join(
        ",".join(f"{(3 * at + row) % most / unit:g}" for at in range(columns))
        for row in range(rows)
    )
    read = read_dataset(f"{names}\n{rest}\n".encode(), name="wide.csv")
    assert read.frame.shape == (rows, columns)


def test_time_that_others_take_is_not_counted_and_that_of_all_steps_is() -> None:
    content = b"label,score\n" + b"1,0.5\n0,0.25\n" * 400_000
    with limited_process.one_reading(Limits(seconds=1)):
        time.sleep(1.0)
        assert read_predictions(content).y_true.size == 800_000
        clock = limited_process._clock.get()
        assert clock is not None
        assert 0.01 < clock.left < 0.99
        clock.left = 0.0
        with pytest.raises(TooCostly):
            read_predictions(content)


LIMITED = """
import os, signal, time
from dpcore.data.reading.limited_process import _limit
def compute():
    while True:
        pass
for seconds, patience, work in (
    (0.2, 60, compute), (0.2, 60, lambda: time.sleep(0.6)), (60, 0.2, lambda: time.sleep(60))
):
    child = os.fork()
    if not child:
        _limit(2**30, seconds, patience)
        work()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    print(signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "done")
"""


def test_computing_ends_a_process_early_and_waiting_late() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED],
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
        timeout=60,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["SIGPROF", "done", "SIGALRM"]


def test_the_server_can_be_started_before_any_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    started = threading.Event()
    monkeypatch.setattr(SERVER, "start", started.set)
    runpy.run_path("server.py")
    assert started.wait(5)


def test_one_who_may_not_see_the_rows_is_told_of_the_limits_and_no_more() -> None:
    """Memory does not decide what a table is called, nor does it open as an empty one."""
    content = b"label,score\n" + b"1,0.5\n0,0.25\n" * 400_000
    for rows in (content, content[:-4] + b'"xx\n'):
        with pytest.raises(TooCostly, match="^the file takes more than 8 MB of memory or 16 sec"):
            read_blindly(rows, of_predictions(), limits=Limits(memory_bytes=8 * MEBIBYTE))
        with pytest.raises(TooCostly):
            canonical_digest(rows, limits=Limits(memory_bytes=8 * MEBIBYTE))


def test_a_reading_is_ended_in_the_middle_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process waits for a byte that never comes; the turn that it took is free at once."""
    os.mkfifo(endless := tmp_path / "endless.csv")
    monkeypatch.setattr(limited_process, "_may_be_large", lambda source: True)
    monkeypatch.setattr(limited_process, "_TURNS", threading.BoundedSemaphore(1))
    asked, context = limited_process.Ending(), copy_context()
    context.run(limited_process.ending.set, asked)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(context.run, read_dataset, endless)
        with endless.open("wb"):
            # Opened: the process is in the middle of it.
            asked.end()
            with pytest.raises(TooCostly):
                reading.result(timeout=10)
        assert len(read_dataset(parquet(ODD)).frame) == 3
        later = pool.submit(context.run, read_dataset, parquet(ODD))
        with pytest.raises(TooCostly):
            later.result(timeout=10)
    server = SERVER._process
    assert server is not None
    children = [*Path(f"/proc/{server.pid}/task").glob("*/children")]
    until = time.monotonic() + 10
    while any(one.read_text() for one in children) and time.monotonic() < until:
        time.sleep(0.05)
    assert children
    assert not any(one.read_text() for one in children)


def test_the_server_comes_back_after_it_was_ended() -> None:
    content = parquet(ODD)
    assert len(read_dataset(content).frame) == 3
    process = SERVER._process
    assert process is not None
    process.kill()
    process.wait()
    assert len(read_dataset(content).frame) == 3


WATCHED = """
from dpcore.data.reading.limited_process import _watch
import threading, time
threading.Thread(target=_watch, args=(64 * 2**20,), daemon=True).start()
held = []
for _ in range({steps}):
    held.append(bytearray(b"x") * 2**24)
    time.sleep(0.06)
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("steps, ended", [(1, 0), (12, 1)])
def test_where_the_kernel_sets_no_limit_the_process_ends_itself(steps: int, ended: int) -> None:
    code = WATCHED.format(steps=steps)
    environ = os.environ | {"PYTHONPATH": str(Path.cwd())}
    done = subprocess.run([sys.executable, "-c", code], env=environ, timeout=60, check=False)
    assert done.returncode == ended


def test_a_call_that_is_wrong_is_no_fault_of_the_file() -> None:
    table = b"label,score\nyes,0.9\nno,0.2\n"
    assert read_predictions(source=table, positive="yes").classes == ("no", "yes")
    with pytest.raises(TypeError, match=r"^read_predictions\(\) got .* 'postive'; did you mean"):
        read_predictions(table, postive="yes")
    with pytest.raises(TypeError, match="missing a required argument: 'source'"):
        read_predictions()
