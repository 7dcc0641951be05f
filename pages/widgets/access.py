"""Who may open data and spend: all who reach the server, or those whom its operator names."""

from collections.abc import Mapping
from time import time

import streamlit as st

from pages.session.mode import SignIn, settings
from pages.session.text import plain


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
        st.button("Sign out", icon=":material/logout:", on_click=st.logout, width="stretch")
        return
    st.button(
        "Sign in",
        icon=":material/login:",
        on_click=st.login,
        args=(sign_in.provider,) if sign_in.provider else (),
        width="stretch",
    )
