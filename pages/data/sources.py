"""Where the records come from: a sample, a table, or predictions of a model trained elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.data.reading import Predictions, samples
from dpcore.schema import Schema
from pages.data import server_source
from pages.session import open_data, state
from pages.session.study_fields import UPLOAD
from pages.widgets import predictions_form, uploads

KINDS = ("Sample", "My table", "My predictions")
UPLOADERS = {
    "My table": "table file",
    "My predictions": predictions_form.KEY,
    server_source.KIND: server_source.KEY,
}
KIND = "source kind"


def choose() -> None:
    """Ask where the records come from, and take them."""
    kind = st.segmented_control(
        "Where do the records come from?",
        (*KINDS, server_source.KIND) if server_source.available() else KINDS,
        required=True,
        key=state.seed_control("source", _present_kind()),
        on_change=uploads.forget,
    )
    st.session_state[KIND] = kind
    uploads.read_pending()
    asks = (pick_sample, upload_table, predictions_form.ask, server_source.choose)
    dict(zip((*KINDS, server_source.KIND), asks, strict=True))[kind]()


def _present_kind() -> str:
    if kind := st.session_state.get(KIND):
        return kind
    if state.chosen()["data"] != UPLOAD:
        return KINDS[0]
    return KINDS[2] if isinstance(open_data.current().records, Predictions) else KINDS[1]


def pick_sample() -> None:
    """Ask for one of the samples."""
    known = samples()
    now = state.chosen()["data"]
    st.radio(
        "Sample",
        list(known),
        format_func=lambda name: known[name].title,
        captions=[
            sample.summary + (" Synthetic: it describes nobody." if sample.synthetic else "")
            for sample in known.values()
        ],
        key=state.seed_control("data", now if now in known else None),
        index=None,
        on_change=state.take,
        args=("data",),
    )


def upload_table() -> None:
    """Ask for a table, and for its schema if there is one."""
    uploads.ask(
        "Table: CSV, TSV or Parquet, perhaps gzip-compressed",
        key="table file",
        on_change=_receive,
        args=("table file", open_data.take_dataset),
        help="It stays in the memory of this server, for this visit only.",
    )
    uploads.ask(
        "Schema as TOML, if you have one",
        key="schema file",
        on_change=_receive,
        args=("schema file", _take_schema),
    )
    uploads.say_refused("table file", "schema file")


def _receive(key: str, take: Callable[..., None]) -> None:
    """Remember what was uploaded: it is read while the page is drawn, where it can say so."""
    if (file := uploads.taken(key)) is not None:
        name, content = file
        uploads.read_later(key, name, take, content, name)


def _take_schema(content: bytes, name: str) -> None:
    open_data.use_schema(Schema.from_toml(content.decode("utf-8", errors="replace")))


def not_shown(opened: open_data.Opened) -> str | None:
    """Why what is open is not what is asked for, in words; None if it is."""
    kind = st.session_state[KIND]
    still = f"You still work on {opened.title}: {opened.size}."
    if kind in UPLOADERS and (refusal := uploads.refused(UPLOADERS[kind])):
        if refusal.name == opened.title:
            return f"{refusal.name} cannot be read this way. {still}"
        return f"{refusal.name} was not opened. {still}"
    uploaded = state.chosen()["data"] == UPLOAD
    predictions = isinstance(opened.records, Predictions)
    if kind == KINDS[0]:
        return f"No sample is chosen yet. {still}" if uploaded else None
    if uploaded and (kind == server_source.KIND or predictions == (kind == KINDS[2])):
        return None
    return f"Nothing is opened yet. {still}"
