"""The item counts of the sparse vector laboratory: an example, Zipf's law, or the visitor's."""

from __future__ import annotations

import streamlit as st

from dpcore.curves.selection.score_errors import ItemCounts, example, read_item_counts, zipf
from dpcore.errors import DpcoreError
from pages.session import state
from pages.session.text import plain
from pages.sparse_vector_lab.choices import COUNTS, PREFIX, SOURCES, LabChoice
from pages.widgets import score_pages, uploads

UPLOADED = "uploaded item counts"
REFUSED = "refused item counts"
WORDS = {"example": "Twenty items", "zipf": "Zipf's law", "upload": "My counts"}


def pick(choice: LabChoice) -> None:
    """Choose the counts, and upload some."""
    # Twenty items are too few for curves over c.
    name = "counts" if choice.view == "errors" else "source"
    now = getattr(choice, name)
    score_pages.segments(
        "Scores",
        PREFIX + name,
        {key: WORDS[key] for key in (COUNTS if choice.view == "errors" else SOURCES)},
        "How often each item occurs. Zipf's law: 10,000 items, the n-th n times rarer than the "
        "first. Or a table of yours, one item a row, with a column called count.",
    )
    if now != "upload":
        return
    uploads.ask(
        "Table of counts: CSV, TSV or Parquet",
        key="item counts file",
        on_change=_take,
        help="It stays in the memory of this server, for this visit only.",
    )
    if sentence := st.session_state.get(REFUSED):
        st.error(plain(sentence), icon=":material/error:")
    elif UPLOADED not in st.session_state:
        st.caption("Until a file is here, the figures show Zipf's law.")


def _take() -> None:
    if st.session_state["item counts file"] is None:
        st.session_state.pop(REFUSED, None)
    file = uploads.taken("item counts file")
    if file is None:
        return
    st.session_state.pop(REFUSED, None)
    name, content = file
    try:
        st.session_state[UPLOADED] = read_item_counts(content, name)
    except DpcoreError as error:
        st.session_state[REFUSED] = str(error)


def counts(choice: LabChoice) -> ItemCounts:
    """The chosen counts; Zipf's law in place of an upload that is not here."""
    source = choice.counts if choice.view == "errors" else choice.source
    if source == "example":
        return example()
    if source == "upload" and UPLOADED in st.session_state:
        uploaded: ItemCounts = st.session_state[UPLOADED]
        return uploaded
    return zipf()


def seed() -> int:
    """Of all noise on this page: the study's seed, moved on by every redraw here."""
    return int(state.chosen()["seed"]) + int(state.chosen()[f"{PREFIX}redraw"])
