"""Finding the subcommands, and turning what they raise into exit codes."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path

from dpcore import __version__
from dpcore.cli.command import Command, UsageError
from dpcore.errors import DpcoreError

__all__ = ["commands", "main"]

OK, REFUSED, USAGE, STOPPED = 0, 1, 2, 130

_DESCRIPTION = """\
Train and evaluate classifiers on private data, and say honestly how private
they are.

A study is one JSON file: which data, how to choose features, which model, how
to draw its ROC curve, and how much privacy each step may spend. Print one with
`example`, change it, and run it with `run`.
"""
_EPILOG = """\
examples:
  python -m dpcore example > study.json
  python -m dpcore run study.json --out report/
  python -m dpcore methods

exit codes:
  0    done
  1    refused: a privacy rule, or a problem in the data
  2    the command line or the study file cannot be understood
  130  stopped from outside
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand.

    Parameters
    ----------
    arguments : sequence of str, optional
        In place of the command line.

    Returns
    -------
    int
        0 done, 1 refused by a privacy rule or a data problem, 2 not understood, 130 stopped from
        outside. Errors are one sentence on standard error.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    command: Command = options.command
    try:
        command.run(options)
    except UsageError as error:
        return _complain(command, error, USAGE)
    except (DpcoreError, OSError) as error:
        return _complain(command, error, REFUSED)
    except KeyboardInterrupt:
        return _complain(command, "stopped before the end", STOPPED)
    return OK


def commands() -> dict[str, Command]:
    """All subcommands by name: every module of this package that declares ``COMMAND``."""
    found: dict[str, Command] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        command = getattr(importlib.import_module(f"dpcore.cli.{module.name}"), "COMMAND", None)
        if isinstance(command, Command):
            found[command.name] = command
    return dict(sorted(found.items()))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m dpcore",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dpcore {__version__}")
    listed = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in commands().items():
        child = listed.add_parser(
            name,
            help=command.summary,
            description=command.description,
            formatter_class=RawDescriptionHelpFormatter,
        )
        command.configure(child)
        child.set_defaults(command=command)
    return parser


def _complain(command: Command, error: Exception | str, code: int) -> int:
    sentence = " ".join(str(error).split())
    print(f"dpcore {command.name}: {sentence}", file=sys.stderr)
    return code
