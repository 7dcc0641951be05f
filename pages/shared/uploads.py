"""Files that visitors give: read while the page is drawn, and refused in a sentence that stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.intake.prediction_scores import ScoreRefused, ScoreScale
from dpcore.intake.predictions import RowsIncomplete
from pages.shared.words import plain

REFUSED = "refused"
PENDING = "upload to be read"
SCORES = {"probability": "probabilities", "percent": "percentages", "logit": "log-odds"}


@dataclass(frozen=True)
class Refusal:
    """Why a file was not opened, and what would open it."""

    name: str
    sentence: str
    # What the scores look like instead, and how many of the rows lack a label or a score.
    link: ScoreScale | None = None
    incomplete: tuple[int, int] | None = None
    given: object = None

    @classmethod
    def of(cls, name: str, error: DpcoreError, given: object = None) -> Refusal:
        """The facts of an error; its traceback would keep the whole table in memory."""
        if isinstance(error, ScoreRefused) and error.link:
            looks = f"these look like {SCORES[error.link]}"
            sentence = str(error).removesuffix(error.remedy) + looks
            return cls(name, sentence, link=error.link, given=given)
        incomplete = (error.missing, error.rows) if isinstance(error, RowsIncomplete) else None
        return cls(name, str(error), incomplete=incomplete, given=given)


def read_later(key: str, name: str, take: Callable[..., None], *arguments: object) -> None:
    """Remember a file until the page is drawn, where there is a place to say what becomes of it."""
    st.session_state[PENDING] = key, name, take, arguments


def read_pending() -> None:
    """Read what waits, or keep why it was refused; then draw the page with it."""
    if PENDING not in st.session_state:
        return
    key, name, take, arguments = st.session_state.pop(PENDING)
    forget(key)
    try:
        with st.spinner(f"Reading {plain(name)}"):
            take(*arguments)
    except DpcoreError as error:
        refuse(key, Refusal.of(name, error, arguments[0]))
    st.rerun()


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
            st.error(plain(refusal.sentence), icon=":material/error:")


def _all() -> dict[str, Refusal]:
    found: dict[str, Refusal] = st.session_state.setdefault(REFUSED, {})
    return found
