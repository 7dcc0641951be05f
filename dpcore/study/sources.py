"""Opening a study's data: a cheap digest at once, the records when a stage needs them."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TypeAlias

import pandas as pd

from dpcore import _check
from dpcore.data import reading
from dpcore.data.reading import Predictions, Problem, Upload
from dpcore.errors import IntakeError, InvalidArgument, MissingResource
from dpcore.schema import Ignore, Schema
from dpcore.study.data_source import DataSource


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
    taken_from_data : frozenset of str, default empty
        What the reader guessed from the rows (`Upload.taken_from_data`); real noise refuses it.
    """

    frame: pd.DataFrame
    schema: Schema
    digest: str
    problems: tuple[Problem, ...] = ()
    taken_from_data: frozenset[str] = frozenset()

    @cached_property
    def key(self) -> str:
        """Names the table together with its schema."""
        return f"{self.digest}/{self.schema.digest()}"


StudyData: TypeAlias = Dataset | Predictions


@dataclass(frozen=True, eq=False)
class OpenData:
    """Records that may not have been read yet.

    Parameters
    ----------
    digest
        Names the records to people: the SHA-256 of their file, or the name of a sample.
    key
        Names them to a cache, together with how they are read.
    load
        Reads them.
    """

    digest: str
    key: str
    load: Callable[[], StudyData]


def open_records(records: StudyData) -> OpenData:
    """Wrap records that are already in memory, such as an upload."""
    if isinstance(records, Dataset):
        return OpenData(records.digest, records.key, lambda: records)
    if not isinstance(records, Predictions):
        # Which may be records, so its kind is all that is told.
        raise InvalidArgument("data", type(records).__name__, "a Dataset or Predictions")
    # One file can be read with another link, another positive label, or without some rows.
    first = hashlib.sha256(records.y_score[:1000].tobytes()).hexdigest()
    how = f"{records.classes}/{records.scale}/{records.columns}/{records.left_out}"
    return OpenData(records.digest, f"{records.digest}/{how}/{first}", lambda: records)


def open_source(source: DataSource, base: Path | None = None) -> OpenData:
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
    _check.of_kind(DataSource, "DataSource(sample='heart-risk')", source=source)
    folder = base if base is not None else Path()
    if source.sample is not None:
        schema = None if source.schema is None else _schema(folder / source.schema)
        return _open_sample(source.sample, schema)
    if source.predictions is not None:
        return _open_predictions(folder / source.predictions, source)
    return _open_table(source, folder)


def _open_sample(name: str, declared: Schema | None) -> OpenData:
    sample, digest = reading.samples()[name], f"sample:{name}"
    schema = sample.schema() if declared is None else declared

    def load() -> Dataset:
        return Dataset(sample.frame(), schema, digest)

    # A shipped file does not change while the program runs.
    return OpenData(digest, f"{digest}/{schema.digest()}", load)


def _open_predictions(path: Path, source: DataSource) -> OpenData:
    content = _bytes_of(path)
    sha256 = _sha256(content)
    columns = (source.label, source.score, *source.for_decisions.values())
    facts = f"{source.score_scale}/{columns}/{source.positive}/{source.negative}{_stated(source)}"
    read = partial(reading.read_predictions, content, name=path.name, **source.for_predictions)

    def load() -> Predictions:
        if source.positive is None:
            return read()
        try:
            return read(dialect=source.dialect, **source.for_decisions)
        except IntakeError as error:
            if not source.states_dialect:
                return read()
            # Older studies declare no titles; if it is not those, it was this error.
            with suppress(IntakeError):
                return read(stated=source.stated)
            raise error

    return OpenData(sha256, f"{sha256}/{facts}", load)


def _open_table(source: DataSource, folder: Path) -> OpenData:
    path = folder / str(source.file)
    content = _bytes_of(path)
    schema = _schema(folder / str(source.schema))
    sha256 = _sha256(content)

    def load() -> Dataset:
        upload = _read_table(content, path.name, schema, source)
        return Dataset(upload.frame, schema, sha256, upload.problems, upload.taken_from_data)

    return OpenData(sha256, f"{sha256}/{schema.digest()}{_stated(source)}", load)


def _schema(path: Path) -> Schema:
    return Schema.from_toml(_bytes_of(path).decode("utf-8", errors="replace"))


def _read_table(content: bytes, name: str, schema: Schema, source: DataSource) -> Upload:
    """Read a table as its owner states; or as usual if it looks so, and else by guessing.

    Whether it looks so is a matter of its header, not of any row.
    """
    try:
        upload = reading.read_dataset(content, name=name, schema=schema, dialect=source.dialect)
    except IntakeError:
        if source.states_dialect:
            raise
        return reading.read_dataset(content, name=name)
    needed = {column.name for column in schema.columns if not isinstance(column, Ignore)}
    if needed <= set(upload.frame.columns):
        return upload
    if not source.states_dialect:
        return reading.read_dataset(content, name=name)
    # Older studies declare no titles.
    with suppress(IntakeError):
        guessed = reading.read_dataset(content, name=name, stated=source.stated)
        upload = guessed if needed <= set(guessed.frame.columns) else upload
    return upload


def _stated(source: DataSource) -> str:
    return f"/{source.dialect!r}" if source.states_dialect else ""


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        remedy = "give a path that exists, relative to the study file, or use --data and --schema"
        raise MissingResource(f"{path}: {reason[0].lower()}{reason[1:]}", remedy) from None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
