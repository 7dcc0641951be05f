"""Data that need no upload: samples, public sets, and what lies in a folder of the server."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from dpcore.data.reading.tables import read_dataset
from dpcore.errors import IntakeError, MissingResource, UnknownMethod
from dpcore.schema import Schema

ENVIRONMENT_NAME = "DPCORE_DATA_ROOT"

_PACKED = (".gz", ".zip", ".xlsx", ".parquet", ".pq", ".feather", ".arrow")


@dataclass(frozen=True)
class Listing:
    """What a folder holds: names of its folders and of the files that can be read, in order."""

    folders: tuple[str, ...]
    files: tuple[str, ...]


def server_folder(environ: Mapping[str, str] | None = None) -> ServerFolder | None:
    """The folder that the environment variable DPCORE_DATA_ROOT allows, or None.

    Raises
    ------
    IntakeError
        If the variable names no folder.

    Examples
    --------
    >>> server_folder({}) is None
    True
    """
    named = (os.environ if environ is None else environ).get(ENVIRONMENT_NAME, "").strip()
    if not named:
        return None
    if not Path(named).is_dir():
        what = f"{ENVIRONMENT_NAME} names no folder"
        raise IntakeError(what, remedy="ask the operator of this server")
    return ServerFolder(Path(named).resolve())


@dataclass(frozen=True)
class ServerFolder:
    """A folder whose contents visitors may open, and nothing outside it.

    Parameters
    ----------
    root
        Resolved.
    """

    root: Path

    def find(self, name: str) -> Path:
        """The file or folder of a name relative to the root, with every link followed.

        Parameters
        ----------
        name
            With forward slashes; empty for the root itself.

        Raises
        ------
        IntakeError
            If it is not there, is hidden, or lies outside the root in the end. The sentence is the
            same for all of these, so it does not tell what lies outside.
        """
        what = f"there is no {name[:100]!r} among the files of this server"
        refused = IntakeError(what, remedy="choose one of those listed")
        parts = PurePosixPath(name).parts
        if "\0" in name or "\\" in name or any(part.startswith((".", "/")) for part in parts):
            raise refused
        try:
            found = self.root.joinpath(*parts).resolve(strict=True)
        except (OSError, RuntimeError):
            raise refused from None
        if not found.is_relative_to(self.root) or not (found.is_dir() or found.is_file()):
            raise refused
        return found

    def list(self, name: str = "") -> Listing:
        """What a folder holds, hidden entries and ones that lead outside left out.

        Raises
        ------
        IntakeError
            If there is no such folder, or it cannot be read.
        """
        folder = self.find(name)
        try:
            names = sorted(entry.name for entry in folder.iterdir())[:1000]
        except OSError:
            what = f"{name or 'the folder of this server'} cannot be listed"
            remedy = "choose a folder, or ask the operator of this server"
            raise IntakeError(what, remedy=remedy) from None
        folders, files = [], []
        for entry in names:
            try:
                found = self.find(f"{name}/{entry}" if name else entry)
            except IntakeError:
                continue
            if found.is_dir():
                folders.append(entry)
            elif entry.lower().endswith((".csv", ".tsv", ".txt", ".json", ".jsonl", *_PACKED)):
                files.append(entry)
        return Listing(tuple(folders), tuple(files))


_TABLES = Path(__file__).with_name("samples.toml").read_text(encoding="utf-8")
_KNOWN: dict[str, dict[str, Any]] = tomllib.loads(_TABLES)
OPENML_NAMES = tuple(_KNOWN["openml"])


def openml_schema(name: str) -> Schema:
    """Read the public schema of one of the data sets; needs no network.

    Raises
    ------
    UnknownMethod
        If there is no data set of this name.

    Examples
    --------
    >>> openml_schema("adult").label.positive
    '>50K'
    """
    if name not in OPENML_NAMES:
        raise UnknownMethod("OpenML data set", name, OPENML_NAMES)
    file = resources.files("dpcore.data.reading").joinpath("openml_schemas", f"{name}.toml")
    return Schema.from_toml(file.read_text(encoding="utf-8"))


def fetch_openml(name: str) -> tuple[pd.DataFrame, Schema]:
    """Load a public data set and its public schema.

    It is downloaded once and then kept in scikit-learn's data folder.

    Parameters
    ----------
    name : {"adult", "bank-marketing", "mushroom"}

    Returns
    -------
    (DataFrame, Schema)
        The schema is written by hand from the documentation of the data set, not from its records.

    Raises
    ------
    UnknownMethod
        If there is no data set of this name.
    MissingResource
        If it is not on this computer and cannot be downloaded.
    """
    # Half a second of start-up, which only a download is worth.
    from sklearn.datasets import fetch_openml as sklearn_fetch_openml

    schema = openml_schema(name)
    pinned = _KNOWN["openml"][name]
    try:
        bunch = sklearn_fetch_openml(data_id=pinned["data_id"], as_frame=True, n_retries=1)
    # Network errors are OSErrors, refusals by the server scikit-learn's ValueErrors, and answers
    # that break off HTTPExceptions.
    except (OSError, ValueError, EOFError, HTTPException) as error:
        what = f"the data set {name} cannot be downloaded from OpenML ({type(error).__name__})"
        remedy = "connect to the internet and try again, or upload it as a CSV file"
        raise MissingResource(what, remedy) from error
    # Columns and values have the names that the documentation gives them.
    frame = bunch.frame.rename(columns=pinned.get("columns", {}))
    for name in [name for name in frame.columns if not is_numeric_dtype(frame[name])]:
        frame[name] = frame[name].astype("str").str.strip()
    frame = frame.replace(pinned.get("values", {}))
    schema.validate(frame)
    return frame, schema


# Beside the modules where the package is installed, at the top of a checkout (setup.py).
_PACKAGE, _CHECKOUT = Path(__file__).resolve().parents[2:4]
SAMPLE_DATA = (_PACKAGE if (_PACKAGE / "sample_data").is_dir() else _CHECKOUT) / "sample_data"

_REMEDY = "run from a full checkout of the project, or upload a file"


@dataclass(frozen=True)
class Sample:
    """A data set that ships with the project.

    Parameters
    ----------
    name : str
    title : str
    summary : str
        One or two sentences on what a row is, and what is predicted.
    synthetic : bool
        Whether its records were generated: they describe nobody.
    """

    name: str
    title: str
    summary: str
    synthetic: bool

    def frame(self) -> pd.DataFrame:
        """Load the records; raises `MissingResource` if their file is not there."""
        if self.name == "breast-cancer":
            # Half a second of start-up, for this sample alone.
            from sklearn.datasets import load_breast_cancer

            bunch = load_breast_cancer(as_frame=True)
            names = dict(enumerate(bunch.target_names.tolist()))
            measures: pd.DataFrame = bunch.data
            return measures.assign(diagnosis=bunch.target.map(names).astype("str"))
        return read_dataset(_shipped(f"{self.name}.csv.gz")).frame

    def schema(self) -> Schema:
        """Read the public schema; raises `MissingResource` if its file is not there."""
        return Schema.read(_shipped(f"{self.name}.toml"))


def _shipped(name: str) -> Path:
    path = SAMPLE_DATA / name
    if not path.is_file():
        raise MissingResource(f"the sample file {name} is not there", _REMEDY)
    return path


def samples() -> dict[str, Sample]:
    """Return the samples by name.

    Examples
    --------
    >>> sorted(samples())
    ['bank-calls', 'breast-cancer', 'heart-risk', 'messages']
    >>> samples()["bank-calls"].synthetic
    True
    """
    return {name: Sample(name, **told) for name, told in _KNOWN["sample"].items()}
