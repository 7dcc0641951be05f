"""The command line: every module here with ``configure`` and ``run`` is a subcommand."""

from dpcore.cli.program import main

__all__ = ["main"]
