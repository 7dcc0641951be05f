"""``python -m reproductions``."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from reproductions import Experiment, Result, command, experiments
from reproductions.command import main

NAME = "lyu-figure-2"


def reproduce(folder: Path, *arguments: str) -> int:
    return main(["--quick", "--cache", str(folder / "cache"), *arguments])


def test_the_list_names_every_experiment(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()] == list(experiments())


def test_a_name_prints_its_report_and_the_cache_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reproduce(tmp_path, "lyu-algorithms") == 0
    first = capsys.readouterr()
    assert "3 of 3 trends seen" in first.out
    assert "| Alg. 5 | published, not private as claimed | infinite |" in first.out
    assert "from the cache" not in first.err
    assert reproduce(tmp_path, NAME) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert "from the cache" in again.err
    assert reproduce(tmp_path, NAME, "--fresh", "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "deep" / "report"
    assert reproduce(tmp_path, NAME, "barczewski-figure-7", "--out", str(out)) == 0
    assert capsys.readouterr().out.strip() == str(out / "report.md")
    assert "2 experiments" in (out / "report.md").read_text()
    assert "<!doctype html>" in (out / "report.html").read_text()
    rows = list(csv.reader((out / f"{NAME}.csv").read_text().splitlines()))
    assert len(rows) == len(json.loads((out / f"{NAME}.json").read_text())["rows"]) + 1


@pytest.mark.slow
def test_table_1_prints_paper_rerun_and_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DPCORE_DATA", raising=False)
    assert reproduce(tmp_path, "stoddard-table-1") == 0
    printed = capsys.readouterr().out
    assert (
        "| laplace-published, the paper | printed in the paper | 0.218 | 0.343 | 0.372 | 0.442 |"
        in printed
    )
    assert "| fixed-space | published, run again |" in printed
    assert "| quantile-bins | sound, this project's choice |" in printed
    assert "in place of SMSSpamCollection.gz" in printed


def test_an_interrupted_run_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    second = "barczewski-figure-7"
    run = command.run_experiment

    def stop(one: Experiment, **options: object) -> Result:
        if one.name == second:
            raise KeyboardInterrupt
        return run(one, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "run_experiment", stop)
    with pytest.raises(SystemExit, match="130"):
        reproduce(tmp_path, NAME, second)
    assert "goes on here" in capsys.readouterr().err
    monkeypatch.setattr(command, "run_experiment", run)
    assert reproduce(tmp_path, NAME, second) == 0
    first, last = capsys.readouterr().err.splitlines()
    assert first.endswith("from the cache")
    assert "from the cache" not in last


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "--list prints the names"),
        (["--all", NAME], "--list prints the names"),
        (["stoddard-table-2"], "stoddard-table-1"),
    ],
)
def test_what_is_not_understood(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reproduce(tmp_path, *arguments) == 2
    assert words in capsys.readouterr().err


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reproduce(tmp_path, NAME, "--data", str(tmp_path / "nowhere")) == 1
    assert "nowhere is not there" in capsys.readouterr().err
