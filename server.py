"""The app as it is served: our first page, and a gate before what Streamlit tells of itself."""

import streamlit as st
from starlette.middleware import Middleware

from pages.shared import first_screen, memory
from pages.shared.gate import Gate

memory.keep_tidy()
app = st.App("app.py", routes=first_screen.routes(), middleware=[Middleware(Gate)])
