"""Subcommands are listed, and help reads like a manual page."""

import argparse
import dataclasses
import importlib
import io
import json
import pkgutil
import runpy
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

import dpcore.cli
from dpcore.cli import main
from dpcore.cli.evaluate import progress_bar
from dpcore.cli.program import (
    COMMANDS,
    MOVED,
    UNREAD,
    Command,
    UsageError,
    add_action,
    carry_out,
    check_writable,
    command_named,
    read_file,
    write_files,
)
from dpcore.errors import BudgetExceeded, IntakeError, MissingResource
from dpcore.privacy import Loss


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_texts_and_bytes_take_their_places(tmp_path):
    write_files(tmp_path / "a" / "b", {"x.csv": "é\n", "y.zip": b"\x00"})
    assert files_in(tmp_path / "a" / "b") == {"x.csv": "é\n".encode(), "y.zip": b"\x00"}


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interruption_leaves_what_was_there(tmp_path, monkeypatch, stop):
    write_files(tmp_path, {"x": "old", "y": "old"})
    write = Path.write_bytes

    def interrupted(path, content):
        if path.name == "y":
            write(path, content[:1])
            raise stop
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises((KeyboardInterrupt, MissingResource)):
        write_files(tmp_path, {"x": "new", "y": "new"})
    assert files_in(tmp_path) == {"x": b"old", "y": b"old"}


def test_problem_and_remedy_are_the_commands_own(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingResource, match="kept, but not written to .*; pay nothing"):
        write_files(
            tmp_path / "file", {"x": ""}, problem="kept, but not written", remedy="pay nothing"
        )


def test_trying_leaves_nothing(tmp_path):
    check_writable(tmp_path)
    check_writable(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(MissingResource, match="is no folder"):
            check_writable(folder)


def test_a_folder_without_rights_is_told_before(tmp_path, monkeypatch):
    def refused(*arguments, **named):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refused)
    with pytest.raises(MissingResource, match=r"written to .*: permission denied; give another"):
        check_writable(tmp_path)


def test_a_command_cannot_change():
    command = Command(description="a", configure=lambda parser: None, run=lambda args: None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        command.description = "other"
    with pytest.raises(TypeError):
        Command("a", command.configure, command.run)


def test_an_action_has_help_of_its_own(capsys):
    parser = argparse.ArgumentParser()
    add_action(parser.add_subparsers(), "verify", "recompute all hashes")
    with pytest.raises(SystemExit):
        parser.parse_args(["verify", "--help"])
    assert "Recompute all hashes." in capsys.readouterr().out


SETUP = ["setup", "--protocol", "secure-aggregation", "--parties", "3"]


@pytest.mark.parametrize(
    "old, package, arguments, prints",
    [
        ("reproduce", "reproductions", ["--list"], "lyu-figure-2"),
        ("federate", "examples.federation", SETUP, '"threshold": 2'),
    ],
)
def test_an_old_name_warns_and_works(old, package, arguments, prints, capsys):
    assert main([old, *arguments]) == 0
    printed = capsys.readouterr()
    assert prints in printed.out
    assert f"python -m {package}" in printed.err


@pytest.mark.parametrize(
    "old, package", [("reproduce", "reproductions"), ("federate", "examples.federation")]
)
def test_without_its_package_one_sentence_says_where_it_is(old, package, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, f"{package}.command", None)
    assert main([old, "--help"]) == 1
    said = capsys.readouterr().err
    assert "not installed beside dpcore" in said
    assert f"python -m {package}" in said


ACTIONS = {
    "ledger": ("show", "verify", "export", "open", "reserve"),
    "federate": ("demo", "setup", "server", "party", "ask"),
}

PAGES = [
    (),
    *((name,) for name in COMMANDS),
    *((name, action) for name, actions in ACTIONS.items() for action in actions),
]

# What costs most to import, and nothing but training, reading and drawing needs.
HEAVY = (
    *("cryptography", "cvxopt", "dask", "distributed", "numba", "opendp.prelude", "plotly"),
    *("scipy.optimize", "scipy.stats", "sklearn", "streamlit"),
)


def test_every_module_with_a_command_is_listed():
    modules = {
        module.name
        for module in pkgutil.iter_modules(dpcore.cli.__path__)
        if hasattr(importlib.import_module(f"dpcore.cli.{module.name}"), "configure")
    }
    assert list(COMMANDS) == sorted(modules | set(MOVED))
    assert all(isinstance(command_named(name), Command) for name in COMMANDS)
    assert all(summary[0].islower() for summary in COMMANDS.values())


@pytest.mark.parametrize("arguments", PAGES, ids=" ".join)
def test_help_is_a_manual_page_of_80_columns(arguments, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert [line for line in said.splitlines() if len(line) > 80] == []
    _, _, options = said.partition("options:")
    explained = options.replace("\n                        ", "  ")
    assert [
        line
        for line in explained.splitlines()
        if line.startswith("  -") and "  " not in line.strip()
    ] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_the_command(name, capsys):
    with pytest.raises(SystemExit):
        main([name, "--help"])
    assert command_named(name).description.strip() in capsys.readouterr().out


def test_the_main_help_lists_commands_and_exit_codes(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    for name, summary in COMMANDS.items():
        assert f"  {name:<11}{summary}\n" in said
    assert "exit codes:" in said


def imported_by(code: str) -> set[str]:
    """Names of the heavy modules that a fresh interpreter has imported afterwards."""
    heavy = f"[name for name in {HEAVY} if name in sys.modules]"
    script = f"{code}\nimport json, sys\nprint(json.dumps({heavy}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    listed: set[str] = set(json.loads(done.stdout.splitlines()[-1]))
    return listed


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "code, needed",
    [
        ("import dpcore", set()),
        (
            "from dpcore.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
            set(),
        ),
        pytest.param("import dpcore.cli.ledger", set(), marks=pytest.mark.slow),
        pytest.param(
            "import dpcore.cli.example",
            {"scipy.optimize", "scipy.stats", "sklearn"},
            marks=pytest.mark.slow,
        ),
        ("import dpcore.cli.evaluate", {"plotly", "scipy.optimize"}),
    ],
    ids=["library", "help", "ledger", "example", "evaluate"],
)
def test_nothing_heavy_is_imported_that_is_not_needed(code, needed):
    assert imported_by(code) <= needed


@pytest.mark.slow
def test_a_heavy_import_is_found():
    assert imported_by("import sklearn") >= {"sklearn"}


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["run"], ["run", "a", "--nonsense"]])
def test_a_wrong_command_line_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "raised, code",
    [
        (None, 0),
        (UsageError("which study?"), 2),
        (BudgetExceeded(Loss(2), Loss(1)), 1),
        (IntakeError("it is\nempty", remedy="fill it"), 1),
        (PermissionError(13, "Permission denied", "out"), 1),
        (OSError("no reason given"), 1),
        (KeyboardInterrupt(), 130),
    ],
)
def test_what_a_command_raises_decides_the_exit_code(monkeypatch, capsys, raised, code):
    def run(options: Namespace) -> None:
        if raised is not None:
            raise raised

    command = Command(description="", configure=lambda parser: None, run=run)
    monkeypatch.setattr("dpcore.cli.program.command_named", lambda name: command)
    assert main(["run"]) == code
    said = capsys.readouterr().err
    assert said.count("\n") == (raised is not None)
    assert said.startswith("dpcore run: ") or raised is None


def test_a_bug_is_not_hidden(monkeypatch):
    def run(options: Namespace) -> None:
        raise ZeroDivisionError

    command = Command(description="", configure=lambda parser: None, run=run)
    monkeypatch.setattr("dpcore.cli.program.command_named", lambda name: command)
    with pytest.raises(ZeroDivisionError):
        main(["run"])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, shares: list[float]) -> str:
    with progress_bar(stream) as show:
        for share in shares:
            show(share)
    return stream.getvalue()


def test_a_log_gets_one_line_for_each_tenth() -> None:
    text = shown(io.StringIO(), [place / 1000 for place in range(1001)])
    assert text.splitlines()[0] == "  0% read"
    assert text.splitlines()[-1] == "100% read"
    assert len(text.splitlines()) == 11


def test_a_terminal_gets_one_line_that_changes() -> None:
    text = shown(Terminal(), [0.0, 0.001, 0.5, 1.0])
    assert text.count("\r") == 3
    assert text.count("\n") == 1
    assert text.endswith("[" + "#" * 30 + "] 100%\n")


def test_an_error_still_ends_the_line() -> None:
    stream = Terminal()

    def interrupted() -> None:
        with progress_bar(stream) as show:
            show(0.2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert stream.getvalue().endswith("\n")


def test_the_package_is_a_program(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["dpcore", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("dpcore", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"dpcore {dpcore.__version__}\n"


def test_a_folder_is_no_file_to_read(tmp_path):
    with pytest.raises(UsageError, match=r"cannot be read \(.+\); a study is a file"):
        read_file(tmp_path, "study")


def test_a_reader_who_leaves_is_told_nothing(tmp_path, monkeypatch, capsys):
    def run(options: Namespace) -> None:
        raise BrokenPipeError

    command = Command(description="", configure=lambda parser: None, run=run)
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert carry_out(lambda: command, "dpcore run", []) == UNREAD
        out.write("the rest")
        out.flush()
    assert (tmp_path / "out").read_text() == ""
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("mark", ["", ";;", "é", '"', "\n"])
def test_a_delimiter_is_one_character(mark, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "scores.csv", "--delimiter", mark])
    assert ended.value.code == 2
    assert r"must be one character, such as ; or \t" in capsys.readouterr().err


@pytest.mark.parametrize("told", [["example"], ["methods"], ["example", "--none"]])
def test_output_that_is_closed_is_no_reason_to_fail(told, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    if len(told) == 1:
        assert main(told) == 0
        return
    with pytest.raises(SystemExit, match="2"):
        main(told)
