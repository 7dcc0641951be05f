"""Verdicts on methods, wherever one can be chosen, and the glossary that they and terms lead to."""

import re
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from dpcore.privacy import Guarantee
from dpcore.registry import Method
from pages.session.text import escape, said, stated, table

# Every term that the pages use and that has no formula, in the order of the alphabet; a sentence or
# two for each.
TERMS: dict[str, str] = table(Path(__file__).with_name("glossary.toml"))

_TERM = re.compile(rf"\b({'|'.join(sorted(TERMS, key=len, reverse=True))})\b")


def place_of(term: str) -> str:
    """Where its entry stands on the page."""
    return f"term-{re.sub('[^a-z0-9]+', '-', term.lower())}"


def linked(label: str) -> str:
    """HTML of a label; the first term in it leads to its entry.

    Examples
    --------
    >>> linked("True AUC")
    'True <a href="#term-auc">AUC</a>'
    """
    return _TERM.sub(
        lambda term: f'<a href="#{place_of(term[0])}">{term[0]}</a>', escape(label), count=1
    )


def word(guarantee: Guarantee) -> None:
    """The badge alone; it leads to what it means."""
    proven = guarantee.holds
    icon = ":material/verified:" if proven else ":material/gpp_bad:"
    badge = f":{'green' if proven else 'red'}-badge[{icon} {guarantee.badge}]"
    st.markdown(f"[{badge}](#{place_of(guarantee.badge)})")


def verdict(method: Method) -> None:
    """Badge, summary, and the theorem or the counterexample in words."""
    proven = method.guarantee.holds
    word(method.guarantee)
    st.markdown(method.summary)
    if proven:
        st.caption(f"Why it is private: {stated(method.guarantee.reason)}")
    else:
        st.error(said("not private").format(stated(method.guarantee.reason)))


def name_with_verdict(method: Method) -> str:
    """How a picker lists a method."""
    return method.title if method.guarantee.holds else f"{method.title} ({method.guarantee.badge})"


def names_with_verdicts(methods: Mapping[str, Method]) -> dict[str, str]:
    """How a list of several shows methods."""
    return {name: name_with_verdict(method) for name, method in methods.items()}
