"""Subcommands are found, and help reads like a manual page."""

from argparse import Namespace

import pytest

from dpcore.cli import main
from dpcore.cli.command import Command, UsageError
from dpcore.cli.program import commands
from dpcore.errors import BudgetExceeded, IntakeError
from dpcore.privacy import Loss


def test_every_module_with_a_command_is_found():
    assert {"run", "methods", "example"} <= set(commands())
    for name, command in commands().items():
        assert command.name == name
        assert command.summary[0].islower()


@pytest.mark.parametrize("name", ["run", "methods", "example"])
def test_help_explains_the_command(name, capsys):
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert commands()[name].description.strip() in said
    assert max(map(len, said.splitlines())) <= 100


def test_the_main_help_lists_commands_and_exit_codes(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    for command in commands().values():
        assert command.summary in said
    assert "exit codes:" in said


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
        (PermissionError(13, "Permission denied"), 1),
        (KeyboardInterrupt(), 130),
    ],
)
def test_what_a_command_raises_decides_the_exit_code(monkeypatch, capsys, raised, code):
    def run(options: Namespace) -> None:
        if raised is not None:
            raise raised

    command = Command(
        name="try", summary="try", description="", configure=lambda parser: None, run=run
    )
    monkeypatch.setattr("dpcore.cli.program.commands", lambda: {"try": command})
    assert main(["try"]) == code
    said = capsys.readouterr().err
    assert said.count("\n") == (raised is not None)
    assert said.startswith("dpcore try: ") or raised is None


def test_a_bug_is_not_hidden(monkeypatch):
    def run(options: Namespace) -> None:
        raise ZeroDivisionError

    command = Command(
        name="try", summary="try", description="", configure=lambda parser: None, run=run
    )
    monkeypatch.setattr("dpcore.cli.program.commands", lambda: {"try": command})
    with pytest.raises(ZeroDivisionError):
        main(["try"])
