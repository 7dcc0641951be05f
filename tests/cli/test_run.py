"""``dpcore run``: reports, overrides, refusals and exit codes."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

import dpcore
from dpcore.cli import main
from dpcore.cli.program import UNCOUNTED
from dpcore.models import DPNaiveBayes
from dpcore.study import from_json, run_workflow


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def in_a_shell(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "dpcore", *map(str, arguments)],
        cwd=Path(dpcore.__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.slow
def test_from_a_shell(folder, write):
    done = in_a_shell("run", write(), "--out", folder / "report")
    assert done.returncode == 0, done.stderr
    assert set(files(folder / "report")) == {
        "report.html",
        "result.json",
        "roc.csv",
        "model.json",
    }
    assert "simulation (seed:7); not a private release" in done.stdout
    assert "the noise off    test AUC 0." in done.stdout
    assert "100%  done" in done.stderr


@pytest.mark.slow
def test_a_refusal_in_a_shell_is_one_sentence(folder, write):
    study = write(noise="system", evaluation={"method": "recursive-medians-published"})
    done = in_a_shell("run", study, "--out", folder / "report", "--quiet")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("dpcore run: 'recursive-medians-published' is not private")
    assert done.stderr.count("\n") == 1
    assert not (folder / "report").exists()


def test_the_numbers_are_those_of_the_library(folder, write, capsys):
    path = write()
    assert main(["run", str(path), "--out", str(folder / "a")]) == 0
    result = run_workflow(from_json(path.read_text()), base=folder)
    document = json.loads((folder / "a" / "result.json").read_text())
    assert (folder / "a" / "result.json").read_text() == result.to_json()
    assert f"AUC {result.roc.auc:.3f}" in capsys.readouterr().out
    assert document["roc"]["auc"] == result.roc.auc
    rows = list(csv.DictReader((folder / "a" / "roc.csv").read_text().splitlines()))
    released = [float(row["tpr"]) for row in rows if row["curve"] == "private"]
    assert released == document["roc"]["tpr"]


def test_the_trained_model_can_be_used_again(folder, write):
    path = write()
    assert main(["run", str(path), "--out", str(folder / "a"), "--quiet"]) == 0
    model = DPNaiveBayes.from_json((folder / "a" / "model.json").read_text())
    trained = run_workflow(from_json(path.read_text()), base=folder).model
    people = [[20.0, 0.0], [80.0, 1.0]]
    assert model.predict_proba(people).tolist() == trained.predict_proba(people).tolist()


def test_a_simulation_repeats_to_the_byte(folder, write):
    path = str(write())
    for name in ("a", "b"):
        assert main(["run", path, "--out", str(folder / name), "--quiet"]) == 0
    assert files(folder / "a") == files(folder / "b")


def test_quiet_says_nothing(folder, write, capsys):
    assert main(["run", str(write()), "--out", str(folder / "a"), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_other_files_can_take_the_place_of_the_named_ones(folder, write, monkeypatch):
    path = write(data={"file": "absent.csv", "schema": "absent.toml"})
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    for name in ("small.csv", "small.toml"):
        (folder / name).rename(elsewhere / name)
    monkeypatch.chdir(elsewhere)
    given = ["--data", "small.csv", "--schema", "small.toml", "--quiet"]
    assert main(["run", str(path), "--out", str(folder / "a"), *given]) == 0


def test_predictions_can_be_replaced_too(folder, write, capsys):
    (folder / "scores.csv").write_text("label,score\n" + "yes,0.9\nno,0.2\nno,0.6\n" * 100)
    path = write(data={"predictions": "absent.csv"})
    given = ["run", str(path), "--out", str(folder / "a"), "--data", str(folder / "scores.csv")]
    assert main(given) == 0
    assert not (folder / "a" / "model.json").exists()
    assert "noise off" not in capsys.readouterr().out


def test_what_public_cells_cost_is_told(folder, write, capsys):
    """Log-odds beyond 20 share a cell, so the ranking is lost on it."""
    (folder / "scores.csv").write_text("label,score\n" + "yes,60\nno,40\nno,50\n" * 100)
    path = write(data={"predictions": "scores.csv", "positive": "yes", "scale": "log-odds"})
    assert main(["run", str(path), "--out", str(folder / "a"), "--quiet"]) == 0
    assert main(["run", str(path), "--out", str(folder / "b")]) == 0
    said = capsys.readouterr().out
    assert said.count("public cells     The public cells merge scores that differ") == 1


def test_a_private_report_is_stamped_and_silent_on_the_truth(folder, write, capsys):
    assert main(["run", str(write(noise="system")), "--out", str(folder / "a")]) == 0
    page = (folder / "a" / "report.html").read_text()
    assert "PRIVATE RELEASE, epsilon 2" in page
    assert "SIMULATION" not in page
    assert json.loads((folder / "a" / "result.json").read_text())["truth"] is None
    said = capsys.readouterr().out
    assert f"a private release: {UNCOUNTED}" in said
    assert "true curve" not in said


@pytest.mark.parametrize(
    "changes, code, sentence",
    [
        ({"data": {"file": "absent.csv", "schema": "small.toml"}}, 1, "absent.csv: no such file"),
        ({"modle": {}}, 2, "did you mean 'model'"),
        ({"epsilon": {"training": -1}}, 2, "epsilon.training must be zero or positive"),
        ({"model": {"kind": "forest"}}, 2, "model.kind must be one of"),
        ({"noise": "loud"}, 2, "noise must be"),
    ],
)
def test_exit_codes(write, capsys, changes, code, sentence):
    assert main(["run", str(write(**changes)), "--quiet"]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_bad_data_are_named_by_row_and_column(folder, write, capsys):
    table = folder / "small.csv"
    table.write_text(table.read_text() + "40,no,perhaps\n")
    assert main(["run", str(write()), "--quiet"]) == 1
    assert "row 501, column 'ill'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "data, given",
    [
        ({"sample": "breast-cancer"}, "--data"),
        ({"sample": "breast-cancer"}, "--schema"),
        ({"predictions": "scores.csv"}, "--schema"),
    ],
)
def test_an_override_that_fits_nothing_is_a_usage_error(write, capsys, data, given):
    assert main(["run", str(write(data=data)), given, "x"]) == 2
    assert given in capsys.readouterr().err


def test_a_missing_or_strange_study_is_a_usage_error(folder, capsys):
    assert main(["run", str(folder / "absent.json")]) == 2
    assert "there is no study file" in capsys.readouterr().err
    (folder / "study.json").write_bytes(b"\xff\xfe\x00")
    assert main(["run", str(folder / "study.json")]) == 2
    assert "UTF-8" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named(folder, write, capsys):
    (folder / "taken").write_text("a file")
    assert main(["run", str(write()), "--out", str(folder / "taken"), "--quiet"]) == 1
    assert "--out" in capsys.readouterr().err
