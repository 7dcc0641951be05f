"""``python -m dpcore reproduce``: the old name of `python -m reproductions`."""

from __future__ import annotations

import importlib
import sys
from argparse import ArgumentParser, Namespace

from dpcore.cli.command import Command
from dpcore.errors import MissingResource

__all__ = ["COMMAND"]

_MOVED = "dpcore reproduce: this is `python -m reproductions` now; the old name ends with 0.3"


def _moved() -> Command:
    """The command where it is now; nothing in dpcore imports that package, so it may be absent."""
    try:
        command: Command = importlib.import_module("reproductions.command").COMMAND
    except ModuleNotFoundError:
        raise MissingResource(
            "the reproductions are not installed beside dpcore",
            "run python -m reproductions in a checkout of the project",
        ) from None
    return command


def _configure(parser: ArgumentParser) -> None:
    _moved().configure(parser)


def _run(options: Namespace) -> None:
    print(_MOVED, file=sys.stderr)
    _moved().run(options)


COMMAND = Command(
    description="""\
The old name of python -m reproductions: the figures and tables of the papers
again, beside sound methods. It takes the same arguments and prints a warning.
""",
    configure=_configure,
    run=_run,
)
