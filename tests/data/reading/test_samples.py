"""Samples load, and fit the schemas that ship with them."""

from __future__ import annotations

from http.client import IncompleteRead
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pandas as pd
import pytest
from sklearn.datasets import get_data_home
from sklearn.utils import Bunch

from dpcore.data.reading import (
    OPENML_NAMES,
    fetch_openml,
    openml_schema,
    read_dataset,
    samples,
    validate,
)
from dpcore.data.reading import samples as samples_function
from dpcore.data.reading.samples import ENVIRONMENT_NAME, ServerFolder, server_folder
from dpcore.errors import IntakeError, MissingResource, UnknownMethod
from dpcore.schema import Schema, encode
from tests._real_data import real_data


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    (root / "june" / "parts").mkdir(parents=True)
    (root / "june" / "a.parquet").write_bytes(b"x")
    (root / "june" / "B.XLSX").write_bytes(b"x")
    (root / "june" / "c.jsonl").write_bytes(b"x")
    (root / "june" / "d.exe").write_bytes(b"x")
    (root / "b.csv").write_text("y,p\n")
    (root / "notes.pdf").write_text("")
    (root / ".secret.csv").write_text("")
    (tmp_path / "outside.csv").write_text("y,p\n")
    (root / "inner.csv").symlink_to(root / "b.csv")
    (root / "leak.csv").symlink_to(tmp_path / "outside.csv")
    (root / "up").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    (root.parent / "data-too").mkdir()
    (root.parent / "data-too" / "c.csv").write_text("")
    return root


def test_what_is_listed(root: Path) -> None:
    folder = server_folder({ENVIRONMENT_NAME: str(root)})
    assert folder is not None
    listing = folder.list()
    assert listing.folders == ("june",)
    assert listing.files == ("b.csv", "inner.csv")
    assert folder.list("june").files == ("B.XLSX", "a.parquet", "c.jsonl")
    assert folder.find("june/a.parquet") == (root / "june" / "a.parquet").resolve()


@pytest.mark.parametrize(
    "name",
    [
        "../outside.csv",
        "june/../../outside.csv",
        "/etc/passwd",
        "leak.csv",
        "up/outside.csv",
        "up",
        "../data-too/c.csv",
        ".secret.csv",
        "june/./a.parquet/..",
        "b.csv\0",
        "..\\outside.csv",
        "loop",
        "absent.csv",
        "~",
    ],
)
def test_nothing_else_can_be_opened(root: Path, name: str) -> None:
    with pytest.raises(IntakeError, match="among the files of this server") as caught:
        ServerFolder(root.resolve()).find(name)
    assert str(root) not in str(caught.value)


def test_a_root_that_is_a_link_is_followed_once(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    folder = server_folder({ENVIRONMENT_NAME: str(tmp_path / "link")})
    assert folder is not None
    assert folder.find("b.csv") == (root / "b.csv").resolve()


def test_a_file_is_no_folder(root: Path) -> None:
    with pytest.raises(IntakeError, match=r"b\.csv cannot be listed"):
        ServerFolder(root.resolve()).list("b.csv")


def test_without_the_variable_there_is_nothing_and_a_wrong_one_says_so() -> None:
    assert server_folder({}) is None
    assert server_folder({ENVIRONMENT_NAME: " "}) is None
    with pytest.raises(IntakeError, match="names no folder"):
        server_folder({ENVIRONMENT_NAME: "/no/such/folder"})


MODULE = "sklearn.datasets.fetch_openml"

REAL = {
    "adult": "adult.csv.gz",
    "bank-marketing": "bank-full.csv.gz",
    "mushroom": "mushroom.csv.gz",
}


def as_openml_serves(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Undo the names of the documentation, as the OpenML versions do."""
    if name == "adult":
        frame = frame.drop(columns="split").rename(columns={"income": "class"})
    elif name == "bank-marketing":
        frame = frame.assign(y=frame["y"].map({"no": "1", "yes": "2"}))
        frame.columns = pd.Index([*(f"V{place}" for place in range(1, 17)), "Class"])
    else:
        frame = frame.rename(columns={"bruises": "bruises%3F"})
    texts = [column for column in frame.columns if frame[column].dtype == "str"]
    return frame.astype(dict.fromkeys(texts, "category"))


@pytest.mark.parametrize("name", OPENML_NAMES)
def test_the_public_schema_fits_the_real_data(name: str) -> None:
    schema = openml_schema(name)
    assert schema.taken_from_data == frozenset()
    problems = validate(read_dataset(real_data(REAL[name])).frame, schema)
    assert not [problem for problem in problems if problem.severity == "error"]
    assert not [problem for problem in problems if "outside the levels" in problem.sentence]
    clipped = [problem for problem in problems if "clipped" in problem.sentence]
    assert {problem.column for problem in clipped} <= {
        *("capital-gain", "capital-loss", "balance", "duration", "campaign", "pdays", "previous")
    }


@pytest.mark.parametrize("name", OPENML_NAMES)
def test_what_is_fetched_has_documented_names(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    documented = read_dataset(real_data(REAL[name])).frame
    served = as_openml_serves(name, documented)
    asked: list[dict[str, Any]] = []

    def serve(**options: Any) -> Bunch:
        asked.append(options)
        return Bunch(frame=served)

    monkeypatch.setattr(MODULE, serve)
    frame, schema = fetch_openml(name)
    pd.testing.assert_frame_equal(frame, documented.drop(columns="split", errors="ignore"))
    assert isinstance(schema, Schema)
    assert asked[0]["data_id"] == {"adult": 1590, "bank-marketing": 1461, "mushroom": 24}[name]


@pytest.mark.parametrize(
    "error", [URLError("no route"), TimeoutError(), IncompleteRead(b""), ValueError("refused")]
)
def test_without_a_network_there_is_one_sentence(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise error

    monkeypatch.setattr(MODULE, fail)
    with pytest.raises(
        MissingResource,
        match=r"^the data set adult cannot be downloaded from OpenML \(\w+\); connect to the "
        r"internet and try again, or upload it as a CSV file$",
    ):
        fetch_openml("adult")


@pytest.mark.filterwarnings("ignore:A network error occurred")
def test_scikit_learn_fails_in_the_way_that_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The real function, with an empty cache and every connection refused.
    def refuse(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    assert get_data_home() == str(tmp_path)
    monkeypatch.setattr("socket.create_connection", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    monkeypatch.setattr("time.sleep", lambda _: None)
    with pytest.raises(MissingResource, match="cannot be downloaded"):
        fetch_openml("mushroom")


def test_an_unknown_name_is_explained() -> None:
    with pytest.raises(UnknownMethod, match="^there is no OpenML data set named 'adults'; did you"):
        fetch_openml("adults")


@pytest.mark.parametrize("name", samples())
def test_a_sample_fits_its_schema(name: str) -> None:
    sample = samples()[name]
    frame, schema = sample.frame(), sample.schema()
    schema.validate(frame)
    assert not [problem for problem in validate(frame, schema) if problem.severity == "error"]
    assert schema.taken_from_data == frozenset()
    assert [column.name for column in schema.columns] == list(frame.columns)
    design = encode(frame, schema)
    assert design.y is not None
    assert 0.05 < (design.y == schema.label.positive_index).mean() < 0.5


def test_what_the_samples_are_for() -> None:
    sizes = {name: len(sample.frame()) for name, sample in samples().items()}
    assert sizes["breast-cancer"] == 569
    assert sizes["bank-calls"] == 40_000
    assert 4000 < sizes["heart-risk"] < 4500
    assert samples()["heart-risk"].frame().isna().any(axis=None)
    assert [name for name, sample in samples().items() if not sample.synthetic] == ["breast-cancer"]


def test_the_diagnosis_is_in_words() -> None:
    diagnosis = samples()["breast-cancer"].frame()["diagnosis"]
    assert diagnosis.value_counts().to_dict() == {"benign": 357, "malignant": 212}


def test_a_sample_that_is_not_there_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = __import__(samples_function.__module__, fromlist=["SAMPLE_DATA"])
    monkeypatch.setattr(module, "SAMPLE_DATA", tmp_path)
    with pytest.raises(
        MissingResource, match=r"^the sample file messages.csv.gz is not there; run"
    ):
        samples()["messages"].frame()
    with pytest.raises(MissingResource, match=r"^the sample file breast-cancer.toml is not there"):
        samples()["breast-cancer"].schema()
