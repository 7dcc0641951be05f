"""Declarations are frozen and given by keyword."""

import argparse
import dataclasses

import pytest

from dpcore.cli.command import Command, add_action


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
