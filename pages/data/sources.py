"""Where the records come from: a sample, a table, or predictions of a model trained elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from dpcore.data.reading import Predictions, samples
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.prediction_scores import SCALES, ScaleName
from dpcore.data.reading.problems import Problem, count_of, listed
from dpcore.data.reading.samples import ServerFolder, server_folder
from dpcore.errors import DpcoreError, IntakeError
from dpcore.schema import Schema
from dpcore.schema.schema import label_codes
from dpcore.study import Dataset
from pages.data import schema_editor
from pages.session import open_data, state
from pages.session.study_fields import UPLOAD
from pages.session.text import plain
from pages.widgets import predictions_form, reading_form, uploads

SERVER_KIND = "Server"
FOLDER = "server folder"
WANTED = "server file to be read"
KEY = "server file"
PREDICTIONS, TABLE = "predictions", "a table"
UP, WHOLE = "..", "all files of this folder"


def available() -> bool:
    """Whether the operator allowed a folder; a wrong name is told where the files would be."""
    try:
        return server_folder() is not None
    except IntakeError:
        return True


def choose_on_server() -> None:
    """Ask for a file or a folder, and read it."""
    try:
        folder = server_folder()
        assert folder is not None
        _read_wanted(folder)
        _pick(folder)
    except IntakeError as error:
        st.session_state[FOLDER] = ""
        st.error(plain(str(error)), icon=":material/error:")
    uploads.say_refused(KEY)


def _pick(folder: ServerFolder) -> None:
    here = st.session_state.setdefault(FOLDER, "")
    listing = folder.list(here)
    st.caption(f"Folder: {plain(here) or 'the one that this server shares'}")
    inner = [*([UP] if here else []), *listing.folders]
    if inner:
        st.selectbox(
            "Go to another folder",
            inner,
            index=None,
            key=f"server inner folder {here}",
            placeholder="Choose a folder",
            on_change=_enter,
            args=(here,),
        )
    if not listing.files:
        st.info("This folder holds no tables.")
        return
    kind = st.segmented_control(
        "The file holds",
        [PREDICTIONS, TABLE],
        default=PREDICTIONS,
        required=True,
        key="server kind",
        help="Predictions have a label and a score in every row.",
    )
    scale = None
    if kind == PREDICTIONS:
        scale = st.segmented_control(
            "The scores are",
            SCALES,
            format_func=predictions_form.WORDS.get,
            wrap=True,
            help=f"{predictions_form.MEANING} Guessed if none is chosen.",
            key="server scale",
        )
    whole = [WHOLE] if kind == PREDICTIONS and len(listing.files) > 1 else []
    chosen = st.selectbox("File", [*whole, *listing.files], key=f"server file {kind} {here}")
    st.button(
        "Open",
        icon=":material/folder_open:",
        on_click=_want,
        args=(here, chosen, kind, scale),
        help="Read by the server; nothing is uploaded.",
    )


def _enter(here: str) -> None:
    inner = st.session_state[f"server inner folder {here}"]
    if inner == UP:
        st.session_state[FOLDER] = here.rpartition("/")[0]
    elif inner:
        st.session_state[FOLDER] = f"{here}/{inner}" if here else inner


def _want(here: str, chosen: str, kind: str, scale: ScaleName | None) -> None:
    uploads.forget(KEY)
    st.session_state[WANTED] = here, chosen, kind, scale


def _read_wanted(folder: ServerFolder) -> None:
    """Read what was chosen. Any click meanwhile ends the reading, and what was there stays."""
    if WANTED not in st.session_state:
        return
    here, chosen, kind, scale = st.session_state.pop(WANTED)
    names = folder.list(here).files if chosen == WHOLE else (chosen,)
    paths = [folder.find(f"{here}/{name}" if here else name) for name in names]
    title = (here or "server folder") if chosen == WHOLE else chosen
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text=f"Reading {title}")
        st.button("Cancel", icon=":material/close:", help="What was open before stays open.")
    try:
        _open(paths, title, kind, scale, lambda share: _show(bar, share, title))
    except DpcoreError as error:
        uploads.refuse(KEY, uploads.Refusal.of(title, error))
    place.empty()
    st.rerun()


def _show(bar: object, share: float, title: str) -> None:
    bar.progress(share, text=f"Reading {title}")  # type: ignore[attr-defined]


def _open(
    paths: list[Path],
    title: str,
    kind: str,
    scale: ScaleName | None,
    progress: Callable[[float], None],
) -> None:
    if kind == TABLE:
        open_data.take_dataset(paths[0], title)
    else:
        open_data.take_prediction_files(paths, title, scale, progress)


KINDS = ("Sample", "My table", "My predictions")
UPLOADERS = {
    "My table": "table file",
    "My predictions": predictions_form.KEY,
    SERVER_KIND: KEY,
}
KIND = "source kind"


def choose() -> None:
    """Ask where the records come from, and take them."""
    kind = st.segmented_control(
        "Where do the records come from?",
        (*KINDS, SERVER_KIND) if available() else KINDS,
        required=True,
        **state.seeded("source", _present_kind(), told_as="default"),
        on_change=uploads.forget,
    )
    st.session_state[KIND] = kind
    uploads.read_pending()
    asks = (pick_sample, upload_table, predictions_form.ask, choose_on_server)
    dict(zip((*KINDS, SERVER_KIND), asks, strict=True))[kind]()


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
        **state.seeded("data", now if now in known else None, list(known)),
        on_change=state.choice_from_widget,
        args=("data",),
    )


def upload_table() -> None:
    """Ask for a table, and for its schema if there is one."""
    uploads.ask(
        "Table: CSV and its relatives, Parquet, Excel or JSON lines",
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
    refusal = uploads.refused("table file")
    if refusal and isinstance(refusal.given, bytes):
        given = open_data.GivenTable(refusal.given, refusal.name)
        reading_form.ask_again(given.stated, refusal.found, partial(_read_stated, given))


def say_how(opened: open_data.Opened) -> bool:
    """Say how a table was read, each part to be pressed; false if it came in no file."""
    given, records = opened.given, opened.records
    if not isinstance(given, open_data.GivenTable) or opened.dialect is None:
        return False
    whole = opened.whole or records
    assert isinstance(whole, Dataset)
    assert isinstance(records, Dataset)
    rows, schema = len(whole.frame), records.schema
    missing = open_data.rows_without_label(replace(whole, schema=schema))
    about = "no label is chosen yet"
    if schema.has_label and schema.label.name in records.frame:
        name, positive = schema.label.name, schema.label.positive
        codes = label_codes(records.frame[name], schema.label)
        found = int((codes == schema.label.positive_index).sum())
        about = f"label {name} ({positive} = positive, {count_of(found, 'record')})"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Read as:")
        reading_form.ask_of_rows(rows, missing, partial(_ask_to_leave_out, given, schema))
        reading_form.ask(given.stated, opened.dialect, partial(_read_stated, given), opened.sheets)
        with reading_form.part(about, "label"):
            schema_editor.choose_label(records)
    return True


def _ask_to_leave_out(given: open_data.GivenTable, schema: Schema, missing: int, rows: int) -> None:
    key = f"leave out rows {schema.digest()}"
    st.toggle(
        f"Leave out {missing:,} of {rows:,} rows",
        **state.seeded(key, given.leave_out),
        on_change=lambda: open_data.leave_out(st.session_state[state.control(key)]),
        help="Those without a label. A private release cannot train on them either: they are "
        "left out row by row, and how many there are is not told.",
    )


def offer_acts(opened: open_data.Opened, remarks: Sequence[Problem]) -> None:
    """A button for each remark that one press can settle."""
    given = opened.given
    acts = [one for one in remarks if one.act == "ignore"]
    if isinstance(given, open_data.GivenTable):
        acts += [one for one in remarks if one.act == "missing"]
    if not acts:
        return
    with st.container(horizontal=True):
        for at, one in enumerate(acts):
            if one.act == "ignore":
                st.button(
                    plain(f"Leave out {listed(one.about, 2)}"),
                    key=f"act {at}",
                    on_click=open_data.ignore,
                    args=(one.about,),
                )
            elif isinstance(given, open_data.GivenTable):
                marks = (*given.stated.missing, one.mark)
                st.button(
                    f"Treat {one.mark} as missing",
                    key=f"act {at}",
                    on_click=_read_stated,
                    args=(given, replace(given.stated, missing=marks)),
                )


def _read_stated(given: open_data.GivenTable, stated: Stated) -> None:
    """Read the table again as it is said to be written; its schema is suggested anew."""
    for name in reading_form.CONTROLS:
        st.session_state.pop(state.control(name), None)
    changed = replace(given, stated=stated)
    uploads.read_later("table file", given.name, open_data.take_table, changed)


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
    if uploaded and (kind == SERVER_KIND or predictions == (kind == KINDS[2])):
        return None
    return f"Nothing is opened yet. {still}"
