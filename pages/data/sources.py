"""Where the records come from: a sample, a table, or predictions of a model trained elsewhere."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dpcore.data.reading import Predictions, samples
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.prediction_scores import SCALES, ScaleName
from dpcore.data.reading.problems import Problem, count_of, listed
from dpcore.data.reading.samples import ServerFolder, server_folder
from dpcore.errors import DpcoreError, IntakeError
from dpcore.schema import Schema
from dpcore.schema.schema import label_codes
from pages.data import schema_editor
from pages.session import open_data, state
from pages.session.study_fields import UPLOAD
from pages.session.text import plain, quoted, stated
from pages.widgets import forms, predictions_form, reading_form, uploads

KINDS = ("Sample", "My table", "My predictions")
# Files that lie on the server, below the folder that its operator allowed.
SERVER, SERVER_FILE, SERVER_FOLDER = "Server", "server file", "server folder"
PREDICTIONS, TABLE = "predictions", "a table"
UP, WHOLE = "..", "all files of this folder"
UPLOADERS = {
    "My table": ("table file",),
    "My predictions": (predictions_form.KEY,),
    SERVER: (SERVER_FILE, predictions_form.KEY, "table file"),
}
KIND = "source kind"


def choose() -> None:
    """Ask where the records come from, and take them."""
    key = state.seed_control("source", _present_kind())
    told = {"key": key, "default": st.session_state[key], **forms.told("source")}
    kinds = (*KINDS, SERVER) if _server_allows() else KINDS
    kind = st.segmented_control(options=kinds, on_change=uploads.forget, **told)
    st.session_state[KIND] = kind
    uploads.read_pending()
    asks = (pick_sample, upload_table, predictions_form.ask, pick_server_file)
    dict(zip((*KINDS, SERVER), asks, strict=True))[kind]()


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
    titles = {name: one.title for name, one in known.items()}
    made_up = " Synthetic: it describes nobody."
    captions = [one.summary + made_up * one.synthetic for one in known.values()]
    tie = forms.tied("data", now if now in known else None, list(known))
    st.radio(options=list(known), format_func=titles.get, captions=captions, **tie)


def upload_table() -> None:
    """Ask for a table, and for its schema if there is one."""
    for key in ("table file", "schema file"):
        uploads.ask(on_change=_receive, args=(key,), **forms.keyed(key))
    uploads.say_refused("table file", "schema file")
    refusal = uploads.refused("table file")
    if refusal and isinstance(given := refusal.given, open_data.GivenTable):
        reading_form.ask_again(given, refusal.found, partial(_read_stated, given))


def say_how(opened: open_data.Opened) -> bool:
    """Say how a table was read, each part to be pressed; false if it came in no file."""
    given, records = opened.given, opened.records
    if not isinstance(given, open_data.GivenTable) or opened.dialect is None:
        return False
    whole = opened.whole or records
    rows, schema = len(whole.frame), records.schema
    missing = open_data.rows_without_label(replace(whole, schema=schema))
    about = "no label is chosen yet"
    if schema.has_label and schema.label.name in records.frame:
        name, positive = schema.label.name, schema.label.positive
        codes = label_codes(records.frame[name], schema.label)
        found = int((codes == schema.label.positive_index).sum())
        about = f"label {name} ({positive} = positive, {count_of(found, 'record')})"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown("Read as:")
        reading_form.ask_of_rows(rows, missing, partial(_ask_to_leave_out, given, schema))
        reading_form.ask(given.stated, opened.dialect, partial(_read_stated, given), opened.sheets)
        with reading_form.part(about, "label"):
            schema_editor.choose_label(records)
    return True


def _ask_to_leave_out(given: open_data.GivenTable, schema: Schema, missing: int, rows: int) -> None:
    key = f"leave out rows {schema.digest()}"
    told = forms.told("leave out rows", f"Leave out {missing:,} of {rows:,} rows")
    told |= state.seeded(key, given.leave_out)
    told["on_change"] = lambda: open_data.leave_out(st.session_state[state.control(key)])
    st.toggle(**told)


def offer_acts(opened: open_data.Opened, remarks: Sequence[Problem]) -> None:
    """A button for each remark that one press can settle."""
    given = opened.given
    ways = ("ignore", "missing") if isinstance(given, open_data.GivenTable) else ("ignore",)
    acts = [one for way in ways for one in remarks if one.act == way]
    if not acts:
        return
    with st.container(horizontal=True):
        for at, one in enumerate(acts):
            if one.act == "ignore":
                label = plain(quoted(f"Leave out {listed(one.about, 2)}"))
                forms.button(label, "", open_data.ignore, one.about, key=f"act {at}")
            else:
                marks = (*given.stated.missing, one.mark)
                label, stated = f"Treat {one.mark} as missing", replace(given.stated, missing=marks)
                forms.button(label, "", _read_stated, given, stated, key=f"act {at}")


def _read_stated(given: open_data.GivenTable, stated: Stated) -> None:
    """Read the table again as it is said to be written; its schema is suggested anew."""
    for name in reading_form.CONTROLS:
        st.session_state.pop(state.control(name), None)
    changed = replace(given, stated=stated)
    uploads.read_later("table file", given.name, open_data.take_table, changed)


def _receive(key: str) -> None:
    """Remember what was uploaded: it is read while the page is drawn, where it can say so."""
    if (file := uploads.taken(key)) is not None:
        name, content = file
        of_table = open_data.take_table, open_data.GivenTable(content, name)
        about = of_table if key == "table file" else (_use_schema, content)
        uploads.read_later(key, name, *about)


def _use_schema(content: bytes) -> None:
    open_data.use_schema(Schema.from_toml(content.decode("utf-8", errors="replace")))


def _server_allows() -> bool:
    """Whether the operator allowed a folder; a wrong name is told where the files would be."""
    try:
        return server_folder() is not None
    except IntakeError:
        return True


def pick_server_file() -> None:
    """Ask for a file or a folder that lies on the server, and read it."""
    try:
        _pick_within(server_folder())
    except IntakeError as error:
        st.session_state[SERVER_FOLDER] = ""
        st.error(plain(stated(error)), icon=":material/error:")
    uploads.say_refused(SERVER_FILE, "table file")
    predictions_form.say_refused()


def _pick_within(folder: ServerFolder) -> None:
    here = st.session_state.setdefault(SERVER_FOLDER, "")
    listing = folder.list(here)
    st.caption(f"Folder: {plain(here) or 'the one that this server shares'}")
    inner = [*([UP] if here else []), *listing.folders]
    if inner:
        told = {"key": f"server inner folder {here}", **forms.told("server folder")}
        st.selectbox(options=inner, index=None, on_change=_enter_folder, args=(here,), **told)
    if not listing.files:
        st.info("This folder holds no tables.")
        return
    told, scale = {"default": PREDICTIONS, **forms.keyed("server kind")}, None
    kind = st.segmented_control(options=[PREDICTIONS, TABLE], **told)
    if kind == PREDICTIONS:
        words = f"{forms.told(predictions_form.SCALE)['help']} Guessed if none is chosen."
        told = {"key": "server scale", **forms.told(predictions_form.SCALE, help_text=words)}
        named = predictions_form.WORDS.get
        scale = st.segmented_control(options=SCALES, format_func=named, wrap=True, **told)
    whole = [WHOLE] if kind == PREDICTIONS and len(listing.files) > 1 else []
    chosen = st.selectbox("File", [*whole, *listing.files], key=f"server file {kind} {here}")
    words, about = "Read by the server; nothing is uploaded.", (here, chosen, kind, scale)
    forms.button("Open", "folder_open", _read_server_file, *about, help_text=words)


def _enter_folder(here: str) -> None:
    inner = st.session_state[f"server inner folder {here}"]
    if inner == UP:
        st.session_state[SERVER_FOLDER] = here.rpartition("/")[0]
    elif inner:
        st.session_state[SERVER_FOLDER] = f"{here}/{inner}" if here else inner


def _read_server_file(here: str, chosen: str, kind: str, scale: ScaleName | None) -> None:
    uploads.forget(SERVER_FILE)
    try:
        folder = server_folder()
        names = folder.list(here).files if chosen == WHOLE else [chosen]
        paths = [folder.find(f"{here}/{name}" if here else name) for name in names]
    except DpcoreError as error:
        uploads.refuse(SERVER_FILE, uploads.Refusal.of(chosen, error))
        return
    if chosen == WHOLE:
        title = here or SERVER_FOLDER
        files = open_data.GivenFiles(tuple(paths), title, scale)
        uploads.read_later(SERVER_FILE, title, open_data.take_prediction_files, files)
    elif kind == TABLE:
        table = open_data.GivenTable(paths[0], chosen)
        uploads.read_later(SERVER_FILE, chosen, open_data.take_table, table)
    else:
        given = open_data.Given(paths[0], chosen, scale)
        uploads.read_later(predictions_form.KEY, chosen, open_data.take_predictions, given)


def not_shown(opened: open_data.Opened) -> str | None:
    """Why what is open is not what is asked for, in words; None if it is."""
    kind = st.session_state[KIND]
    still = f"You still work on {opened.title}: {opened.size}."
    if refusal := next(filter(None, map(uploads.refused, UPLOADERS.get(kind, ()))), None):
        if refusal.name == opened.title:
            return f"{refusal.name} cannot be read this way. {still}"
        return f"{refusal.name} was not opened. {still}"
    uploaded = state.chosen()["data"] == UPLOAD
    predictions = isinstance(opened.records, Predictions)
    if kind == KINDS[0]:
        return f"No sample is chosen yet. {still}" if uploaded else None
    if uploaded and (kind == SERVER or predictions == (kind == KINDS[2])):
        return None
    return f"Nothing is opened yet. {still}"
