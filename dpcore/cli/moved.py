"""Commands that moved out of the library, under their old names for one minor version."""

from __future__ import annotations

import importlib
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass

from dpcore.cli.command import Command
from dpcore.errors import MissingResource


@dataclass(frozen=True)
class _Moved:
    """A command in another package, which nothing in dpcore imports and which may be absent."""

    old: str
    package: str
    what: str

    def found(self) -> Command:
        try:
            command: Command = importlib.import_module(f"{self.package}.command").COMMAND
        except ModuleNotFoundError:
            raise MissingResource(
                f"{self.package} is not installed beside dpcore",
                f"run python -m {self.package} in a checkout of the project",
            ) from None
        return command

    def configure(self, parser: ArgumentParser) -> None:
        self.found().configure(parser)

    def run(self, options: Namespace) -> None:
        print(
            f"dpcore {self.old}: this is `python -m {self.package}` now; "
            "the old name ends with 0.3",
            file=sys.stderr,
        )
        self.found().run(options)

    def command(self) -> Command:
        description = (
            f"The old name of python -m {self.package}:\n{self.what}.\n"
            "It takes the same arguments and prints a warning.\n"
        )
        return Command(description=description, configure=self.configure, run=self.run)


MOVED = {
    moved.old: moved.command()
    for moved in (
        _Moved("federate", "examples.federation", "roles of a federation as processes"),
        _Moved(
            "reproduce",
            "reproductions",
            "the figures and tables of the papers again, beside sound methods",
        ),
    )
}
