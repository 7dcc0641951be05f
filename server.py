"""The app as it is served: our first page, and a gate before Streamlit's own answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from dpcore._fork_server import SERVER
from dpcore.errors import MissingResource
from pages.session import memory, open_data
from pages.session.gate import Guard, stand_guard
from pages.shell import navigation
from pages.widgets import fragments


@asynccontextmanager
async def before_the_first_visitor(_: st.App) -> AsyncIterator[None]:
    """Load what stands around every page, which sets itself apart from what is collected.

    Were it the first visitor who loads it, the session would be set apart too, and stay with all
    that it opened. Its parts need the runtime, which is there by now.
    """
    for name in ("scipy.interpolate", "scipy.optimize", "pages.shell.page_shell"):
        import_module(name)
    # What is open for whoever comes without a link; if its file is not there, a page says so.
    with suppress(MissingResource):
        open_data.sample(open_data.SAMPLE)
    yield


navigation.own_the_pages()
stand_guard()
fragments.keep_the_log_private()
memory.keep_tidy()
SERVER.start_ahead()
# For app.py too, which is served in the same way if somebody starts that.
OPTIONS: dict[str, Any] = {
    "routes": navigation.routes(),
    "middleware": [Middleware(Guard)],
    "lifespan": before_the_first_visitor,
}
app = st.App("app.py", **OPTIONS)
