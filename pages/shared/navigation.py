"""The page list, and the first visit to a server that does not know it yet."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager


def current() -> StreamlitPage:
    """Show the navigation and return the page that was asked for."""
    return st.navigation(
        {
            "Start": [
                st.Page(
                    "pages/overview.py", title="Overview", icon=":material/home:", default=True
                ),
            ],
            "Explore": [
                st.Page("pages/data.py", title="Data", icon=":material/table:"),
                st.Page("pages/features.py", title="Features", icon=":material/filter_alt:"),
                st.Page("pages/model.py", title="Model", icon=":material/model_training:"),
                st.Page("pages/roc.py", title="ROC", icon=":material/show_chart:"),
            ],
        }
    )


def repair() -> None:
    """Start again through app.py if Streamlit has opened a page past it.

    A folder called pages/ makes Streamlit run its files as pages of their own until app.py has
    called `st.navigation` once. A link to a page may come before that.
    """
    if PagesManager.uses_pages_directory:
        current()
        st.rerun()
