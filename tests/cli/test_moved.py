"""Commands that moved out of the library answer to their old names, and say their new ones."""

import sys

import pytest

from dpcore.cli import main

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
