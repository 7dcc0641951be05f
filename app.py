"""The app: its pages, and what stands around them."""

from pathlib import Path

import streamlit as st

from pages.shared import frame, navigation

LOGO = str(Path(__file__).parent / "pages" / "shared" / "logo.svg")

st.set_page_config(page_title="Private model evaluation", page_icon=LOGO, layout="wide")
st.logo(LOGO, size="large")
page = navigation.current()
frame.open_page()
page.run()
