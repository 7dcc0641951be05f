"""What a subcommand declares."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Command", "UsageError"]


class UsageError(Exception):
    """The command line or the study file cannot be understood; the exit code is 2."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """One subcommand: the last thing in its file is ``COMMAND = Command(...)``.

    Parameters
    ----------
    name : str
        What users type.
    summary : str
        One line for the list of commands.
    description : str
        Paragraphs for its own ``--help``, already wrapped.
    configure : callable
        Adds the arguments to its parser.
    run : callable
        Does the work; what it raises decides the exit code (see `dpcore.cli.program`).
    """

    name: str
    summary: str
    description: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], None]
