"""Finished experiments on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reproductions import PaperData, Result, ResultCache, Row, Rows, cache, experiment

ONE = experiment("lyu-figure-2")
NOTHING = PaperData(None)


def result() -> Result:
    rows = Rows((Row("p", "m", "ours", 1.0, 0.5),))
    return Result(ONE.name, True, ONE.digest(True), (), 1.0, rows)


def test_what_was_put_is_found(tmp_path: Path) -> None:
    kept = ResultCache(tmp_path / "deep" / "folder")
    assert kept.get(ONE, True, NOTHING) is None
    kept.put(result(), ONE, NOTHING)
    assert kept.get(ONE, True, NOTHING) == result()
    assert kept.get(ONE, False, NOTHING) == result()  # the two settings of this one are equal
    assert not list(tmp_path.rglob("*.part"))


def test_other_settings_data_and_code_are_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = ResultCache(tmp_path)
    kept.put(result(), ONE, NOTHING)
    other = replace(ONE, quick=replace(ONE.quick, cutoff=2))  # type: ignore[type-var]
    assert kept.get(other, True, NOTHING) is None
    assert kept.get(replace(ONE, data=("sms",)), True, NOTHING) is None
    monkeypatch.setattr(cache, "code_version", lambda: "other")
    assert kept.get(ONE, True, NOTHING) is None


def test_a_torn_file_is_measured_again(tmp_path: Path) -> None:
    kept = ResultCache(tmp_path)
    kept.put(result(), ONE, NOTHING)
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text()[:20])
    assert kept.get(ONE, True, NOTHING) is None


def test_no_folder_keeps_nothing() -> None:
    kept = ResultCache(None)
    kept.put(result(), ONE, NOTHING)
    assert kept.get(ONE, True, NOTHING) is None


def test_the_default_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.default_folder() == tmp_path / "dpcore" / "reproductions"
