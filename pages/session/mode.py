"""Teach or Private: which of them a session is in, and who decides."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from dpcore import _check
from dpcore.errors import DpcoreError, InvalidArgument
from pages.session import gate, page_list, study_fields, visit
from pages.session.text import plain, quoted

TEACH, PRIVATE, BOTH = "teach", "private", "both"

VARIABLE, FILE_VARIABLE = "DPCORE_MODE", "DPCORE_SETTINGS"

FILE = "dpcore.toml"


@dataclass(frozen=True, kw_only=True)
class SignIn:
    """Who may spend, once they have signed in.

    Parameters
    ----------
    provider
        The section ``[auth.provider]`` of the server's secrets; empty for ``[auth]`` itself.
    allowed
        E-mail addresses, and domains as "@example.org".
    """

    provider: str = ""
    allowed: tuple[str, ...] = ()

    def admits(self, email: str) -> bool:
        """Whether somebody of this address may release."""
        person = email.strip().lower()
        name, _, domain = person.rpartition("@")
        listed = {entry.strip().lower() for entry in self.allowed}
        return bool(name) and (person in listed or f"@{domain}" in listed)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The operator's decisions; without any, both modes and no sign-in."""

    mode: str = BOTH
    sign_in: SignIn | None = field(default=None)

    def __post_init__(self) -> None:
        _check.one_of((TEACH, PRIVATE, BOTH), mode=self.mode)


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Read once, when the first session begins."""
    return read(os.environ)


def read(environment: Mapping[str, str], folder: Path | None = None) -> Settings:
    """Settings from the environment and from a file; where both name a mode, they must agree.

    Raises
    ------
    InvalidArgument
        If something is unknown or contradictory: the server then shows nothing else.
    """
    document = _document(environment, folder or Path())
    # What is there and empty was meant to be a mode: none is no word for both.
    told = environment.get(VARIABLE), document.pop("mode", None)
    said = [mode for mode in told if mode is not None]
    if said and said[-1] != said[0]:
        raise InvalidArgument(VARIABLE, said[0], f"the mode of the settings file, {said[1]!r}")
    sign_in = document.pop("sign_in", None)
    _nothing_else(document, "mode and sign_in")
    return Settings(mode=said[0] if said else BOTH, sign_in=_sign_in(sign_in))


def _document(environment: Mapping[str, str], folder: Path) -> dict[str, Any]:
    named = environment.get(FILE_VARIABLE)
    path = folder / FILE if named is None else Path(named)
    # A link to a file that is not there yet is no missing file.
    if named is None and not os.path.lexists(path):
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        name = "settings" if named is None else FILE_VARIABLE
        raise InvalidArgument(name, path.name, "a TOML file that can be read") from None


def _sign_in(table: object) -> SignIn | None:
    if table is None:
        return None
    if not isinstance(table, dict):
        raise InvalidArgument("sign_in", table, "a table")
    rest = dict(table)
    provider, allowed = rest.pop("provider", ""), rest.pop("allowed", None)
    _nothing_else(rest, "provider and allowed, in sign_in")
    if not isinstance(provider, str):
        raise InvalidArgument("sign_in.provider", provider, "text")
    if not isinstance(allowed, list) or not all(isinstance(entry, str) for entry in allowed):
        raise InvalidArgument("sign_in.allowed", allowed, "a list of e-mail addresses")
    return SignIn(provider=provider, allowed=tuple(allowed))


def _nothing_else(table: Mapping[str, object], known: str) -> None:
    for name in table:
        raise InvalidArgument("settings", name, f"one of {known}")


MODE = visit.outlives_reload("mode of this visit")

WORDS = {TEACH: "Teach", PRIVATE: "Private"}

# The pages that release, and those that both modes show.
RELEASING = ("budget", "release_desk", "ledger")

SHARED = ("overview",)

# What the session knows them by: all choices, what is to be said of a link, the page and its name.
CHOSEN, NOTICES, OPENED, PAGE = "chosen", "notices", "page opened", "name of the page"
# What one mode holds, the other never sees, but for these.
KEPT = (MODE, visit.HERE, CHOSEN, NOTICES, OPENED, PAGE)


def current() -> str:
    """The server's mode if it has one, else that of this visit, which begins in Teach mode.

    A locked server is asked first: no link, no session state and no message of a browser matters.
    """
    locked = settings().mode
    if locked != BOTH:
        return locked
    return PRIVATE if st.session_state.get(MODE) == PRIVATE else TEACH


def require_settings() -> None:
    """Show one sentence and nothing else if the operator's settings are unclear."""
    unclear = ""
    try:
        if settings().mode == PRIVATE and gate.is_missing():
            # Its figures would tell how many bytes wait in uploads.
            unclear = "a private one is started with `streamlit run server.py`"
    except DpcoreError as error:
        unclear = plain(quoted(str(error)))
    if unclear:
        st.error(f"This server is not set up: {unclear}.", icon=":material/error:")
        st.stop()


def is_private() -> bool:
    """Whether nothing but releases may be shown."""
    return current() == PRIVATE


def can_switch() -> bool:
    """Whether the visitor may choose; without the gate there is Teach mode only."""
    return settings().mode == BOTH and not gate.is_missing()


def enter(wanted: str) -> None:
    """Change the mode of this visit, and forget every record that the other one has opened."""
    if not can_switch() or wanted == current():
        return
    for name in list(st.session_state):
        if name not in KEPT:
            del st.session_state[name]
    st.session_state[MODE] = wanted
    if st.session_state["chosen"].get("data") == "upload":
        st.session_state["chosen"]["data"] = study_fields.SAMPLE


def shows(page: str) -> bool:
    """Whether the navigation lists a page; a link reaches the others, which say what is so."""
    if is_private():
        return page in RELEASING or page in SHARED
    return page not in RELEASING or (page == page_list.DESK and can_switch())
