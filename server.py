"""The app as it is served: our first page, and a gate before Streamlit's own answers."""

import streamlit as st
from starlette.middleware import Middleware

from dpcore.intake.limited_process import start_ahead
from pages.shared import first_screen
from pages.shared.gate import Gate, guard_uploads

guard_uploads()
start_ahead()
app = st.App("app.py", routes=first_screen.routes(), middleware=[Middleware(Gate)])
