"""The command line: every module here that declares ``COMMAND`` is a subcommand."""

from dpcore.cli.program import main

__all__ = ["main"]
