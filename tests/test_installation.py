"""The library alone: what an installation without extras brings, and the README's lines in it."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dpcore.data.reading.samples import SAMPLE_DATA
from tests.test_architecture import ROOT, project_files
from tests.test_pins import RUNTIME, versions
from tests.test_readme import BLOCKS

TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, SETUPTOOLS = TOLD["project"], TOLD["tool"]["setuptools"]
# What only an extra brings.
EXTRA = ("streamlit", "dask", "distributed", "numba")
# What only the tests import: to solve the paper's equation in another way.
OF_TESTS = {"cvxopt"}
# `import dpcore` is to take less than half a second of a processor; it takes a fiftieth, so that a
# machine that is ten times slower still keeps this.
MOST_SECONDS = 0.25

LINES = """
import sys, time
began = time.process_time()
import dpcore
assert time.process_time() - began < {most}, time.process_time() - began
for name in {absent}:
    {block}
names = {{}}
for block in {blocks}:
    exec(block, names)
assert names["ledger"].spent == names["Loss"](1)
assert "private" in names["curve"]._repr_html_().lower()
assert len(names["curve"].plot().data) > 1
"""
BLOCK = "sys.modules[name] = None"
ABSENT = "import importlib.util; assert importlib.util.find_spec(name) is None, name"
COUNTED = """
import numpy as np
from dpcore.data.counting import score_tally
score_tally._WORTH_COMPILING = score_tally._FEW_ROWS = 0
tally = score_tally.ScoreTally()
tally.add(np.array([True, False]), np.array([0.2, 0.7]))
assert tally.levels().sum() == 2
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.data.counting.back_end import connected
from dpcore.models.collection import require_collection
for ask, error, words in (
    (lambda: connected("tcp://nowhere:1").__enter__(), MissingResource, "dpcore[cluster]"),
    (lambda: require_collection([[1.0]], [0]), InvalidArgument, "a data frame"),
):
    try:
        ask()
    except error as said:
        assert words in str(said), said
    else:
        raise AssertionError(words)
"""

INSTALLED = """
import dpcore
from importlib.metadata import distribution
from pathlib import Path
from dpcore.data.reading import samples
from dpcore.data.reading.samples import SAMPLE_DATA
tops = {path.parts[0] for path in distribution("dpcore").files} - {".."}
assert {one for one in tops if not one.endswith(".dist-info")} == {"dpcore"}, tops
assert SAMPLE_DATA == Path(dpcore.__file__).parent / "sample_data"
assert all(len(one.frame()) and one.schema() for one in samples().values())
"""


def lines(block: str, *more: str) -> str:
    """The README's library examples, where the extras are not installed."""
    examples = list(BLOCKS)
    told = LINES.format(most=MOST_SECONDS, absent=EXTRA, block=block, blocks=examples)
    return "\n".join([told, *more])


def ran(python: str | Path, *arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [python, *arguments], cwd=folder, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_runs_where_no_extra_is_installed() -> None:
    ran(sys.executable, "-c", lines(BLOCK, COUNTED), folder=ROOT)


@pytest.mark.slow
def test_a_package_of_an_extra_would_be_missed() -> None:
    with pytest.raises(AssertionError, match="import of streamlit halted|No module named"):
        ran(sys.executable, "-c", lines(BLOCK, "import streamlit"), folder=ROOT)


@pytest.mark.few(1)
@pytest.mark.parametrize("absent", ["dpcore.nothing", "dpcore._nothing"])
def test_a_name_that_is_not_there_is_an_attribute_error(absent: str) -> None:
    asked = f"import dpcore\nassert not hasattr(dpcore, {absent.partition('.')[2]!r})"
    asked += "\nassert dpcore.evaluation.private_auc and 'Ledger' in dir(dpcore)"
    ran(sys.executable, "-c", asked, folder=ROOT)


def test_every_package_is_told_once_and_in_a_version_that_is_pinned() -> None:
    extras = PROJECT["optional-dependencies"]
    told = [Requirement(one) for one in PROJECT["dependencies"]]
    told += [Requirement(one) for group in extras.values() for one in group]
    told = [one for one in told if one.name != "dpcore"]
    pinned = versions(RUNTIME)
    assert sorted(canonicalize_name(one.name) for one in told) == sorted(set(pinned) - OF_TESTS)
    for one in told:
        assert one.specifier.contains(pinned[canonicalize_name(one.name)]), one
    assert {canonicalize_name(one.name) for one in told[: len(PROJECT["dependencies"])]}.isdisjoint(
        EXTRA
    )


def test_one_name_is_installed_and_the_samples_lie_under_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the build is told; the test below builds and looks."""
    told: dict[str, Any] = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("setuptools.setup", told.update)
    runpy.run_path("setup.py")
    places = {name: Path(*name.split(".")) for name in told["packages"]} | {
        name: Path(place) for name, place in told["package_dir"].items()
    }
    assert {name.partition(".")[0] for name in places} == {"dpcore"}
    patterns = SETUPTOOLS["package-data"]
    installed = {
        path.as_posix()
        for name, place in places.items()
        for pattern in ("*.py", *patterns.get(name, ()))
        for path in place.glob(pattern)
    } | {path.as_posix() for one in patterns["dpcore"] for path in Path("dpcore").glob(one)}
    wanted = {str(path) for path in project_files() if path.parts[0] == "dpcore"}
    wanted |= {f"sample_data/{path.name}" for path in SAMPLE_DATA.iterdir() if path.is_file()}
    assert installed == wanted


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_an_installation_without_extras_runs_the_readme(tmp_path: Path) -> None:
    """Built from a copy, installed into an empty environment from the package index."""
    source, folder = tmp_path / "source", tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "__pycache__", "tests", "docs", "build")
    )
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / "bin"
    python = programs / "python"
    ran(python, "-m", "pip", "install", "--quiet", str(source), folder=folder)
    ran(python, "-I", "-c", lines(ABSENT, COUNTED), folder=folder)
    ran(python, "-I", "-c", INSTALLED, folder=folder)
    moved = subprocess.run(
        [programs / "dpcore", "reproduce"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert moved.returncode == 1
    assert "run python -m reproductions in a checkout" in moved.stderr.splitlines()[-1]
    study = ran(programs / "dpcore", "example", "--sample", "heart-risk", folder=folder)
    (folder / "study.json").write_text(study)
    ran(programs / "dpcore", "run", "study.json", "--out", "report", folder=folder)
    result = json.loads((folder / "report" / "result.json").read_text())
    assert 0.5 < result["roc"]["auc"] < 1.0


def test_who_imports_the_library_is_told_its_types() -> None:
    """Without the mark, and the mark in what is installed, mypy takes every name for anything."""
    assert (ROOT / "dpcore" / "py.typed").is_file()
    assert "py.typed" in SETUPTOOLS["package-data"]["dpcore"]
