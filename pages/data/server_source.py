"""Records from files that lie on the server, below the folder that its operator allowed."""

import streamlit as st

from dpcore.data.reading.prediction_scores import SCALES, ScaleName
from dpcore.data.reading.samples import ServerFolder, server_folder
from dpcore.errors import DpcoreError, IntakeError
from pages.session import open_data
from pages.session.text import plain
from pages.widgets import forms, predictions_form, uploads

KIND = "Server"
FOLDER = "server folder"
KEY = "server file"
PREDICTIONS, TABLE = "predictions", "a table"
UP, WHOLE = "..", "all files of this folder"


def available() -> bool:
    """Whether the operator allowed a folder; a wrong name is told where the files would be."""
    try:
        return server_folder() is not None
    except IntakeError:
        return True


def choose() -> None:
    """Ask for a file or a folder, and read it."""
    try:
        folder = server_folder()
        _pick(folder)
    except IntakeError as error:
        st.session_state[FOLDER] = ""
        st.error(plain(str(error)), icon=":material/error:")
    uploads.say_refused(KEY, "table file")
    predictions_form.say_refused()


def _pick(folder: ServerFolder) -> None:
    here = st.session_state.setdefault(FOLDER, "")
    listing = folder.list(here)
    st.caption(f"Folder: {plain(here) or 'the one that this server shares'}")
    inner = [*([UP] if here else []), *listing.folders]
    if inner:
        key, label = f"server inner folder {here}", "Go to another folder"
        told = {"index": None, "placeholder": "Choose a folder", "on_change": _enter}
        st.selectbox(label, inner, key=key, args=(here,), **told)
    if not listing.files:
        st.info("This folder holds no tables.")
        return
    words, kinds = "Predictions have a label and a score in every row.", [PREDICTIONS, TABLE]
    told = {"default": PREDICTIONS, "required": True, "key": "server kind", "help": words}
    kind, scale = st.segmented_control("The file holds", kinds, **told), None
    if kind == PREDICTIONS:
        words = f"{forms.told(predictions_form.SCALE)['help']} Guessed if none is chosen."
        told = {"format_func": predictions_form.WORDS.get, "help": words, "key": "server scale"}
        scale = st.segmented_control("The scores are", SCALES, wrap=True, **told)
    whole = [WHOLE] if kind == PREDICTIONS and len(listing.files) > 1 else []
    chosen = st.selectbox("File", [*whole, *listing.files], key=f"server file {kind} {here}")
    words, about = "Read by the server; nothing is uploaded.", (here, chosen, kind, scale)
    forms.button("Open", "folder_open", _want, *about, help_text=words)


def _enter(here: str) -> None:
    inner = st.session_state[f"server inner folder {here}"]
    if inner == UP:
        st.session_state[FOLDER] = here.rpartition("/")[0]
    elif inner:
        st.session_state[FOLDER] = f"{here}/{inner}" if here else inner


def _want(here: str, chosen: str, kind: str, scale: ScaleName | None) -> None:
    uploads.forget(KEY)
    try:
        folder = server_folder()
        names = folder.list(here).files if chosen == WHOLE else [chosen]
        paths = [folder.find(f"{here}/{name}" if here else name) for name in names]
    except DpcoreError as error:
        uploads.refuse(KEY, uploads.Refusal.of(chosen, error))
        return
    if chosen == WHOLE:
        title = here or FOLDER
        files = open_data.GivenFiles(tuple(paths), title, scale)
        uploads.read_later(KEY, title, open_data.take_prediction_files, files)
    elif kind == TABLE:
        table = open_data.GivenTable(paths[0], chosen)
        uploads.read_later(KEY, chosen, open_data.take_table, table)
    else:
        given = open_data.Given(paths[0], chosen, scale)
        uploads.read_later(predictions_form.KEY, chosen, open_data.take_predictions, given)
