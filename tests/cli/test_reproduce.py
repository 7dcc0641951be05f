"""The old name of ``python -m reproductions``."""

import sys

from dpcore.cli import main


def test_the_old_name_of_the_reproductions_warns_and_works(capsys):
    assert main(["reproduce", "--list"]) == 0
    printed = capsys.readouterr()
    assert "lyu-figure-2" in printed.out
    assert "python -m reproductions" in printed.err


def test_without_the_reproductions_one_sentence_says_where_they_are(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "reproductions.command", None)
    assert main(["reproduce", "--list"]) == 1
    assert "not installed beside dpcore" in capsys.readouterr().err
