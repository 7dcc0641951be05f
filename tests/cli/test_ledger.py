"""``dpcore ledger``: budgets, verification and export, with exit codes for scripts."""

import json
import sqlite3
from contextlib import closing

import pytest

from dpcore import LedgerStore, Loss
from dpcore.cli import main
from dpcore.desk import canonical_digest
from dpcore.store.journal import journal

ROWS = b"label,score\n1,0.9\n0,0.2\n"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(ROWS)
    return path


@pytest.fixture
def path(tmp_path, data):
    """A ledger with one budget, opened on the command line."""
    store = tmp_path / "ledger.sqlite"
    told = ["--data", str(data), "--epsilon", "1/2", "--title", "Ward", "--store", str(store)]
    assert main(["ledger", "open", *told]) == 0
    return store


def test_a_budget_is_opened_once(path, data, capsys):
    capsys.readouterr()
    again = ["ledger", "open", "--data", str(data), "--store", str(path), "--epsilon"]
    assert main([*again, "0.5"]) == 0
    assert "budget     epsilon 0.5" in capsys.readouterr().out
    assert main([*again, "0.6"]) == 1
    assert "a budget is set once" in capsys.readouterr().err
    assert main([*again, "much"]) == 2
    assert LedgerStore(path).remaining(canonical_digest(ROWS)) == Loss("0.5")


def test_show_lists_every_charge_and_what_is_left(path, data, capsys):
    LedgerStore(path).spend(canonical_digest(ROWS), "r", "curve", Loss("0.2"), mechanism="laplace")
    assert main(["ledger", "reserve", "--data", str(data), "--epsilon", "0.1"]) == 1
    told = ["--data", str(data), "--epsilon", "0.1", "--store", str(path)]
    assert main(["ledger", "reserve", *told]) == 0
    capsys.readouterr()
    assert main(["ledger", "show", "--store", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Ward" in out
    assert "left       epsilon 0.3, epsilon 0.1 of it in reserve" in out
    assert "charge     epsilon 0.2  curve (laplace)" in out


@pytest.fixture(autouse=True)
def no_default_ledger(tmp_path, monkeypatch):
    """Keep the tests away from the ledger of whoever runs them."""
    monkeypatch.setenv("DPCORE_LEDGER", str(tmp_path / "absent" / "ledger.sqlite"))


def test_the_environment_names_the_ledger(path, monkeypatch, capsys):
    assert main(["ledger", "show"]) == 1
    assert "there is no ledger" in capsys.readouterr().err
    monkeypatch.setenv("DPCORE_LEDGER", str(path))
    assert main(["ledger", "show"]) == 0
    assert "Ward" in capsys.readouterr().out


def test_verify_prints_the_head_and_fails_on_a_changed_row(path, capsys):
    capsys.readouterr()
    assert main(["ledger", "verify", "--store", str(path)]) == 0
    head = capsys.readouterr().out.split()[-1]
    assert main(["ledger", "verify", "--store", str(path), "--head", head]) == 0
    assert main(["ledger", "verify", "--store", str(path), "--head", "0" * 64]) == 1
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER entries_stay")
        connection.execute("UPDATE entries SET facts = replace(facts, '1/2', '9')")
        connection.commit()
    capsys.readouterr()
    assert main(["ledger", "verify", "--store", str(path)]) == 1
    assert "row 1 (budget) was changed" in capsys.readouterr().err


def test_export_goes_to_standard_output_or_to_a_file(path, tmp_path, capsys):
    capsys.readouterr()
    assert main(["ledger", "export", "--store", str(path)]) == 0
    text = capsys.readouterr().out
    assert json.loads(text)["head"] == LedgerStore(path).verify().head
    out = tmp_path / "export.json"
    assert main(["ledger", "export", "--store", str(path), "--out", str(out)]) == 0
    assert out.read_text() == text
    assert main(["ledger", "export", "--store", str(path), "--out", str(tmp_path)]) == 1


def test_an_empty_ledger_says_so(tmp_path, capsys):
    LedgerStore(tmp_path / "empty.sqlite")
    assert main(["ledger", "show", "--store", str(tmp_path / "empty.sqlite")]) == 0
    assert capsys.readouterr().out == "no budget is open\n"


def test_a_backup_comes_back_without_losing_a_charge(path, data, tmp_path, capsys):
    copy, digest = tmp_path / "copy.sqlite", canonical_digest(ROWS)
    assert main(["ledger", "backup", "--store", str(path), "--out", str(copy)]) == 0
    assert "keep it as secret as the data" in capsys.readouterr().out
    assert main(["ledger", "backup", "--store", str(path), "--out", str(copy)]) == 1
    LedgerStore(path).spend(digest, "r", "curve", Loss("0.2"))
    assert main(["ledger", "restore", str(copy), "--store", str(path)]) == 0
    assert "restored with 2 rows, 1 of them from the file it replaces" in capsys.readouterr().out
    assert LedgerStore(path).remaining(digest) == Loss("0.3")


def test_an_older_backup_is_refused_and_what_it_loses_is_said(path, data, tmp_path, capsys):
    copy = tmp_path / "copy.sqlite"
    assert main(["ledger", "backup", "--store", str(path), "--out", str(copy)]) == 0
    LedgerStore(path).spend(canonical_digest(ROWS), "r", "curve", Loss("0.2"))
    path.write_bytes(copy.read_bytes())
    capsys.readouterr()
    assert main(["ledger", "verify", "--store", str(path)]) == 1
    told = capsys.readouterr().err
    assert "an older copy" in told
    assert "python -m dpcore ledger restore" in told
    assert main(["ledger", "restore", str(copy), "--store", str(path)]) == 1
    assert "row 2 would be lost" in capsys.readouterr().err
    assert main(["ledger", "restore", str(copy), "--store", str(path), "--lose-charges"]) == 0
    assert "set as much aside" in capsys.readouterr().err
    assert main(["ledger", "verify", "--store", str(path)]) == 0


def test_a_budget_of_nothing_is_not_opened(tmp_path, data, capsys):
    store = tmp_path / "new.sqlite"
    told = ["--data", str(data), "--epsilon", "0", "--store", str(store)]
    assert main(["ledger", "open", *told]) == 2
    assert "--epsilon must be positive: a budget is set once" in capsys.readouterr().err
    assert not store.exists()


def test_budgets_of_an_earlier_version_are_named(path, data, capsys):
    store = LedgerStore(path)
    with journal(path, write=True) as book:
        facts = {"epsilon": "1", "delta": "0", "neighbors": "add-remove", "title": "Ward 7"}
        book.append(kind="budget", data=book.name_of("lines"), request="", facts=facts)
    assert store.earlier_budgets() == ["Ward 7"]
    told = ["--data", str(data), "--epsilon", "0.5", "--store", str(path)]
    assert main(["ledger", "open", *told]) == 0
    said = capsys.readouterr().err
    assert "Budgets of an earlier version wait for their files: Ward 7." in said
