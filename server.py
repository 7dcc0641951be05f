"""The app as it is served: our first page, and a gate before what Streamlit tells of itself."""

import streamlit as st
from starlette.middleware import Middleware

from pages.shared import first_screen
from pages.shared.gate import Gate

app = st.App("app.py", routes=first_screen.routes(), middleware=[Middleware(Gate)])
