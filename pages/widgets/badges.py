"""Verdicts on methods, shown wherever a method can be chosen."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpcore.privacy import Guarantee
from dpcore.registry import Method
from pages.session.text import stated


def word(guarantee: Guarantee) -> None:
    """The badge alone."""
    proven = guarantee.holds
    st.badge(
        guarantee.badge,
        icon=":material/verified:" if proven else ":material/gpp_bad:",
        color="green" if proven else "red",
    )


def verdict(method: Method) -> None:
    """Badge, summary, and the theorem or the counterexample in words."""
    proven = method.guarantee.holds
    word(method.guarantee)
    st.markdown(method.summary)
    if proven:
        st.caption(f"Why it is private: {stated(method.guarantee.reason)}")
    else:
        st.error(
            f"Not private. {stated(method.guarantee.reason)} It runs here because all noise is "
            "simulated; it cannot release anything."
        )


def name_with_verdict(method: Method) -> str:
    """How a picker lists a method."""
    return method.title if method.guarantee.holds else f"{method.title} ({method.guarantee.badge})"


def names_with_verdicts(methods: Mapping[str, Method]) -> dict[str, str]:
    """How a list of several shows methods."""
    return {name: name_with_verdict(method) for name, method in methods.items()}
