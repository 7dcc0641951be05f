"""The records that the pages work on: a sample, or what the visitor uploaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import streamlit as st

from dpcore.errors import DataError, DpcoreError
from dpcore.intake import (
    Predictions,
    Problem,
    read_dataset,
    read_predictions,
    samples,
    suggest_schema,
    validate,
)
from dpcore.intake.prediction_files import read_prediction_files
from dpcore.schema import Schema
from dpcore.studies.workflow import Dataset
from pages.shared import state
from pages.shared.study_fields import UPLOAD

Records = Dataset | Predictions


@dataclass(frozen=True)
class Opened:
    """Records with their name; `edited` says that a link alone no longer leads to them."""

    title: str
    records: Records
    edited: bool = False

    @property
    def key(self) -> str:
        """Names the records together with their schema."""
        return self.records.key if isinstance(self.records, Dataset) else self.records.digest

    @property
    def size(self) -> str:
        """How much there is, in words."""
        if isinstance(self.records, Predictions):
            return f"{self.records.y_score.size:,} predictions"
        rows, columns = self.records.frame.shape
        return f"{rows:,} records, {columns} columns"


def current() -> Opened:
    """The records that the visitor works on; the default sample if an upload is gone."""
    name = state.chosen()["data"]
    if name == UPLOAD:
        if UPLOAD in st.session_state:
            uploaded: Opened = st.session_state[UPLOAD]
            return uploaded
        state.put("data", "breast-cancer")
        state.notice("A link cannot carry an upload: upload the file again on the Data page.")
        name = "breast-cancer"
    original = _sample(name)
    edited = _edited().get(original.digest)
    dataset = original if edited is None else replace(original, schema=edited)
    return Opened(samples()[name].title, dataset, edited is not None)


@st.cache_resource(show_spinner="Reading the sample", max_entries=8)
def _sample(name: str) -> Dataset:
    """Read a sample; it is public, so all visitors may share it."""
    sample = samples()[name]
    return Dataset(sample.frame(), sample.schema(), f"sample:{name}")


def _edited() -> dict[str, Schema]:
    """Schemas that the visitor edited, by the digest of the records."""
    found: dict[str, Schema] = st.session_state.setdefault("schemas", {})
    return found


def use_schema(schema: Schema) -> None:
    """Put a schema in place of the present one."""
    opened = current()
    assert isinstance(opened.records, Dataset)
    changed = replace(opened.records, schema=schema)
    if state.chosen()["data"] == UPLOAD:
        st.session_state[UPLOAD] = replace(opened, records=changed, edited=True)
    else:
        _edited()[opened.records.digest] = schema


def restore_schema() -> None:
    """Go back to the schema that ships with the sample."""
    records = current().records
    assert isinstance(records, Dataset)
    _edited().pop(records.digest, None)


def take_dataset(content: bytes | Path, name: str) -> None:
    """Read an uploaded table, or one on the server; raises `DataError` and keeps what was there."""
    upload = read_dataset(content, name=name)
    dataset = Dataset(upload.frame, suggest_schema(upload.frame), upload.digest, upload.problems)
    _open(name, dataset)


def take_predictions(content: bytes, name: str, link: str) -> None:
    """Read uploaded predictions; raises `DataError` and keeps what was there."""
    _open(
        name,
        read_predictions(content, name=name, link="logit" if link == "logit" else "probability"),
    )


def take_prediction_files(
    paths: Sequence[Path], name: str, link: str, progress: Callable[[float], None]
) -> None:
    """Read predictions that lie on the server; raises `DataError` and keeps what was there."""
    kind: Literal["logit", "probability"] = "logit" if link == "logit" else "probability"
    _open(name, read_prediction_files(paths, link=kind, progress=progress))


def _open(name: str, records: Records) -> None:
    st.session_state[UPLOAD] = Opened(name, records, edited=True)
    state.put("data", UPLOAD)


def attempt(action: Callable[..., None], *arguments: object) -> str | None:
    """Do something with what a visitor gave; return the sentence if it cannot be done."""
    try:
        action(*arguments)
    except DpcoreError as error:
        return str(error)
    return None


def found(dataset: Dataset) -> list[Problem]:
    """What is odd about the table, and where it does not fit its schema."""
    try:
        return [*dataset.problems, *validate(dataset.frame, dataset.schema)]
    except DataError as error:
        return [Problem("error", str(error))]
