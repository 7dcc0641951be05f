"""The records that the pages work on: a sample, or what the visitor uploaded."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.data import reading
from dpcore.data.reading.dialect import NOTHING, Dialect, Stated
from dpcore.data.reading.prediction_files import read_prediction_files
from dpcore.data.reading.prediction_scores import ScaleName
from dpcore.data.reading.problems import count_of
from dpcore.data.reading.roles.columns import PredictionRoles
from dpcore.data.reading.roles.refusals import called_like_scores
from dpcore.data.reading.suggest import leaks
from dpcore.data.reading.survey import few_of_a_class
from dpcore.errors import DataError, SchemaError
from dpcore.evaluation.decisions.groups import MOST_LEVELS, OTHER
from dpcore.schema import Ignore, Schema
from dpcore.schema.cells import level_key
from dpcore.study import Dataset
from dpcore.study.sources import open_records
from pages.session import state, visit
from pages.session.page_list import WITHOUT_RECORDS
from pages.session.study_fields import SAMPLE, UPLOAD

Records = Dataset | reading.Predictions
SCHEMAS = visit.outlives_reload("schemas")
visit.outlives_reload(UPLOAD)
Read = TypeVar("Read")
Share = Callable[[], float]
# Who waits while a file is read, and lets a click end the wait; nobody, if it is not set.
waiting: ContextVar[Callable[[Callable[[], Any], Share | None], Any] | None] = ContextVar(
    "waiting", default=None
)


def waited(read: Callable[[], Read], share: Share | None = None) -> Read:
    """What reading returns, in the presence of who waits for it and may see what share is done."""
    wait = waiting.get()
    return read() if wait is None else wait(read, share)


@dataclass(frozen=True)
class Given:
    """Predictions as a visitor gave them, and what `read_predictions` is told; None is guessed."""

    content: bytes | Path
    name: str
    scale: ScaleName | None = None
    bounds: tuple[float, float] | None = None
    roles: PredictionRoles | None = None
    positive: str | None = None
    leave_out: bool = True
    stated: Stated = NOTHING


@dataclass(frozen=True)
class GivenTable:
    """A table as a visitor gave it, and how it is to be read."""

    content: bytes | Path
    name: str
    leave_out: bool = True
    stated: Stated = NOTHING


@dataclass(frozen=True)
class GivenFiles:
    """Predictions in several files on the server, and what their scores are; None is guessed."""

    paths: tuple[Path, ...]
    name: str
    scale: ScaleName | None = None


@dataclass(frozen=True, eq=False)
class Opened:
    """Records with their name; equal to others if they hold the same, read in the same way.

    `edited` says that a link alone no longer leads to them, `suggested` that nobody has confirmed
    yet what the label is, or which class is positive.
    """

    title: str
    records: Records
    edited: bool = False
    suggested: bool = False
    given: Given | GivenFiles | GivenTable | None = None
    # The table with the rows that lack a label, where these are left out.
    whole: Dataset | None = None
    dialect: Dialect | None = None
    sheets: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Names the records together with how they are read."""
        return open_records(self.records).key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opened) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def positive(self) -> str:
        """The class that scores are about; empty if nobody said what the label is."""
        if isinstance(self.records, reading.Predictions):
            return self.records.classes[1]
        schema = self.records.schema
        return schema.label.positive if schema.has_label else ""

    @property
    def size(self) -> str:
        """How much there is, in words."""
        if isinstance(self.records, reading.Predictions):
            return count_of(self.records.y_score.size, "prediction")
        rows, columns = self.records.frame.shape
        return f"{count_of(rows, 'record')}, {count_of(columns, 'column')}"


def current() -> Opened:
    """The records that the visitor works on; the default sample if an upload is gone."""
    name = state.chosen()["data"]
    if name == UPLOAD:
        if UPLOAD in st.session_state:
            return st.session_state[UPLOAD]
        state.set_choice("data", SAMPLE)
        state.notice("A link cannot carry an upload: upload the file again on the Data page.")
        name = SAMPLE
    original = sample(name)
    edited = _edited().get(original.digest)
    dataset = original if edited is None else replace(original, schema=edited)
    return Opened(reading.samples()[name].title, dataset, edited is not None)


# Asked for several times in every move, and cheaper to find so than in Streamlit's cache.
@lru_cache(maxsize=8)
def sample(name: str) -> Dataset:
    """Read a sample; it is public, so all visitors may share it."""
    shipped = reading.samples()[name]
    return Dataset(shipped.frame(), shipped.schema(), f"sample:{name}")


def _edited() -> dict[str, Schema]:
    """Schemas that the visitor edited, by the digest of the records."""
    return st.session_state.setdefault(SCHEMAS, {})


def use_schema(schema: Schema) -> None:
    """Put a schema in place of the present one."""
    opened = current()
    if not isinstance(opened.records, Dataset):
        raise SchemaError("no table is open", remedy="upload the table before its schema")
    changed = replace(opened.records, schema=schema)
    if state.chosen()["data"] == UPLOAD:
        given = opened.given if isinstance(opened.given, GivenTable) else None
        if given is not None:
            changed = _labelled(replace(opened.whole or changed, schema=schema), given)
        st.session_state[UPLOAD] = replace(opened, records=changed, edited=True, suggested=False)
    else:
        _edited()[opened.records.digest] = schema


def restore_schema() -> None:
    """Go back to the schema that ships with the sample."""
    _edited().pop(current().records.digest, None)


def take_table(given: GivenTable) -> None:
    """Read a table as it is said to be written; raises `DataError` and keeps what was there."""
    upload, schema = waited(
        lambda: reading.read_and_suggest(given.content, name=given.name, stated=given.stated)
    )
    whole = Dataset(
        upload.frame,
        _carried(given, upload.frame) or schema,
        upload.digest if given.stated == NOTHING else f"{upload.digest}/{upload.dialect}",
        upload.problems,
        upload.taken_from_data,
    )
    told = {"given": given, "whole": whole, "dialect": upload.dialect, "sheets": upload.sheets}
    _open(given.name, _labelled(whole, given), suggested=whole.schema == schema, **told)


def _carried(given: GivenTable, frame: pd.DataFrame) -> Schema | None:
    """The schema of the same table as it was read before, if its owner has changed it.

    What has been changed stays; all else is suggested anew, for numbers may be others now.
    """
    before: Opened | None = st.session_state.get(UPLOAD)
    if before is None or before.suggested or before.whole is None:
        return None
    was, old = before.whole.frame, before.records.schema
    if before.given.content is not given.content or [*was.columns] != [*frame.columns]:
        return None
    label = old.label.name if old.has_label else None
    with suppress(DataError):
        usual, new = (reading.suggest_schema(one, label) for one in (was, frame))
        kept = {one.name: one for one in old.columns if one != usual.column(one.name)}
        # What it leaves out stays out.
        told = {one.name: kept.get(one.name) or new.column(one.name) for one in old.columns}
        marks = {one for one in new.taken_from_data if one.rpartition(".")[0] in told.keys() - kept}
        marks |= {one for one in old.taken_from_data if one.rpartition(".")[0] in kept}
        return replace(old, columns=tuple(told.values()), taken_from_data=frozenset(marks))
    return None


def _labelled(whole: Dataset, given: GivenTable) -> Dataset:
    """The table without the rows that lack a label, if they may be left out."""
    unlabelled = rows_without_label(whole)
    if not given.leave_out or not unlabelled or unlabelled == len(whole.frame):
        return whole
    kept = whole.frame[whole.frame[whole.schema.label.name].notna()].reset_index(drop=True)
    label = whole.schema.label.name
    return replace(whole, frame=kept, digest=f"{whole.digest}/with a label {label}")


def rows_without_label(dataset: Dataset) -> int:
    """How many rows have no label; none if nobody said what the label is."""
    schema = dataset.schema
    if not schema.has_label or schema.label.name not in dataset.frame:
        return 0
    return int(dataset.frame[schema.label.name].isna().sum())


def leave_out(chosen: bool) -> None:
    """Leave rows without a label out of the open table, or keep them."""
    opened = current()
    given, whole = opened.given, opened.whole
    if not isinstance(given, GivenTable) or whole is None:
        return
    given = replace(given, leave_out=chosen)
    records = _labelled(replace(whole, schema=opened.records.schema), given)
    st.session_state[UPLOAD] = replace(opened, records=records, given=given)


def take_predictions(given: Given) -> None:
    """Read uploaded predictions; raises `DataError` and keeps what was there."""
    told = dict(vars(given))
    read = waited(partial(reading.read_predictions, told.pop("content"), **told))
    _open(given.name, read, suggested=given.positive is None, given=given)


def use_positive(positive: str) -> None:
    """Let the scores of the open predictions be about this class."""
    opened = current()
    given = opened.given if isinstance(opened.given, Given) else None
    given = replace(given, positive=positive) if given else None
    every = opened.records.by_class
    by_class = dict(zip(every.classes, every.columns, strict=True)) if every else {}
    if given is not None and given.roles is not None and positive in by_class:
        # Each class has a score of its own.
        given = replace(given, roles=given.roles.showing(by_class[positive]))
    if positive not in opened.records.classes and given is not None:
        take_predictions(given)
        return
    turned = opened.records.with_positive(positive)
    told = {"records": turned, "suggested": False, "given": given or opened.given}
    st.session_state[UPLOAD] = replace(opened, **told)


def take_prediction_files(given: GivenFiles) -> None:
    """Read predictions that lie on the server; raises `DataError` and keeps what was there."""
    done, over = 0.0, False

    def progress(share: float) -> None:
        nonlocal done
        done = share
        if over:
            raise InterruptedError

    read = partial(read_prediction_files, scale=given.scale, leave_out=True, progress=progress)
    try:
        found = waited(partial(read, given.paths), lambda: done)
    finally:
        # Nobody waits any more: after the present file none is read.
        over = True
    _open(given.name, found, suggested=True, given=given)


def _open(name: str, records: Records, **told: Any) -> None:
    st.session_state[UPLOAD] = Opened(name, records, edited=True, **told)
    state.set_choice("data", UPLOAD)


def groups_of(read: reading.Predictions) -> tuple[str, ...]:
    """The groups that predictions name, the largest of them; empty without a column of groups."""
    group = read.parsed.group if read.parsed is not None else None
    return () if group is None else state.cached("groups of the file", _levels, group)


def _levels(group: np.ndarray) -> tuple[str, ...]:
    names, counts = np.unique(group.astype(str), return_counts=True)
    found: dict[object, str] = {}
    for name in names[np.argsort(-counts, kind="stable")]:
        if name and name != OTHER:
            # Two spellings of one number are one group.
            found.setdefault(level_key(str(name)), str(name))
    return tuple(sorted(list(found.values())[:MOST_LEVELS]))


def found(dataset: Dataset) -> list[reading.Problem]:
    """What is odd about the table, and where it does not fit its schema."""
    ignored = {column.name for column in dataset.schema.columns if isinstance(column, Ignore)}
    problems = dataset.problems
    odd = [_of_ignored(one) if set() < {*one.about} <= ignored else one for one in problems]
    told = {name for one in filter(None, odd) for name in one.about}
    try:
        fits = [
            one
            for one in reading.validate(dataset.frame, dataset.schema)
            # The reader has said already which columns have gaps.
            if one.severity != "note" or one.column not in told
        ]
        seen = dataset.frame, dataset.schema
        door = called_like_scores(dataset.schema)
        return [*filter(None, odd), *few_of_a_class(*seen), *leaks(*seen), *door, *fits]
    except DataError as error:
        return [reading.Problem("error", str(error))]


def ignore(columns: Sequence[str]) -> None:
    """Let the schema ignore some columns of the open table."""
    schema = current().records.schema
    changed = tuple(Ignore(one.name) if one.name in columns else one for one in schema.columns)
    taken = frozenset(
        mark for mark in schema.taken_from_data if mark.rpartition(".")[0] not in columns
    )
    use_schema(replace(schema, columns=changed, taken_from_data=taken))


def is_shown(page: str) -> bool:
    """Whether the page of that name is about the open data."""
    return page not in WITHOUT_RECORDS or state.chosen().get(f"{page}_data") == "own"


def _of_ignored(problem: reading.Problem) -> reading.Problem | None:
    """What is left to say about a column that the schema ignores: what it would have cost."""
    asked = re.fullmatch(r"(.*)leave (it|them|the columns?) out\.", problem.sentence, re.DOTALL)
    before = asked[1] if asked else ""
    # One of two remedies is carried out, and the other one is needed no more.
    if not before or before.endswith(" or "):
        return None
    if before.endswith(" and "):
        return replace(problem, sentence=f"{before.removesuffix(' and ')}.", act="")
    words = "they are" if len(problem.about) > 1 else "it is"
    return replace(problem, severity="note", sentence=f"{before}{words} ignored.", act="")
