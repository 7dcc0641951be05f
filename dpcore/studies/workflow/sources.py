"""Opening a study's data: a cheap digest at once, the records when a stage needs them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import pandas as pd

from dpcore.errors import MissingResource
from dpcore.intake import Predictions, Problem, read_dataset, read_predictions, samples
from dpcore.schema import Schema
from dpcore.studies.workflow.sections import DataSource

__all__ = ["Dataset", "Opened", "Records", "open_records", "open_source"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its schema.

    Parameters
    ----------
    frame : DataFrame of n rows
    schema : Schema
    digest : str
        Names the table: equal digests must mean equal tables. Use the SHA-256 of its file.
    problems : tuple of Problem, default empty
        What the reader noticed.
    """

    frame: pd.DataFrame
    schema: Schema
    digest: str
    problems: tuple[Problem, ...] = ()

    @cached_property
    def key(self) -> str:
        """Names the table together with its schema."""
        return f"{self.digest}/{self.schema.digest()}"


Records: TypeAlias = Dataset | Predictions


@dataclass(frozen=True, eq=False)
class Opened:
    """Records that may not have been read yet.

    Parameters
    ----------
    digest : str
        Names the records to people: the SHA-256 of their file, or the name of a sample.
    key : str
        Names them to a cache, together with how they are read.
    load : callable
        Reads them.
    """

    digest: str
    key: str
    load: Callable[[], Records]


def open_records(records: Records) -> Opened:
    """Wrap records that are already in memory, such as an upload."""
    if isinstance(records, Dataset):
        return Opened(records.digest, records.key, lambda: records)
    # The same file read with another link or another positive label gives other first records.
    first = hashlib.sha256(records.y_score[:1000].tobytes()).hexdigest()
    key = f"{records.digest}/{records.classes}/{first}"
    return Opened(records.digest, key, lambda: records)


def open_source(source: DataSource, base: Path | None = None) -> Opened:
    """Open what a study names.

    Parameters
    ----------
    source : DataSource
    base : Path, optional
        Folder that relative paths start from; the working directory if left out.

    Raises
    ------
    MissingResource
        If a file is not there.
    SchemaError
        If the schema cannot be read. Errors of the table itself come when it is loaded.
    """
    folder = base if base is not None else Path()
    if source.sample is not None:
        return _open_sample(source.sample)
    if source.predictions is not None:
        return _open_predictions(folder / source.predictions, source)
    return _open_table(folder / str(source.file), folder / str(source.schema))


def _open_sample(name: str) -> Opened:
    sample, digest = samples()[name], f"sample:{name}"
    schema = sample.schema()

    def load() -> Dataset:
        return Dataset(sample.frame(), schema, digest)

    # A shipped file does not change while the program runs.
    return Opened(digest, f"{digest}/{schema.digest()}", load)


def _open_predictions(path: Path, source: DataSource) -> Opened:
    content = _bytes_of(path)
    sha256 = _sha256(content)

    def load() -> Predictions:
        return read_predictions(content, name=path.name, link=source.link, positive=source.positive)

    return Opened(sha256, f"{sha256}/{source.link}/{source.positive}", load)


def _open_table(table: Path, description: Path) -> Opened:
    content = _bytes_of(table)
    schema = Schema.from_toml(_bytes_of(description).decode("utf-8", errors="replace"))
    sha256 = _sha256(content)

    def load() -> Dataset:
        upload = read_dataset(content, name=table.name)
        return Dataset(upload.frame, schema, sha256, upload.problems)

    return Opened(sha256, f"{sha256}/{schema.digest()}", load)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise MissingResource(
            f"{path}: {reason[0].lower()}{reason[1:]}",
            "give a path that exists, relative to the study file, or use --data and --schema",
        ) from None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
