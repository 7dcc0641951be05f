"""The app as it is served: our first page, and a gate before Streamlit's own answers."""

import streamlit as st
from starlette.middleware import Middleware

from dpcore.data.reading.limited_process import start_ahead
from pages.session import memory
from pages.session.gate import Guard, stand_guard
from pages.shell import navigation
from pages.widgets import fragments

navigation.own_the_pages()
stand_guard()
fragments.keep_the_log_private()
memory.keep_tidy()
start_ahead()
app = st.App("app.py", routes=navigation.routes(), middleware=[Middleware(Guard)])
