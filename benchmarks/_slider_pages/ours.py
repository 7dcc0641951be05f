"""The app's own ROC page, opened on predictions that were uploaded."""

import streamlit as st

from benchmarks._slider_pages.records import predictions
from pages.session import open_data, state
from pages.session.study_fields import UPLOAD
from pages.shell import page_shell

state.chosen()
if UPLOAD not in st.session_state:
    st.session_state[UPLOAD] = open_data.Opened("benchmark.csv", predictions(), edited=True)
    state.set_choice("data", UPLOAD)
page = st.navigation([st.Page("../../pages/roc/page.py")])
page_shell.open_page("roc")
page.run()
