"""What the server answers to nobody: its own figures, from which the size of an upload follows."""

from __future__ import annotations

from typing import ClassVar

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime

CLOSED = ("/_stcore/metrics",)


class Gate:
    """Middleware that knows no such address, in every mode and whatever stands before the path."""

    stands: ClassVar[bool] = False

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        Gate.stands = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404 for what is closed, and hand everything else on."""
        # Anywhere in the path: routes end in "$", which lets a last line feed (%0a) pass.
        if scope["type"] == "http" and any(name in scope["path"] for name in CLOSED):
            await PlainTextResponse("Not Found", status_code=404)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def is_missing() -> bool:
    """Whether a browser is served past the gate, as by ``streamlit run app.py``."""
    # Tests of a single page have no server, and put something that looks like one in its place.
    served = runtime.exists() and type(runtime.get_instance()) is runtime.Runtime
    return served and not Gate.stands
