"""What a subcommand declares."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from dataclasses import dataclass


class UsageError(Exception):
    """The command line or the study file cannot be understood; the exit code is 2."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """One subcommand: the last thing in its file is ``COMMAND = Command(...)``.

    What users type is the name of the file; see `dpcore.cli.program` for the list.

    Parameters
    ----------
    description : str
        Paragraphs for its own ``--help``, already wrapped.
    configure : callable
        Adds the arguments to its parser.
    run : callable
        Does the work; what it raises decides the exit code (see `dpcore.cli.program`).
    """

    description: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], None]


def add_action(
    actions: _SubParsersAction[ArgumentParser], name: str, summary: str
) -> ArgumentParser:
    """Add an action to a subcommand that has several; its own --help begins with the summary."""
    return actions.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
