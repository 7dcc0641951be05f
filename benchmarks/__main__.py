"""Run the benchmarks: ``python -m benchmarks [speed|accuracy] [--full]``.

A benchmark is one module of this folder that runs by itself, compares both sides in one run and
prints what it found: ``python -m benchmarks.score_histogram``. Modules named ``*_accuracy`` measure
accuracy, the others speed. Modules whose name starts with an underscore are shared parts.

At the end one table shows every ratio that this run kept, and whether its bar was met.
"""

from __future__ import annotations

import argparse
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks._table import missed, read_results, table

FOLDER = Path(__file__).parent


def modules(kind: str) -> list[str]:
    """Names of the benchmarks of one kind, ``"speed"`` or ``"accuracy"``."""
    names = [module.name for module in pkgutil.iter_modules([str(FOLDER)]) if not module.ispkg]
    return sorted(
        name
        for name in names
        if not name.startswith("_") and name.endswith("_accuracy") == (kind == "accuracy")
    )


def main() -> int:
    """Run every benchmark of a kind in turn; 1 if one failed, or missed a bar, and 0 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=("speed", "accuracy"), default="speed")
    parser.add_argument(
        "--full", action="store_true", help="every data set and draw, not the quick selection"
    )
    arguments = parser.parse_args()
    start, failed = time.time(), []
    for name in modules(arguments.kind):
        print(f"\n## {name}\n", flush=True)
        quick = ["--quick"] if arguments.kind == "accuracy" and not arguments.full else []
        command = [sys.executable, "-m", f"benchmarks.{name}", *quick]
        begun = time.perf_counter()
        if subprocess.run(command, cwd=FOLDER.parent, check=False).returncode != 0:
            failed.append(name)
        print(f"\n({name} took {time.perf_counter() - begun:.0f} s)", flush=True)
    results = read_results(since=start)
    print("\n## All ratios\n", *table(results), sep="\n")
    bars = missed(results)
    print(f"\n{bars} bars missed; {len(failed)} benchmarks failed: {', '.join(failed) or 'none'}.")
    return int(bool(bars or failed))


if __name__ == "__main__":
    sys.exit(main())
