"""The page list, and the first visit to a server that does not know it yet."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager

from pages.shared import mode

APP = "Private model evaluation"
FIRST = "overview"
LOGO = str(Path(__file__).parent / "logo.svg")

# Section -> (file under pages/, title, icon), in the order of the sidebar.
PAGES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Start": (("overview", "Overview", "home"),),
    "Explore": (
        ("data", "Data", "table"),
        ("features", "Features", "filter_alt"),
        ("model", "Model", "model_training"),
        ("roc", "ROC", "show_chart"),
        ("ecdf", "ECDF", "stacked_line_chart"),
        ("calibration", "Calibration", "balance"),
    ),
    "Release": (
        ("budget", "Budget", "account_balance_wallet"),
        ("release_desk", "Release desk", "outbox"),
        ("ledger", "Ledger", "receipt_long"),
    ),
    "Learn": (
        ("sparse_vector_lab", "Sparse vector lab", "science"),
        ("reusable_holdout", "Reusable holdout", "repeat"),
        ("federated_ecdf", "Federated ECDF", "hub"),
        ("audit", "Audit", "gavel"),
        ("reproductions", "Paper reproductions", "menu_book"),
    ),
}


def current() -> StreamlitPage:
    """Show the navigation and return the page that was asked for."""
    # A page's own icon would be fetched from the network as the picture of the browser's tab.
    st.set_page_config(page_title=APP, page_icon=LOGO, layout="wide")
    st.logo(LOGO, size="large")
    mode.require_settings()
    sections = {section: _pages(entries) for section, entries in PAGES.items()}
    # All of them: a newcomer does not look for a section behind "View more".
    page = st.navigation(sections, expanded=True)
    # The address of the first page is empty.
    st.set_page_config(page_title=f"{title(page.url_path or FIRST)} · {APP}")
    return page


def _pages(entries: tuple[tuple[str, str, str], ...]) -> list[StreamlitPage]:
    return [
        st.Page(
            f"pages/{name}.py",
            title=title,
            icon=f":material/{icon}:",
            default=name == FIRST,
            visibility="visible" if mode.shows(name) else "hidden",
        )
        for name, title, icon in entries
    ]


def title(page: str) -> str:
    """What the sidebar calls a page, by its name in the address."""
    listed = (entry for entries in PAGES.values() for entry in entries)
    return next(words for name, words, _ in listed if name == page)


def repair() -> None:
    """Start again through app.py if Streamlit has opened a page past it.

    A folder called pages/ makes Streamlit run its files as pages of their own until app.py has
    called `st.navigation` once. A link to a page may come before that.
    """
    if PagesManager.uses_pages_directory:
        current()
        st.rerun()
