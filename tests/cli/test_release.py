"""``dpcore release``: charged once, replayed for nothing, refused in one sentence."""

import json
import zipfile

import openpyxl
import pytest

from dpcore import LedgerStore, Loss
from dpcore.cli import main
from dpcore.desk import Released, canonical_digest


@pytest.fixture
def ledger(folder):
    store = LedgerStore(folder / "ledger.sqlite")
    store.open_budget(canonical_digest(folder / "small.csv"), Loss("1.5"))
    return store


@pytest.fixture
def run(folder, ledger):
    """Release from the small table, with changes to the request."""

    def run(*options, what="roc", **epsilon):
        spent = {"training": "1", "evaluation": "1"} | epsilon
        study = {"data": {"file": "nowhere.csv", "schema": "nowhere.toml"}, "epsilon": spent}
        request = folder / "request.json"
        request.write_text(json.dumps({"what": what, "study": study}))
        files = ["--data", str(folder / "small.csv"), "--schema", str(folder / "small.toml")]
        places = ["--store", str(ledger.path), "--out", str(folder / "out")]
        return main(["release", str(request), *files, *places, *map(str, options)])

    return run


def remaining(folder, ledger):
    return ledger.remaining(canonical_digest(folder / "small.csv"))


def test_a_release_and_its_replay(run, folder, ledger, capsys):
    assert run() == 0
    first = capsys.readouterr().out
    assert "Released for epsilon 1." in first
    assert "epsilon 1.5 → epsilon 0.5" in first
    found = Released.from_json((folder / "out" / "release.json").read_text())
    # Now and then the noise of so few records leaves everything possible, and the sentence says so.
    assert found.headline in first
    assert "AUC" in found.headline
    bundled = (folder / "out" / "bundle.zip").read_bytes()
    assert zipfile.is_zipfile(folder / "out" / "bundle.zip")
    assert (folder / "out" / "roc.csv").read_text().startswith("threshold,fpr,tpr")
    assert run() == 0
    assert "showing it again costs nothing" in capsys.readouterr().out
    assert (folder / "out" / "bundle.zip").read_bytes() == bundled
    assert remaining(folder, ledger) == Loss("0.5")


def test_a_release_that_says_nothing_asks_for_the_names(run, folder, capsys):
    assert run(evaluation="0.001") == 0
    headline = Released.from_json((folder / "out" / "release.json").read_text()).headline
    said = capsys.readouterr().out
    # So it is in nearly every draw, and where it is not there is nothing to ask.
    assert ("Check too that columns" in said) is (" says nothing" in headline)


def test_a_plan_costs_nothing(run, folder, ledger, capsys):
    assert run("--plan", training="2") == 0
    out = capsys.readouterr().out
    assert "charge     epsilon 2  training" in out
    assert "the largest epsilon that fits is 1.5" in out
    assert not (folder / "out").exists()
    assert remaining(folder, ledger) == Loss("1.5")


def test_too_much_is_refused(run, folder, ledger, capsys):
    assert run(training="2") == 1
    error = capsys.readouterr().err
    assert error.startswith("dpcore release: this release needs epsilon 2, but only epsilon 1.5")
    assert error.count("\n") == 1
    assert remaining(folder, ledger) == Loss("1.5")


def test_what_cannot_be_understood_has_exit_code_2(run, folder, capsys):
    assert run(what="rok") == 2
    assert "did you mean 'roc'" in capsys.readouterr().err
    absent = ["release", str(folder / "absent.json"), "--data", str(folder / "small.csv")]
    assert main(absent) == 2


def test_a_table_goes_with_a_schema(run, folder, capsys):
    assert run("--plan") == 0
    told = ["release", str(folder / "request.json"), "--data", str(folder / "small.csv")]
    capsys.readouterr()
    assert main(told) == 2
    assert "--schema goes with a table" in capsys.readouterr().err


def test_files_that_cannot_be_written_cost_nothing_more(run, folder, ledger, capsys):
    (folder / "out").write_text("in the way")
    assert run() == 1
    assert "costs nothing more" in capsys.readouterr().err
    (folder / "out").unlink()
    assert run() == 0
    assert remaining(folder, ledger) == Loss("0.5")


def test_an_interrupted_release_is_paid_again_only_on_demand(run, folder, ledger, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("power cut")

    with monkeypatch.context() as patched:
        patched.setattr(LedgerStore, "finish", fail)
        with pytest.raises(RuntimeError):
            run(training="0.5", evaluation="0.5")
    assert run(training="0.5", evaluation="0.5") == 1
    assert run("--again", training="0.5", evaluation="0.5") == 0
    assert remaining(folder, ledger) == Loss("0.5")


def test_a_damaged_workbook_is_told_and_costs_nothing(folder, ledger, capsys):
    book, data = openpyxl.Workbook(write_only=True), folder / "scores.xlsx"
    sheet = book.create_sheet("scores")
    for row in [["label", "score"], *([place % 2, place / 400] for place in range(400))]:
        sheet.append(row)
    book.save(data)
    content = data.read_bytes()
    told = {"predictions": "scores.xlsx", "format": "excel", "positive": "1"}
    request = folder / "request.json"
    request.write_text(json.dumps({"what": "roc", "study": {"data": told}}))
    asked = ["release", str(request), "--data", str(data), "--store", str(ledger.path), "--plan"]
    for cut in (len(content) // 3, len(content) - 9):
        data.write_bytes(content[:cut])
        assert main(asked) == 1
        error = capsys.readouterr().err
        assert "scores.xlsx is a damaged Excel workbook: it was cut short" in error
        assert error.count("\n") == 1
    assert remaining(folder, ledger) == Loss("1.5")
