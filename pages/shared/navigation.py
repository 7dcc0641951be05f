"""The page list, and the first visit to a server that does not know it yet."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager

from pages.shared import calibration_fields, ecdf_fields

LOGO = str(Path(__file__).parent / "logo.svg")


def current() -> StreamlitPage:
    """Show the navigation and return the page that was asked for."""
    # A page's own icon would be fetched from the network as the picture of the browser's tab.
    st.set_page_config(page_title="Private model evaluation", page_icon=LOGO, layout="wide")
    st.logo(LOGO, size="large")
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
                st.Page(ecdf_fields.PAGE, title="ECDF", icon=":material/stacked_line_chart:"),
                st.Page(calibration_fields.PAGE, title="Calibration", icon=":material/balance:"),
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
