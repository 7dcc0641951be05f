"""Who may spend budget: everybody who reaches the server, or those whom its operator names."""

from __future__ import annotations

import streamlit as st

from pages.shared.server_settings import SignIn, settings


def refusal() -> str:
    """Why this visitor may not release or set budgets; empty if they may."""
    sign_in = settings().sign_in
    if sign_in is None:
        return ""
    person = st.user.to_dict()
    if not person.get("is_logged_in", False):
        return "Sign in first: this server releases for the people whom its operator has named."
    if not _admitted(sign_in, person):
        return "Your address is not among those that the operator of this server has named."
    return ""


def _admitted(sign_in: SignIn, person: dict[str, object]) -> bool:
    """A provider that says the address is unverified is believed; one that is silent, trusted."""
    return person.get("email_verified") is not False and sign_in.admits(str(person.get("email")))


def sign_in_control() -> None:
    """Sign in or out; nothing on a server without sign-in."""
    sign_in = settings().sign_in
    if sign_in is None:
        return
    person = st.user.to_dict()
    if not person.get("is_logged_in", False):
        st.button(
            "Sign in",
            icon=":material/login:",
            on_click=st.login,
            args=(sign_in.provider,) if sign_in.provider else (),
            width="stretch",
        )
        return
    st.caption(f"Signed in as {person.get('email', 'somebody without an address')}")
    st.button("Sign out", icon=":material/logout:", on_click=st.logout, width="stretch")
