"""``python -m reproductions``: the papers' figures and tables again, beside sound methods."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from dpcore.cli.program import Command, UsageError, carry_out, check_writable, write_files
from dpcore.errors import UnknownMethod
from reproductions import (
    Experiment,
    PaperData,
    Result,
    ResultCache,
    Row,
    data_folder,
    default_folder,
    experiment,
    experiments,
    run_experiment,
)
from reproductions.markdown import csv_text, markdown_report, markdown_section
from reproductions.pictures import reproductions_html

# What shells call a command that was interrupted.
_STOPPED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit codes are those of `dpcore.cli.main`."""
    return carry_out(lambda: COMMAND, "python -m reproductions", arguments)


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; see --list")
    parser.add_argument("--all", action="store_true", help="every experiment")
    parser.add_argument("--list", action="store_true", help="print the names and what they repeat")
    parser.add_argument("--quick", action="store_true", help="fewer runs and folds, a few minutes")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="the papers' real data files (default: DPCORE_DATA, else synthetic samples)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="write report.md, report.html, and CSV and JSON of each",
    )
    parser.add_argument(
        "--cache", type=Path, metavar="FOLDER", help="where finished results are kept"
    )
    parser.add_argument("--fresh", action="store_true", help="run again what is in the cache")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def _run(options: Namespace) -> None:
    if options.list:
        for one in experiments().values():
            print(f"{one.name:<34}{one.paper.name}, {one.figures}: {one.title}")
        return
    chosen = _chosen(options)
    if options.out is not None:
        check_writable(options.out)
    try:
        pairs = _results(chosen, options)
    except KeyboardInterrupt:
        print("stopped; what is finished is kept: the same command goes on here", file=sys.stderr)
        raise SystemExit(_STOPPED) from None
    if options.out is None:
        print("\n".join(markdown_section(*pair) for pair in pairs))
    else:
        write_files(options.out, {"report.html": reproductions_html(pairs)})
        print(options.out / "report.md")


def _results(chosen: list[Experiment], options: Namespace) -> list[tuple[Experiment, Result]]:
    materials = PaperData(data_folder(options.data))
    cache = ResultCache(options.cache or default_folder())
    pairs: list[tuple[Experiment, Result]] = []
    for place, one in enumerate(chosen, 1):
        shown = _Progress(one, f"[{place}/{len(chosen)}]", quiet=options.quiet)
        result = _result(one, options, materials, cache, shown)
        shown.finish(result)
        pairs.append((one, result))
        # Written after every experiment, so that an interruption loses none.
        if options.out is not None:
            _write(options.out, pairs)
    return pairs


def _result(
    one: Experiment, options: Namespace, materials: PaperData, cache: ResultCache, shown: _Progress
) -> Result:
    if not options.fresh:
        return run_experiment(
            one, quick=options.quick, materials=materials, cache=cache, progress=shown.row
        )
    result = run_experiment(one, quick=options.quick, materials=materials, progress=shown.row)
    cache.put(result, one, materials)
    return result


def _chosen(options: Namespace) -> list[Experiment]:
    if options.all == bool(options.names):
        raise UsageError("name experiments, or give --all; --list prints the names")
    if options.all:
        return list(experiments().values())
    try:
        found = [experiment(name) for name in options.names]
    except UnknownMethod as problem:
        raise UsageError(str(problem)) from None
    return list(dict.fromkeys(found))


def _write(folder: Path, pairs: list[tuple[Experiment, Result]]) -> None:
    one, result = pairs[-1]
    files = {
        f"{one.name}.csv": csv_text(one, result),
        f"{one.name}.json": result.to_json(),
        "report.md": markdown_report(pairs),
    }
    write_files(folder, files)


class _Progress:
    """One line for each experiment; on a terminal it counts the rows."""

    def __init__(self, one: Experiment, place: str, *, quiet: bool) -> None:
        self._one, self._place, self._quiet = one, place, quiet
        self._start, self._rows = time.perf_counter(), 0

    def row(self, count: int, row: Row) -> None:
        self._rows = count
        if not self._quiet and sys.stderr.isatty():
            line = f"{self._place} {self._one.name}: {count} numbers, {row.panel}, {row.method}"
            print(f"\r\033[K{line[:100]}", end="", file=sys.stderr, flush=True)

    def finish(self, result: Result) -> None:
        if self._quiet:
            return
        verdict = self._one.judge(result.rows).verdict
        seconds = time.perf_counter() - self._start
        took = f"{seconds:.0f} s" if self._rows else "from the cache"
        start = "\r\033[K" if sys.stderr.isatty() else ""
        line = f"{start}{self._place} {self._one.name}: {verdict}, {took}"
        print(line, file=sys.stderr, flush=True)


COMMAND = Command(
    description="""\
Run the figures and tables of the papers again: the published methods as they
were published, and a sound method beside them. What a paper says is checked on
the numbers found here: each trend is "seen" or "not seen", with the figure.
Everything is simulated; nothing here is a private release.

Real data come from the folder that --data or DPCORE_DATA names. A file that is
not there is replaced by a sample that ships with the project, and the report
says so. An interrupted run goes on where it stopped: finished experiments are
kept by configuration, data and code.

  python -m reproductions --list
  python -m reproductions stoddard-table-1 --quick
  python -m reproductions --all --quick --out report/
""",
    configure=_configure,
    run=_run,
)
