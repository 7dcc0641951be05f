"""Where the records come from: a sample, a table, or predictions of a model trained elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from dpcore.intake import Predictions, samples
from dpcore.schema import Schema
from pages.shared import records, server_source, state
from pages.shared.study_fields import UPLOAD
from pages.shared.words import name_of_file, plain

KINDS = ("Sample", "My table", "My predictions")
EXAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "bank-model-predictions.csv"
REFUSED = "refused"
KIND = "source kind"
PENDING = "upload to be read"


def choose() -> None:
    """Ask where the records come from, and take them."""
    kind = st.segmented_control(
        "Where do the records come from?",
        (*KINDS, server_source.KIND) if server_source.available() else KINDS,
        required=True,
        key=state.seed_control("source", _present_kind()),
    )
    st.session_state[KIND] = kind
    _read_pending()
    asks = (pick_sample, upload_table, upload_predictions, server_source.choose)
    dict(zip((*KINDS, server_source.KIND), asks, strict=True))[kind]()


def _present_kind() -> str:
    if kind := st.session_state.get(KIND):
        return kind
    if state.chosen()["data"] != UPLOAD:
        return KINDS[0]
    return KINDS[2] if isinstance(records.current().records, Predictions) else KINDS[1]


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
    # No uploader lists endings: Streamlit fails on any other, and the content is what counts.
    st.file_uploader(
        "Table: CSV, TSV or Parquet, perhaps gzip-compressed",
        key="table file",
        on_change=_receive,
        args=("table file", records.take_dataset),
        help="It stays in the memory of this server, for this visit only.",
    )
    st.file_uploader(
        "Schema as TOML, if you have one",
        key="schema file",
        on_change=_receive,
        args=("schema file", _take_schema),
    )
    _say_refused("table file", "schema file")


def upload_predictions() -> None:
    """Ask for labels and scores."""
    link = st.segmented_control(
        "The scores are",
        ["probability", "logit"],
        format_func={"probability": "probabilities, 0 to 1", "logit": "log-odds"}.get,
        required=True,
        default="probability",
    )
    st.file_uploader(
        "Two columns: label and score",
        key="predictions file",
        on_change=_receive,
        args=("predictions file", records.take_predictions, link),
        help="The scores of any model, trained anywhere; only the ROC page needs them.",
    )
    _say_refused("predictions file")
    if EXAMPLE.is_file():
        st.button(
            "Try an example",
            icon=":material/play_arrow:",
            on_click=lambda: records.take_predictions(
                EXAMPLE.read_bytes(), EXAMPLE.name, "probability"
            ),
            help="Made-up scores of a bank's model, which ship with the project.",
        )


def _receive(key: str, take: Callable[..., None], *more: object) -> None:
    """Remember what was uploaded: it is read while the page is drawn, where it can say so."""
    file = st.session_state[key]
    st.session_state.setdefault(REFUSED, {}).pop(key, None)
    if file is not None:
        st.session_state[PENDING] = key, take, (file.getvalue(), name_of_file(file.name), *more)


def _read_pending() -> None:
    """Read an upload, or keep the sentence that says why not; then draw the page with it."""
    if PENDING not in st.session_state:
        return
    key, take, arguments = st.session_state.pop(PENDING)
    with st.spinner(f"Reading {plain(arguments[1])}"):
        sentence = records.attempt(take, *arguments)
    if sentence:
        st.session_state[REFUSED][key] = sentence
    st.rerun()


def _take_schema(content: bytes, name: str) -> None:
    records.use_schema(Schema.from_toml(content.decode("utf-8", errors="replace")))


def _say_refused(*keys: str) -> None:
    for key in keys:
        if sentence := st.session_state.get(REFUSED, {}).get(key):
            st.error(plain(sentence), icon=":material/error:")
