"""The private data of a visit, on the server only, and who may open some and spend."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, log2
from pathlib import Path
from time import monotonic, sleep, time
from typing import Literal

import streamlit as st

from dpcore.data.reading.declared import names_first_line
from dpcore.desk import Publication, Request, publications_of, read_blindly, recognise, whole_file
from dpcore.errors import IntakeError, MissingResource
from dpcore.schema import Schema
from dpcore.store import Account, LedgerStore
from dpcore.study import DataSource, Workflow
from dpcore.study.sources import StudyData
from pages.session import memory, open_data, visit
from pages.session.mode import PAGE, SignIn, settings
from pages.session.text import plain
from pages.widgets import forms

OPENED = visit.outlives_reload("private data")
# How what is left is planned to be spent, and the epsilon that was planned for what is asked for.
PLAN, PLANNED = "plan of shares", "planned epsilon"
# What a visit remembers of the data that are open.
ABOUT_THEM = ("shown release", "release refused", "budget refused", "release to confirm", PLAN)


@dataclass(frozen=True, eq=False)
class Private:
    """Records (private) with what their owner declared of them (public)."""

    records: StudyData
    source: DataSource
    schema: Schema | None
    bytes_digest: str = ""

    @property
    def digest(self) -> str:
        """The key of their budget; private: with it a guess is checked far from this server."""
        return self.records.digest

    @property
    def kinds(self) -> dict[str, Publication]:
        """What can be published from them, as they are declared."""
        return publications_of(self.source, self.schema)

    @property
    def declared_title(self) -> str:
        """What their owner calls them in the schema; empty where nothing does."""
        return "" if self.schema is None else self.schema.title


def current() -> Private | None:
    """What this visit has opened; nothing for a visitor who may not release from it.

    Title and budget answer whether a table is exactly the one that has them.
    """
    found: Private | None = st.session_state.get(OPENED)
    return None if refusal() else found


def close() -> None:
    """Forget the records; the ledger keeps their account."""
    for name in (OPENED, *ABOUT_THEM):
        st.session_state.pop(name, None)
    memory.tidy()


def take(
    content: bytes | Path, source: DataSource, schema: Schema | None, *, unseen: bool = False
) -> None:
    """Read a file as declared; raises a `DataError` about its form, never about a row.

    An `unseen` file lies on the server. Its header is the first line, or a record could be declared
    to be it, and the wait is rounded up to a power of two of seconds: it would tell how many rows
    there are. Whoever shows the wait sees no sooner that it is over.
    """
    if unseen and not names_first_line(source.dialect):
        what = "of a file on the server only the first line can name the columns"
        remedy = "say that it has no header, and name the columns by their places, as column_1"
        raise IntakeError(what, remedy=remedy)
    asked = Request(
        what="roc" if schema is None else "model", study=Workflow(data=source, noise="system")
    )

    def read() -> tuple[StudyData, str]:
        began = monotonic()
        try:
            # A file on the server may be another one when it is asked for again.
            arrived = whole_file(content)
            records = read_blindly(arrived, asked, schema=schema)
            return records, recognise(arrived, records.digest, store())
        finally:
            if unseen:
                # The next power of two, and one second at least.
                rounded = 2.0 ** ceil(log2(max(monotonic() - began, 1.0)))
                sleep(rounded - (monotonic() - began))

    records, held = open_data.waited(read)
    st.session_state[OPENED] = Private(records, source, schema, held)


def store() -> LedgerStore:
    """The durable ledger of this server."""
    return LedgerStore()


def account() -> Account | None:
    """The account of the open data; None if none are open, or they have no budget yet."""
    if (opened := current()) is not None:
        with suppress(MissingResource):
            return store().account(opened.digest)
    return None


def title() -> str:
    """What the open data are called in public."""
    opened, found = current(), account()
    declared = "" if opened is None else opened.declared_title
    return (found.title if found is not None else "") or declared or "A data set without a title"


def refusal() -> str:
    """Why this visitor may not open data, release or set budgets; empty if they may."""
    sign_in = settings().sign_in
    return "" if sign_in is None else why_not(sign_in, st.user.to_dict(), time())


def why_not(sign_in: SignIn, person: Mapping[str, object], now: float) -> str:
    """Why somebody with these claims may not spend at this time; empty if they may.

    Streamlit keeps a session signed in beyond the end that the provider set; this does not.
    """
    if not person.get("is_logged_in", False):
        return "Sign in first: this server releases for the people whom its operator has named."
    expires = person.get("exp")
    if isinstance(expires, int | float) and expires <= now:
        return "Your sign-in has expired: sign out and in again."
    # A provider that is silent about verification is trusted; one that denies it is believed.
    if person.get("email_verified") is False or not sign_in.admits(str(person.get("email", ""))):
        return "Your address is not among those that the operator of this server has named."
    return ""


def control() -> None:
    """Sign in or out; nothing on a server without sign-in."""
    sign_in = settings().sign_in
    if sign_in is None:
        return
    person = st.user.to_dict()
    if person.get("is_logged_in", False):
        who = str(person.get("email", "somebody without an address"))
        st.caption(f"Signed in as {plain(who)}")
        st.button(on_click=_sign_out, width="stretch", **forms.told("sign out"))
        return
    sign_in_button("sign in", width="stretch")


def sign_in_button(key: str, width: Literal["stretch", "content"] = "content") -> None:
    """The way to the provider, for whoever is not signed in on a server that asks for it."""
    sign_in = settings().sign_in
    if sign_in is None or st.user.to_dict().get("is_logged_in", False):
        return
    given = (sign_in.provider,) if sign_in.provider else ()
    st.button(on_click=_sign_in, args=given, key=key, width=width, **forms.told("sign in"))


def _sign_in(*provider: str) -> None:
    visit.goes_to_sign(st.session_state[PAGE], signed_in=True)
    st.login(*provider)


def _sign_out() -> None:
    visit.goes_to_sign(st.session_state[PAGE], signed_in=False)
    st.logout()
