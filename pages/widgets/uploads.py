"""Files that visitors give: read while the page is drawn, and refused in a sentence that stays."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any, Self

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpcore.data.reading import limited_process
from dpcore.data.reading.limited_process import Ending
from dpcore.data.reading.prediction_scores import SCALE_WORDS, ScaleName, ScoreRefused
from dpcore.data.reading.predictions import RowsIncomplete
from dpcore.data.reading.problems import DEFAULT_LIMITS
from dpcore.errors import DpcoreError, IntakeError
from pages.session import gate, open_data
from pages.session.text import name_of_file, plain, stated

REFUSED = "refused"
ASKED = "page asks for a file"
STAYS = "What was open before stays open."
# Seconds between two looks at a file that is read; nothing is drawn for what takes less.
PATIENCE = 0.4
PENDING = "upload to be read"
SCORES = SCALE_WORDS | {"any": "numbers of any size"}


@dataclass(frozen=True)
class Refusal:
    """Why a file was not opened, and what would open it."""

    name: str
    sentence: str
    # What the scores look like instead, and how many of the rows lack a label or a score.
    scale: ScaleName | None = None
    incomplete: tuple[int, int] | None = None
    given: object = None
    # What had been found out of the file by then.
    found: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, error: DpcoreError, given: object = None) -> Self:
        """The facts of an error; its traceback would keep the whole table in memory."""
        if isinstance(error, ScoreRefused) and error.scale:
            looks = f"these look like {SCORES[error.scale]}"
            sentence = str(error).removesuffix(error.remedy) + looks
            return cls(name, sentence, scale=error.scale, given=given, found=error.found)
        incomplete = (error.missing, error.rows) if isinstance(error, RowsIncomplete) else None
        found = error.found if isinstance(error, IntakeError) else {}
        return cls(name, str(error), incomplete=incomplete, given=given, found=found)


def ask(label: str, key: str, **options: object) -> None:
    """A place for a file; the server takes files only while a page shows one.

    No list of endings: Streamlit fails on any other, and the content is what counts.
    """
    st.session_state[ASKED] = True
    st.file_uploader(label, key=key, **options)


@contextmanager
def door() -> Iterator[None]:
    """Around a page: afterwards the server takes files from this session if the page asked.

    A run that the next one interrupts decides nothing.
    """
    st.session_state.pop(ASKED, None)
    try:
        yield
    except Exception:
        _set_door(False)
        raise
    _set_door(ASKED in st.session_state)


def _set_door(is_open: bool) -> None:
    context, kept = get_script_run_ctx(), gate.store()
    if context is not None and kept is not None:
        kept.set_door(context.session_id, is_open, st.context.cookies.get(gate.XSRF_COOKIE, ""))


def taken(key: str) -> tuple[str, bytes] | None:
    """Name and content of what was just put there; the server keeps no copy of its own."""
    file = st.session_state[key]
    if file is None:
        forget(key)
    # What has been taken already is reported once more, without its content.
    if not isinstance(file, UploadedFile):
        return None
    forget(key)
    content = file.getvalue()
    drop(file)
    return name_of_file(file.name), content


def drop(file: UploadedFile) -> None:
    """Let the server forget a file that has been read."""
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def read_later(key: str, name: str, take: Callable[..., None], *arguments: object) -> None:
    """Remember a file until the page is drawn, where there is a place to say what becomes of it."""
    st.session_state[PENDING] = key, name, take, arguments


def read_pending() -> None:
    """Read what waits, or keep why it was refused; then draw the page with it."""
    if PENDING not in st.session_state:
        return
    key, name, take, arguments = st.session_state.pop(PENDING)
    forget(key)
    with watched(name):
        try:
            take(*arguments)
        except DpcoreError as error:
            refuse(key, Refusal.of(name, error, arguments[0]))
    st.rerun()


@contextmanager
def watched(name: str) -> Iterator[None]:
    """Show that a file is being read, if that takes a while, and let a click end it."""
    place = st.empty()
    token = open_data.waiting.set(partial(_wait, place, plain(name)))
    try:
        yield
    finally:
        open_data.waiting.reset(token)
    place.empty()


def _wait(
    place: Any, name: str, read: Callable[[], Any], share: open_data.Share | None = None
) -> Any:
    """Wait for a file to be read; a click on anything ends the wait, and what was open stays.

    The process that reads a large file is ended then; nobody takes what is found of a small one.
    """
    began, bar, ending = monotonic(), None, Ending()
    context = copy_context()
    context.run(limited_process.ending.set, ending)
    # Left by itself when the wait ends: to close it would be to wait after all.
    pool = ThreadPoolExecutor(1, "reading")
    found = pool.submit(context.run, read)
    pool.shutdown(wait=False)
    try:
        while not wait([found], timeout=PATIENCE).done:
            if bar is None:
                with place.container():
                    bar = st.progress(0.0)
                    st.button("Cancel", icon=":material/close:", help=STAYS, key="stop reading")
            done = share() if share else (monotonic() - began) / DEFAULT_LIMITS.seconds
            bar.progress(min(done, 1.0), text=f"Reading {name}")
    finally:
        ending.end()
    return found.result()


def refuse(key: str, refusal: Refusal) -> None:
    """Keep why a file was not opened, until the next one of this uploader."""
    _all()[key] = refusal


def refused(key: str) -> Refusal | None:
    """Why the last file of this uploader was not opened, if it was not."""
    return _all().get(key)


def forget(*keys: str) -> None:
    """Drop what was said of these uploaders, or of all."""
    for key in keys or tuple(_all()):
        _all().pop(key, None)


def say_refused(*keys: str) -> None:
    """Show why the last files of these uploaders were not opened."""
    for key in keys:
        if refusal := refused(key):
            st.error(plain(stated(refusal.sentence)), icon=":material/error:")


def _all() -> dict[str, Refusal]:
    return st.session_state.setdefault(REFUSED, {})
