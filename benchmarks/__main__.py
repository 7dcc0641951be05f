"""Run the benchmarks: ``python -m benchmarks [speed|accuracy] [--full]``.

A benchmark is one module of this folder that runs by itself, compares both sides in one run and
prints what it found: ``python -m benchmarks.score_histogram``. Modules named ``*_accuracy`` measure
accuracy, the others speed. Modules whose name starts with an underscore are shared parts.
"""

from __future__ import annotations

import argparse
import pkgutil
import subprocess
import sys
from pathlib import Path

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
    """Run every benchmark of a kind in turn; the exit code counts those that failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=("speed", "accuracy"), default="speed")
    parser.add_argument(
        "--full", action="store_true", help="every data set and draw, not the quick selection"
    )
    arguments = parser.parse_args()
    failed = 0
    for name in modules(arguments.kind):
        print(f"\n## {name}\n", flush=True)
        quick = ["--quick"] if arguments.kind == "accuracy" and not arguments.full else []
        command = [sys.executable, "-m", f"benchmarks.{name}", *quick]
        failed += subprocess.run(command, cwd=FOLDER.parent, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
