"""The subcommands, and what they raise as exit codes."""

from __future__ import annotations

import importlib
import os
import sys
import tomllib
from argparse import REMAINDER, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from io import StringIO
from operator import getitem
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dpcore import __version__
from dpcore.errors import DpcoreError, InvalidArgument, MissingResource, UnknownMethod

_TABLES = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))

_WHAT = "the report cannot be written"

_REMEDY = "give another folder with --out"

_UNFINISHED = ".unfinished-"


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written to, before anything is spent on what goes there.

    A command that is refused later leaves nothing behind.

    Raises
    ------
    MissingResource
    """
    standing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not standing.is_dir():
        raise MissingResource(f"{_WHAT} to {folder}: {standing} is no folder", _REMEDY)
    try:
        # Tried, because rights alone do not tell: a file system may be read-only, or full.
        with TemporaryDirectory(dir=standing, prefix=_UNFINISHED):
            pass
    except OSError as error:
        raise MissingResource(f"{_WHAT} to {folder}: {_reason(error)}", _REMEDY) from None


def write_files(
    folder: Path, files: Mapping[str, str | bytes], *, problem: str = _WHAT, remedy: str = _REMEDY
) -> None:
    """Write files by name, in a folder that is made if it is absent.

    They are written aside and then take their places, so that an interruption or a full disk leaves
    what was there before.

    Raises
    ------
    MissingResource
        If that cannot be done.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=_UNFINISHED) as aside:
            for name, content in files.items():
                whole = content.encode() if isinstance(content, str) else content
                Path(aside, name).write_bytes(whole)
            for name in files:
                Path(aside, name).replace(folder / name)
    except OSError as error:
        raise MissingResource(f"{problem} to {folder}: {_reason(error)}", remedy) from None


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()


# Of a release with real noise by a command that is given no budget (decision 26).
UNCOUNTED = "no stored ledger counts it, `release` charges one"


class UsageError(Exception):
    """The command line or the study file cannot be understood; the exit code is 2."""


@contextmanager
def in_usage(where: str = "") -> Iterator[None]:
    """Let what is wrong with an argument be wrong with the command line, or with a file of it."""
    try:
        yield
    except (InvalidArgument, UnknownMethod) as error:
        raise UsageError(f"{where}{error}") from error


def read_file(path: Path, what: str, *, absent: str = "") -> str:
    """The text of a study or a request, from standard input if the path is a hyphen."""
    try:
        return sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"there is no {what} file {path}{absent}") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); a {what} is a file") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text in UTF-8; a {what} is a JSON file") from None


@dataclass(frozen=True, kw_only=True)
class Command:
    """One subcommand: a module with `configure` and `run`, whose docstring says what it does.

    What users type is the name of the module; see `COMMANDS` for the list.

    Parameters
    ----------
    description
        Paragraphs for its own ``--help``, already wrapped.
    configure
        Adds the arguments to its parser.
    run
        Does the work; what it raises decides the exit code (see `dpcore.cli.program`).
    """

    description: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], None]


def about(docstring: str | None) -> str:
    """What a command says of itself: the docstring of its module after the first line."""
    return (docstring or "").partition("\n\n")[2]


def add_options(parser: Any, *table: str, **known: Any) -> None:
    """Add what a table of `options.toml` lists: options, and groups of them.

    Parameters
    ----------
    parser : ArgumentParser, or a group of one
    *table : str
        Its name, step by step.
    **known
        What the words in braces stand for, and the names of choices and types.
    """
    types = {"path": Path, "int": int, "float": float, **known}
    words = {name: ", ".join(one) if isinstance(one, tuple) else one for name, one in known.items()}
    for name, told in reduce(getitem, table, _TABLES).items():
        if "help" not in told:
            add_options(parser.add_argument_group(name), *table, name, **known)
            continue
        more = told | {"help": told["help"].format(**words)}
        if "type" in told:
            more["type"] = types[told["type"]]
        if isinstance(told.get("choices"), str):
            more["choices"] = known[told["choices"]]
        if isinstance(told.get("metavar"), list):
            more["metavar"] = tuple(told["metavar"])
        parser.add_argument(name, **more)


def add_action(actions: Any, name: str, summary: str) -> ArgumentParser:
    """Add an action to a subcommand that has several; its own --help begins with the summary."""
    description = f"{summary[0].upper()}{summary[1:]}."
    made: ArgumentParser = actions.add_parser(name, help=summary, description=description)
    return made


def _moved(old: str, package: str, what: str) -> Command:
    """A command in another package, which nothing in dpcore imports and which may be absent."""

    def found() -> Command:
        try:
            command: Command = importlib.import_module(f"{package}.command").COMMAND
        except ModuleNotFoundError:
            remedy = f"run python -m {package} in a checkout of the project"
            raise MissingResource(f"{package} is not installed beside dpcore", remedy) from None
        return command

    def run(options: Namespace) -> None:
        old_name = f"dpcore {old}: this is `python -m {package}` now; the old name ends with 0.3"
        print(old_name, file=sys.stderr)
        found().run(options)

    told = f"The old name of python -m {package}:\n{what}.\n"
    told += "It takes the same arguments and prints a warning.\n"
    return Command(description=told, configure=lambda parser: found().configure(parser), run=run)


MOVED: dict[str, tuple[str, str]] = _TABLES["moved"]


OK, REFUSED, USAGE, STOPPED, UNREAD = 0, 1, 2, 130, 141

# The module of each command and what it does: only the one that is asked for is imported, and a
# list of them needs none.
COMMANDS: dict[str, str] = _TABLES["commands"]

_PROGRAM = "python -m dpcore"


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
        outside, 141 not read, as shells say. Errors are one sentence on standard error.
    """
    asked = _parser().parse_args(arguments)
    name: str = asked.command
    return carry_out(lambda: command_named(name), f"{_PROGRAM} {name}", asked.arguments)


def carry_out(
    find: Callable[[], Command], program: str, arguments: Sequence[str] | None = None
) -> int:
    """Run a command and turn what it raises into an exit code and one sentence.

    Parameters
    ----------
    find
        Gives the command; what it raises counts as raised by the command.
    program
        What users type for it.
    arguments
        In place of the command line.
    """
    name = program.removeprefix("python -m ")
    # Python has none where they are closed, as by `>&-`.
    sys.stdout, sys.stderr = (one or StringIO() for one in (sys.stdout, sys.stderr))
    try:
        command = find()
        command.run(_parser_of(program, command).parse_args(arguments))
        # Here, where it can be told, if nobody reads the last lines.
        sys.stdout.flush()
    except UsageError as error:
        return _complain(name, error, USAGE)
    except BrokenPipeError:
        # Nobody reads it, as after `| head`; Python would try to write the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except DpcoreError as error:
        return _complain(name, error, REFUSED)
    except OSError as error:
        return _complain(name, _of_the_system(error), REFUSED)
    except KeyboardInterrupt:
        return _complain(name, "stopped before the end", STOPPED)
    return OK


def command_named(name: str) -> Command:
    """The subcommand of this name, which is its module's unless it moved away."""
    if name in MOVED:
        return _moved(name, *MOVED[name])
    module = importlib.import_module(f"dpcore.cli.{name}")
    description = about(module.__doc__)
    return Command(description=description, configure=module.configure, run=module.run)


def _parser() -> ArgumentParser:
    listed = "\n".join(f"  {name:<11}{summary}" for name, summary in COMMANDS.items())
    parser = ArgumentParser(
        prog=_PROGRAM,
        description=_TABLES["description"],
        epilog=_TABLES["epilog"].format(commands=listed),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dpcore {__version__}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of those below")
    words = "its own; COMMAND --help lists them"
    parser.add_argument("arguments", nargs=REMAINDER, metavar="...", help=words)
    return parser


def _parser_of(program: str, command: Command) -> ArgumentParser:
    parser = ArgumentParser(
        prog=program, description=command.description, formatter_class=RawDescriptionHelpFormatter
    )
    command.configure(parser)
    return parser


def _complain(name: str, problem: Exception | str, code: int) -> int:
    print(f"{name}: {' '.join(str(problem).split())}", file=sys.stderr)
    return code


def _of_the_system(error: OSError) -> str:
    reason = (error.strerror or str(error)).lower()
    return f"{error.filename}: {reason}" if error.filename else reason
