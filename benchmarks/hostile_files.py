"""Memory and time that hostile files take in each reader: ``python -m benchmarks.hostile_files``.

``--scale 1`` makes them as large as they come (0.05 if left out), ``--only text`` takes those with
these letters in their name, ``--reader "private table"`` that reader alone.
Every reading starts a process of its own. Its memory is the anonymous and shared memory of this
process and all that it starts, every 10 ms, less what it had when it began to read; a page that two
processes share counts twice. Its time is the processor time of the same processes, one of which
works while the others wait; so the bars, 1 GiB and 20 s, hold for a machine without other work
however much this one has. Ordinary files open. In Teach mode a table is also looked through for
what does not fit its schema, and its last column made the label, as the Data page does.
"""

from __future__ import annotations

import argparse
import os
import select
import subprocess
import sys
import tempfile
import time
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks._hostile_corpus import FILES, ORDINARY
from dpcore.data.reading import read_and_suggest, read_predictions, validate
from dpcore.desk import Request, read_blindly
from dpcore.errors import DpcoreError
from dpcore.schema import Column, Label, Numeric, Schema, Text
from dpcore.study import DataSource, Workflow
from pages.widgets.schema_table import with_label

READERS = ("teach table", "teach predictions", "private table", "private predictions")
MOST_MIB, MOST_SECONDS = 1024, 20.0
# Of a line in /proc, counted from behind the name of the process.
_USER_TICKS = 11
BOMS = (BOM_UTF16_LE, BOM_UTF16_BE)
# So much of a file holds its first line; more would be read for nothing.
_FIRST, _GZIP_WINDOW = 2**16, 31


def declared(content: bytes) -> Schema:
    """A schema of columns that a file has, so that a private reader goes on behind the header."""
    if content.startswith(b"\x1f\x8b"):
        # Of the first member: looking for text in others would be this benchmark's own work.
        with suppress(zlib.error):
            content = zlib.decompressobj(_GZIP_WINDOW).decompress(content[:_FIRST], _FIRST)
    parquet = content.startswith(b"PAR1")
    line = content[:_FIRST].decode("utf-16" if content[:2] in BOMS else "latin-1", "replace")
    names = {"c0", "c1"} if parquet else set(line.partition("\n")[0].rstrip("\r").split(","))
    features: list[Column] = [Numeric(name, (0, 2)) for name in ("c0", "c1") if name in names]
    if "message" in names:
        features.append(Text("message", vocabulary=("word1", "word2"), max_words=10))
    # What nothing else is known of can be read as text.
    if not features:
        features.append(Text("score", vocabulary=("one", "two"), max_words=10))
    return Schema((*features, Label("label", ("0", "1"))))


def read(content: bytes, name: str, reader: str) -> int:
    """Read a file, as the pages do, and count its rows."""
    if reader == "teach table":
        upload, schema = read_and_suggest(content, name=name)
        validate(upload.frame, schema)
        with suppress(DpcoreError):
            with_label(schema, str(upload.frame.columns[-1]), upload.frame)
        return len(upload.frame)
    if reader == "teach predictions":
        return int(read_predictions(content, name=name).y_score.size)
    if reader == "private predictions":
        study = Workflow(data=DataSource(predictions="d", positive="1"), noise="system")
        return int(read_blindly(content, Request(what="roc", study=study)).y_score.size)
    study = Workflow(data=DataSource(file="data", schema="schema"), noise="system")
    asked = Request(what="model", study=study)
    return len(read_blindly(content, asked, schema=declared(content)).frame)


@dataclass(frozen=True)
class Cost:
    """What a reading took, and how it ended: rows, or a sentence."""

    mebibytes: float
    seconds: float
    elapsed: float
    outcome: str

    @property
    def ended_well(self) -> bool:
        """Whether it gave a table or a sentence, within both bars."""
        well = self.outcome.startswith(("table of", "sentence:"))
        return well and self.mebibytes <= MOST_MIB and self.seconds <= MOST_SECONDS


class Reading:
    """A process that reads files and is watched."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.hostile_files", "--obey"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def cost(self, path: Path, reader: str) -> Cost:
        """Have a file read by it."""
        answers = self._process.stdout
        assert answers is not None
        self._say(f"{path}\t{reader}")
        answers.readline()
        before, spent = dict[int, int](), dict[int, int]()
        start, began, peak = _held(self._process.pid, before), time.perf_counter(), 0
        self._say("read")
        while not select.select([answers], [], [], 0.01)[0]:
            peak = max(peak, _held(self._process.pid, spent) - start)
            if time.perf_counter() - began > 10 * MOST_SECONDS:
                self._process.kill()
        elapsed = time.perf_counter() - began
        _held(self._process.pid, spent)
        ticks = sum(spent.values()) - sum(before[pid] for pid in before if pid in spent)
        seconds = ticks / os.sysconf("SC_CLK_TCK")
        outcome = answers.readline().strip() or "the process ended"
        return Cost(peak / 1024, seconds, elapsed, outcome)

    def _say(self, words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(words + "\n")
        self._process.stdin.flush()


def _held(pid: int, ticks: dict[int, int]) -> int:
    """Kilobytes that a process and its descendants hold, without mapped files.

    Ticks of processor time are noted for each, the latest that are known of one that has ended.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        tasks = [Path(f"/proc/{pid}/task/{pid}/children").read_text()]
    except OSError:
        return 0
    ticks[pid] = int(numbers[_USER_TICKS]) + int(numbers[_USER_TICKS + 1])
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    own = sum(int(fields[name].split()[0]) for name in ("RssAnon", "RssShmem") if name in fields)
    return own + sum(_held(int(child), ticks) for child in " ".join(tasks).split())


def obey() -> None:
    """Load the file that is named, read it when told to, and say how it ended; again and again."""
    for line in sys.stdin:
        path, reader = line.rstrip("\n").split("\t")
        content = Path(path).read_bytes()
        print("ready", flush=True)
        sys.stdin.readline()
        try:
            outcome = f"table of {read(content, Path(path).name, reader):,} rows"
        except DpcoreError as error:
            outcome = f"sentence: {error}"
        print(outcome[:200].replace("\n", " "), flush=True)


def main() -> int:
    """Print the costs of all files in all readers; 1 if one is past a bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=0.05)
    parser.add_argument("--only", default="")
    parser.add_argument("--reader", default="", choices=("", *READERS))
    parser.add_argument("--obey", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.obey:
        obey()
        return 0
    past = 0
    print(
        "| file | size | reader | MiB above start | seconds computed | elapsed | outcome |\n"
        "|---|---|---|---|---|---|---|"
    )
    for name, make in FILES.items():
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            make(path, options.scale)
            for reader in [options.reader] if options.reader else READERS:
                with Reading() as process:
                    found = process.cost(path, reader)
                fails = not found.ended_well
                ordinary = name in ORDINARY and reader.endswith("table")
                fails |= ordinary and not found.outcome.startswith("table of")
                past += fails
                size = f"{path.stat().st_size:,}"
                spent = f"{found.mebibytes:,.0f} | {found.seconds:.1f} | {found.elapsed:.1f}"
                mark = " **past a bar**" if fails else ""
                print(
                    f"| {name} | {size} | {reader} | {spent} | {found.outcome}{mark} |", flush=True
                )
    print(f"\n{past} past a bar.")
    return int(past > 0)


if __name__ == "__main__":
    sys.exit(main())
