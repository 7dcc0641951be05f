"""Processes that race, or die, for tests: forked from one that has imported everything once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def environment() -> dict[str, str]:
    """Of a child process: this checkout, one thread."""
    return os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


@contextmanager
def driver(script: Path, *arguments: str) -> Iterator[Callable[[Any], Any]]:
    """A process that answers every order, a JSON line, with another."""
    with subprocess.Popen(
        [sys.executable, str(script), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
        bufsize=1,
    ) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def ask(order: Any) -> Any:
            stdin.write(json.dumps(order) + "\n")
            stdin.flush()
            return json.loads(stdout.readline())

        yield ask


def answer_orders(act: Callable[[Any], Any]) -> None:
    """The other side of `driver`: read orders and answer them."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps(act(json.loads(line))) + "\n")
        sys.stdout.flush()


def race(act: Callable[[Any], Any], orders: Sequence[Any]) -> list[Any]:
    """Fork one child for each order, start all at once, and collect their answers.

    Call it while no transaction is open: then a child shares nothing of SQLite with its parent.
    """
    start, go = os.pipe()
    pipes = [_forked(act, order, start, go) for order in orders]
    os.close(start)
    os.close(go)
    answers = []
    for pipe in pipes:
        with os.fdopen(pipe) as answer:
            answers.append(json.loads(answer.read()))
    for _ in orders:
        os.wait()
    return answers


def _forked(act: Callable[[Any], Any], order: Any, start: int, go: int) -> int:
    read, write = os.pipe()
    if os.fork() == 0:
        os.close(go)
        # Ends as soon as the parent has forked everybody and closes its end.
        os.read(start, 1)
        with os.fdopen(write, "w") as answer:
            answer.write(json.dumps(act(order)))
        os._exit(0)
    os.close(write)
    return read


def killed(act: Callable[[], None]) -> bool:
    """Fork a child that acts, and say whether a signal ended it."""
    child = os.fork()
    if child == 0:
        act()
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])
