"""The app's own ROC page, opened on predictions that were uploaded."""

import streamlit as st

from benchmarks._slider_pages.records import predictions
from pages.shared import frame, records, state
from pages.shared.study_fields import UPLOAD

state.chosen()
if UPLOAD not in st.session_state:
    st.session_state[UPLOAD] = records.Opened("benchmark.csv", predictions(), edited=True)
    state.put("data", UPLOAD)
page = st.navigation([st.Page("../../pages/roc.py")])
frame.open_page()
page.run()
