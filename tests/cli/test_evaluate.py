"""``dpcore evaluate``: reports, exit codes, messages, every kind of file."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

import dpcore
from dpcore import SeededNoise
from dpcore.cli import main
from dpcore.cli.program import UNCOUNTED
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import (
    private_auc,
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
    score_evaluation,
)
from tests.data.counting._files import parquet_files, predictions

COLUMNS = ["--label", "y", "--score", "p"]


@pytest.fixture(scope="module")
def frame():
    return predictions(6000)


@pytest.fixture
def paths(tmp_path, frame):
    return parquet_files(tmp_path, frame)


def evaluate(*arguments: object) -> int:
    return main(["evaluate", *map(str, arguments)])


def test_from_a_shell(paths, tmp_path):
    command = [sys.executable, "-m", "dpcore", "evaluate", *paths, *COLUMNS, "--epsilon", "1"]
    done = subprocess.run(
        [*map(str, command), "--out", str(tmp_path / "report")],
        cwd=Path(dpcore.__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("100% read\n")
    assert "At epsilon 1 the private AUC is 0.8" in done.stdout
    assert all(said in done.stdout for said in ("private release, epsilon 1", UNCOUNTED))
    names = {path.name for path in (tmp_path / "report").iterdir()}
    assert names == {"report.html", "result.json", "roc.csv"}
    document = json.loads((tmp_path / "report" / "result.json").read_text())
    assert "truth" not in document
    assert document["seed"] is None


def test_the_numbers_are_those_of_the_library(paths, tmp_path, frame):
    out = tmp_path / "a"
    assert evaluate(*paths, *COLUMNS, "--epsilon", "1/2", "--seed", 3, "--out", out, "--quiet") == 0
    document = json.loads((out / "result.json").read_text())
    scores = ScoreHistogram.from_arrays(frame["y"], frame["p"])
    noise = SeededNoise(3).child("roc all")
    release = private_roc_curve(scores, epsilon="1/2", noise=noise)
    assert document["roc"] == json.loads(release.to_json())
    assert document["truth"]["auc"] == scores.auc()
    rows = list(csv.DictReader((out / "roc.csv").read_text().splitlines()))
    private = [float(row["tpr"]) for row in rows if row["curve"] == "private"]
    assert private == release.tpr.tolist()
    assert {row["noise"] for row in rows} == {"simulation, seed:3"}


def test_text_parquet_and_a_folder_give_the_same_report(tmp_path, frame):
    (tmp_path / "text").mkdir()
    exact = frame.assign(p=frame["p"].astype(np.float64))
    exact.to_csv(tmp_path / "text" / "a.tsv", sep="\t", index=False)
    parquet_files(tmp_path, exact, files=1)
    reports = []
    for source in (tmp_path / "0.parquet", tmp_path / "text", tmp_path / "text" / "a.tsv"):
        wanted = ["--curves", "roc,ecdf,calibration", "--positive", 1, "--epsilon", 1]
        simulated = ["--seed", 1, "--quiet", "--out", tmp_path / "b"]
        assert evaluate(source, *COLUMNS, *wanted, *simulated) == 0
        reports.append((tmp_path / "b" / "report.html").read_text())
    assert reports[0] == reports[1] == reports[2]
    assert "SIMULATION" in reports[0]


def test_quiet_says_nothing(paths, tmp_path, capsys):
    assert evaluate(*paths, *COLUMNS, "--epsilon", 1, "--out", tmp_path / "a", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "arguments, code, words",
    [(["--epsilon", "-1"], 2, "epsilon must be"),
     (["--epsilon", "0"], 2, "epsilon must be positive"),
     (["--epsilon", "1", "--curves", "pr"], 2, "--curves must be some of roc"),
     (["--epsilon", "1", "--curves", ""], 2, "--curves must be some of roc"),
     (["--epsilon", "1", "--method", "rok"], 2, "rok"),
     (["--epsilon", "1", "--seed", "-3"], 2, "seed must be a whole number"),
     (["--epsilon", "1", "--positive", "yes"], 2, "give --positive a number"),
     # No label is so called, and a private run spent for a class without records.
     (["--epsilon", "1", "--positive", "at least 3"], 2, "--positive is one label here"),
     (["--epsilon", "1", "--workers", "0"], 2, "--workers must be at least 1"),
     (["--epsilon", "1", "--method", "recursive-medians-published"], 1, "is not private"),
     (["--epsilon", "1", "--label", "q"], 1, "column 'q'"),
     (["--epsilon", "1", "--link", "logit", "--scale", "log-odds"], 2, "give --scale alone")],
)  # fmt: skip
def test_refusals_are_one_sentence(paths, tmp_path, capsys, arguments, code, words):
    assert evaluate(*paths, *COLUMNS, *arguments, "--out", tmp_path / "none", "--quiet") == code
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.startswith("dpcore evaluate: ")
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert not (tmp_path / "none").exists()


def test_what_is_not_there_is_one_sentence(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    for name, words in (("absent.csv", "there is no file"), ("empty", "holds no predictions")):
        assert evaluate(tmp_path / name, *COLUMNS, "--epsilon", 1) == 1
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("seed", [[], ["--seed", 1]])
@pytest.mark.parametrize(
    "given, words",
    [
        (["--positive", 2], "No row is positive"),
        (["--positive", 0, "--negative", 2], "Every row is positive"),
        (["--score", "word"], "No row has a label and a usable score"),
    ],
)
def test_only_a_simulation_tells_of_an_empty_class(tmp_path, frame, capsys, seed, given, words):
    frame.assign(word="high").to_parquet(tmp_path / "a.parquet")
    wanted = [*COLUMNS, *given, "--epsilon", 1, *seed, "--out", tmp_path / "r"]
    assert evaluate(tmp_path / "a.parquet", *wanted) == 0
    told = capsys.readouterr().out + (tmp_path / "r" / "report.html").read_text()
    assert told.count(words) == 2 * bool(seed)


@pytest.mark.parametrize("curves", ["roc", "auc", "threshold", "groups", "ecdf", "calibration"])
def test_names_that_no_record_has_are_brought_up_by_a_release_that_says_nothing(
    tmp_path, frame, capsys, monkeypatch, curves
):
    """JSON has no header, and to refuse the names of its records would tell of them for nothing."""
    # As the system would draw, but the same in every run of this test.
    monkeypatch.setattr(score_evaluation, "SystemNoise", lambda: SeededNoise(1))
    path, said = tmp_path / "a.jsonl", {}
    frame.assign(sex=["f", "m"] * (len(frame) // 2)).to_json(path, orient="records", lines=True)
    for label in ("y", "why"):
        told = ["--label", label, "--score", "p", "--epsilon", "2", "--curves", curves]
        told += ["--group", "sex", "--levels", "f,m"] * (curves == "groups")
        assert evaluate(path, *told, "--out", tmp_path / "out") == 0
        said[label] = capsys.readouterr()
    check = "Check too that columns and labels are written as in the file: no private run tells."
    assert check not in said["y"].out
    assert check in said["why"].out.splitlines()[0]
    # Before the release the two runs are alike, but for how often they say how far they are.
    one, other = (
        [line for line in said[label].err.splitlines() if "% read" not in line]
        for label in ("y", "why")
    )
    assert other == [line.replace("'y'", "'why'") for line in one]


def test_folders_and_files_of_several_types(tmp_path, frame, capsys):
    (tmp_path / "folder").mkdir()
    frame.to_parquet(tmp_path / "folder" / "numbers.parquet")
    frame.astype({"y": "str"}).to_parquet(tmp_path / "texts.parquet")
    wanted = [*COLUMNS, "--epsilon", 1, "--quiet", "--out", tmp_path / "r"]
    both = tmp_path / "folder", tmp_path / "texts.parquet"
    for given, name in (([], "texts.parquet"), (["--positive", "yes"], "numbers.parquet")):
        assert evaluate(*both, *wanted, *given) == 2
        assert f"column 'y' of {name} holds" in capsys.readouterr().err
        assert not (tmp_path / "r").exists()
    assert evaluate(*both, *wanted, "--positive", 1) == 0


def test_an_interruption_of_the_count_leaves_nothing(paths, tmp_path, capsys, monkeypatch):
    bar = nullcontext(Mock(side_effect=KeyboardInterrupt))
    monkeypatch.setattr("dpcore.cli.evaluate.progress_bar", lambda stream: bar)
    assert evaluate(*paths, *COLUMNS, "--epsilon", 1, "--out", tmp_path / "r") == 130
    assert capsys.readouterr().err == "dpcore evaluate: stopped before the end\n"
    assert not (tmp_path / "r").exists()


def test_where_nothing_can_be_written_nothing_is_counted(paths, tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("dpcore.cli.evaluate.count_here", pytest.fail)
    assert evaluate(*paths, *COLUMNS, "--epsilon", 1, "--out", tmp_path / "file") == 1
    assert "is no folder; give another folder with --out" in capsys.readouterr().err


def test_malformed_rows_change_nothing_but_themselves(tmp_path):
    clean = "y,p\n" + "1,0.75\n0,0.25\n" * 200
    dirty = clean + 'nan,0.5\n1,high\n1\n"1,0.5\n,\n1,7\n'
    results = []
    for text in (clean, dirty):
        (tmp_path / "a.csv").write_text(text)
        wanted = ["--positive", 1, "--epsilon", 1, "--seed", 1, "--quiet", "--out", tmp_path / "r"]
        assert evaluate(tmp_path / "a.csv", *COLUMNS, *wanted) == 0
        results.append((tmp_path / "r" / "roc.csv").read_text())
    counted = json.loads((tmp_path / "r" / "result.json").read_text())["truth"]
    # The cell that a lone quotation mark opens ends with its line, which then lacks a cell.
    assert (counted["positives"], counted["negatives"], counted["left_out"]) == (200, 200, 6)
    assert results[0]


def test_a_cluster_gives_the_same_report(paths, tmp_path):
    distributed = pytest.importorskip("distributed")
    options = {"processes": False, "dashboard_address": ":0", "threads_per_worker": 1}
    with distributed.LocalCluster(n_workers=2, **options) as cluster:
        for name, more in (("here", []), ("there", ["--scheduler", cluster.scheduler_address])):
            wanted = ["--epsilon", 1, "--seed", 5, "--quiet", "--out", tmp_path / name]
            assert evaluate(*paths, *COLUMNS, *wanted, *more) == 0
    for name in ("result.json", "report.html", "roc.csv"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_help_reads_like_a_manual_page(capsys):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    for words in ("examples:", "--scheduler", "report.html", "spends again", "--seed"):
        assert words in text


WANTED = ("--curves", "auc,threshold,groups,compare", "--threshold", "0.4")
BY = ("--group", "site", "--levels", "n, s", "--score-b", "q")


@pytest.fixture(scope="module")
def decisions(frame):
    site = np.array(["n", "s", "?", ""])[np.arange(len(frame)) % 4]
    return frame.assign(q=frame["p"].astype(np.float64) ** 2, site=site)


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_auc_threshold_groups_and_another_model(tmp_path, decisions, neighbors):
    """One pass, one report, and the numbers of the library; all groups for one share."""
    decisions.assign(p=decisions["p"].astype(np.float64)).to_csv(tmp_path / "a.csv", index=False)
    told = (*COLUMNS, *WANTED, *BY, "--epsilon", 2, "--neighbors", neighbors, "--quiet")
    out = tmp_path / "out"
    assert evaluate(tmp_path / "a.csv", *told, "--seed", 3, "--out", out) == 0
    document = json.loads((out / "result.json").read_text())
    labels, a, b = (decisions[name] for name in "ypq")
    account = {"epsilon": "1/2", "neighbors": neighbors}
    groups = private_group_evaluation(
        labels, a, decisions["site"], levels=("n", "s"), threshold=0.4,
        noise=SeededNoise(3).child("groups all"), **account,
    )  # fmt: skip
    assert document["groups"] == json.loads(groups.to_json())
    models = private_model_comparison(
        labels, a, b, noise=SeededNoise(3).child("compare all"), **account
    )
    assert document["compare"] == json.loads(models.to_json())
    by_group = [one for one in document["charges"] if one["label"] == "evaluation by group"]
    assert len(by_group) == 1
    assert document["epsilon"] == "2"
    names = {path.name for path in out.iterdir()}
    assert names >= {"threshold.csv", "groups.csv", "compare.csv"}
    report = (out / "report.html").read_text()
    for heading in ("AUC", "Counts at a threshold", "Evaluation by group", "Comparison of two"):
        assert f"<h2>{heading}" in report
    assert evaluate(tmp_path / "a.csv", *told, "--out", tmp_path / "real") == 0
    real = json.loads((tmp_path / "real" / "result.json").read_text())
    assert "truth" not in real
    assert not real["groups"]["simulated"]


def test_a_threshold_is_a_score_as_it_is_written(tmp_path, decisions, capsys):
    whole = decisions["p"].astype(np.float64)
    decisions.assign(p=300 + 550 * whole).to_csv(tmp_path / "points.csv", index=False)
    told = (*COLUMNS, "--epsilon", 1, "--curves", "threshold", "--seed", 3, "--quiet")
    told = (*told, "--scale", "any", "--bounds", 300, 850, "--out", tmp_path / "out")
    found = []
    for chosen in ((), ("--threshold", 575), ("--threshold", 410)):
        assert evaluate(tmp_path / "points.csv", *told, *chosen) == 0
        document = json.loads((tmp_path / "out" / "result.json").read_text())
        found.append(document["threshold"]["threshold"])
    assert found == pytest.approx([0.5, 0.5, 0.2], abs=1e-4)
    assert "from a score of 410 on" in (tmp_path / "out" / "report.html").read_text()
    assert evaluate(tmp_path / "points.csv", *told, "--threshold", 0.5) == 2
    assert "a score, from 300 to 850" in capsys.readouterr().err


@pytest.fixture(scope="module")
def of_three():
    draws = np.random.default_rng(4)
    place = draws.integers(0, 4, 3000)
    names = np.array(["low", "mid", "very, high", "none of these"])[place]
    scores = 0.1 + 0.5 * (place[:, None] == np.arange(3)) + 0.4 * draws.random((3000, 3))
    table = {"y": names, "u": scores[:, 0], "v": scores[:, 1], "w": scores[:, 2]}
    return pd.DataFrame(table)


BY_CLASS = ("--classes", 'low,mid,"very, high"', "--class-scores", "u,v,w")


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_every_class_against_the_rest(tmp_path, of_three, neighbors):
    """The numbers of the library from one pass, and the score of the class that is positive."""
    of_three.loc[7, "w"] = np.nan
    of_three.to_csv(tmp_path / "a.csv", index=False)
    told = ("--label", "y", *BY_CLASS, "--positive", "mid", "--curves", "auc,classes")
    told = (*told, "--epsilon", 2, "--neighbors", neighbors, "--quiet", "--seed", 3)
    assert evaluate(tmp_path / "a.csv", *told, "--out", tmp_path / "out") == 0
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    classes = ("low", "mid", "very, high")
    usable = of_three.drop(index=7)
    expected = private_macro_auc(
        [ScoreHistogram.from_arrays(usable["y"] == name, usable[column])
         for name, column in zip(classes, "uvw", strict=True)],
        classes=classes, epsilon=1, neighbors=neighbors, noise=SeededNoise(3).child("classes all"),
    )  # fmt: skip
    assert document["classes"] == json.loads(expected.to_json())
    mid = private_auc(
        of_three["y"] == "mid", of_three["v"], epsilon=1, neighbors=neighbors,
        noise=SeededNoise(3).child("auc all"),
    )  # fmt: skip
    assert document["auc"] == json.loads(mid.to_json())
    assert document["epsilon"] == "2"
    report = (tmp_path / "out" / "report.html").read_text()
    assert "<h2>Every class against the rest" in report
    _, mean, *rest = (tmp_path / "out" / "classes.csv").read_text().splitlines()
    assert mean.startswith("mean of all classes,")
    assert len(rest) == 3


def test_of_all_classes_none_need_be_positive(tmp_path, of_three, capsys):
    of_three.to_csv(tmp_path / "a.csv", index=False)
    told = ("--label", "y", "--epsilon", 1, "--curves", "classes", "--out", tmp_path / "out")
    assert evaluate(tmp_path / "a.csv", *told, *BY_CLASS) == 0
    said = capsys.readouterr()
    assert "macro AUC of 3 classes" in said.out
    assert "positive" not in said.err
    assert "truth" not in json.loads((tmp_path / "out" / "result.json").read_text())
    for lacking, needs in (
        ((), "--class-scores"),
        (BY_CLASS[:2], "--class-scores"),
        ((*BY_CLASS, "--curves", "roc"), "--positive"),
        (("--curves", "roc"), "--score"),
        (("--classes", "a,a", "--class-scores", "u,v"), "different names"),
    ):
        assert evaluate(tmp_path / "a.csv", *told, *lacking) == 2
        assert needs in capsys.readouterr().err


@pytest.mark.parametrize("levels", ["a,a", "a,(other)", ",".join(map(str, range(21)))])
def test_every_level_is_looked_at_before_a_file_is(paths, capsys, monkeypatch, levels):
    monkeypatch.setattr("dpcore.cli.evaluate._counted", lambda *_: pytest.fail("it was read"))
    told = ("--curves", "groups", "--group", "site", "--levels", levels)
    assert evaluate(*paths, *COLUMNS, "--epsilon", 1, *told) == 2
    assert "levels must be" in capsys.readouterr().err


@pytest.mark.parametrize("curve, needs", [("groups", "--levels"), ("compare", "--score-b")])
def test_what_groups_and_comparisons_need_is_said(paths, capsys, curve, needs):
    assert evaluate(*paths, *COLUMNS, "--epsilon", 1, "--curves", curve) == 2
    assert needs in capsys.readouterr().err
