"""Declarations are frozen and given by keyword."""

import dataclasses

import pytest

from dpcore.cli.command import Command


def test_a_command_cannot_change():
    command = Command(
        name="a", summary="b", description="c", configure=lambda parser: None, run=lambda args: None
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        command.name = "other"
    with pytest.raises(TypeError):
        Command("a", "b", "c", command.configure, command.run)
