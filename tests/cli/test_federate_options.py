"""The terms of a federation are told by options, each with its default."""

from argparse import ArgumentParser

import pytest

from dpcore.cli.federate_options import RECORDS, add_number, add_terms


def test_the_defaults_are_those_that_the_help_names():
    parser = ArgumentParser()
    add_terms(parser)
    found = parser.parse_args([])
    assert (found.protocol, found.parties, found.points, found.bounds) == (
        "both",
        8,
        64,
        (0.0, 1.0),
    )
    said = " ".join(parser.format_help().split())
    for words in ("(default: both)", "(default: 8)", "(default: 64)", f"(default: {RECORDS})"):
        assert words in said
    assert found.patience == 30.0
    assert "(default: 30)" in said


def test_a_number_is_whole(capsys):
    parser = ArgumentParser()
    add_number(parser, "--lose", "parties", 0)
    assert parser.parse_args(["--lose", "2"]).lose == 2
    with pytest.raises(SystemExit):
        parser.parse_args(["--lose", "2.5"])
    assert "invalid int value" in capsys.readouterr().err
