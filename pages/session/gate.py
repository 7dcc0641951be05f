"""The server's guard: what nobody is answered, and who may upload, before Streamlit's own rules."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, ClassVar

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config, runtime
from streamlit.runtime import memory_session_storage, memory_uploaded_file_manager
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec, UploadFileUrlInfo
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

from pages.session import memory

CLOSED = ("/_stcore/metrics",)
UPLOADS = "/_stcore/upload_file"
_PLACE = re.compile(r"/_stcore/upload_file/([^/\s]+)/([^/\s]+)")
XSRF_COOKIE = "_streamlit_xsrf"
# What one session may have waiting: files, and their bytes as multiples of the largest upload.
MOST_FILES, MOST_UPLOADS = 4, 2
# Places for files that a browser asked for and never used are forgotten, the oldest first.
MOST_ANNOUNCED = 16


@dataclass
class Door:
    """Whether the page that a session shows asks for a file, and where files may be put.

    And the cookie of the browser to which the session belongs.
    """

    is_open: bool = False
    cookie: str = ""
    announced: list[str] = field(default_factory=list)
    arriving: set[str] = field(default_factory=set)
    arrived: list[str] = field(default_factory=list)


class UploadStore(MemoryUploadedFileManager):
    """Streamlit's memory of files, with a door for each session and a limit on what waits."""

    def __init__(self, upload_endpoint: str) -> None:
        super().__init__(upload_endpoint)
        self._doors: dict[str, Door] = {}
        self._guard = Lock()

    def set_door(self, session_id: str, is_open: bool, cookie: str = "") -> None:
        """Open or close the door of a session, whose page has been drawn in a browser."""
        with self._guard:
            door = self._doors.setdefault(session_id, Door())
            door.is_open, door.cookie = is_open, cookie

    def cookie_of(self, session_id: str) -> str:
        """The cookie with which a session was drawn last; empty if none was."""
        with self._guard:
            return self._doors.get(session_id, Door()).cookie

    def get_upload_urls(
        self, session_id: str, file_names: Sequence[str]
    ) -> list[UploadFileUrlInfo]:
        """Places for files, which are remembered: nothing can be put anywhere else."""
        found = super().get_upload_urls(session_id, file_names[:MOST_ANNOUNCED])
        with self._guard:
            door = self._doors.setdefault(session_id, Door())
            door.announced = [*door.announced, *(one.file_id for one in found)][-MOST_ANNOUNCED:]
        return found

    def admit(self, session_id: str, file_id: str) -> bool:
        """Whether a file may come to this place, once; the door must be open."""
        with self._guard:
            door = self._doors.get(session_id)
            if door is None or not door.is_open or file_id not in door.announced:
                return False
            if len(door.arriving) + len(self.file_storage.get(session_id, ())) >= MOST_FILES:
                return False
            door.announced.remove(file_id)
            door.arriving.add(file_id)
            door.arrived = [*door.arrived, file_id][-MOST_ANNOUNCED:]
            return True

    def settle(self, session_id: str, file_id: str) -> None:
        """A file has come, or has not."""
        with self._guard:
            if door := self._doors.get(session_id):
                door.arriving.discard(file_id)

    def may_delete(self, session_id: str, file_id: str) -> bool:
        """Whether a browser may take back what it put there; it may have been read already."""
        with self._guard:
            door = self._doors.get(session_id)
            return door is not None and door.is_open and file_id in door.arrived

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file, unless more would wait than a session may have."""
        most = MOST_UPLOADS * 2**20 * int(config.get_option("server.maxUploadSize"))
        with self._lock:
            waiting = list(self.file_storage.get(session_id, {}).values())
        if sum(len(one.data) for one in waiting) + len(file.data) > most:
            raise HTTPException(status_code=413, detail="Too many files wait in this session")
        super().add_file(session_id, file)

    def remove_session_files(self, session_id: str) -> None:
        """Forget a session that is over."""
        super().remove_session_files(session_id)
        with self._guard:
            self._doors.pop(session_id, None)


class Sessions(MemorySessionStorage):
    """Sessions that have lost their browser are forgotten once their time is over.

    Streamlit itself would keep the last ones, with all that they had open, until somebody else
    leaves.
    """

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session for the time that it has to come back in."""
        super().save(session_info)
        kept: Any = self._cache
        asyncio.get_running_loop().call_later(kept.ttl, self._forget, kept)

    def _forget(self, kept: Any) -> None:
        for _, over in kept.expire():
            # Streamlit's loop goes on referring to whoever was there last.
            over.session.shutdown()
            over.session.session_state.clear()
        memory.is_over()


def store() -> UploadStore | None:
    """The memory of files of this server; none in a test of a single page."""
    if not runtime.exists():
        return None
    found = getattr(runtime.get_instance(), "uploaded_file_mgr", None)
    return found if isinstance(found, UploadStore) else None


def is_same_browser(session_id: str, request: HTTPConnection) -> bool:
    """Whether the cookie is that of the browser to which the session belongs, or belonged."""
    kept = store()
    mine, its = request.cookies.get(XSRF_COOKIE), kept.cookie_of(session_id) if kept else ""
    if not mine or not its:
        return False
    # The cookie is masked anew in every answer; the token beneath stays.
    return decode_xsrf_token_string(mine)[0] == decode_xsrf_token_string(its)[0] is not None


class Guard:
    """Middleware that knows no closed address, and lets files through an open door only.

    Nobody goes on with the session of another browser, by whatever way its number got about.

    A file is taken from the browser to which the session belongs, while its page shows a place
    for files, at an address that this session was told, once. All else is refused unread.
    """

    stands: ClassVar[bool] = False

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        Guard.stands = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for what is closed, and hand everything else on."""
        # Anywhere in the path: routes end in "$", which lets a last line feed (%0a) pass.
        if scope["type"] == "http" and any(name in scope["path"] for name in CLOSED):
            await PlainTextResponse("Not Found", status_code=404)(scope, receive, send)
        elif scope["type"] == "http" and UPLOADS in scope["path"] and scope["method"] != "OPTIONS":
            await self._upload(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.app(_in_its_own_session(scope), receive, send)
        else:
            await self.app(scope, receive, send)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        place, kept = _PLACE.search(scope["path"]), store()
        refused = PlainTextResponse("Nothing can be uploaded here", status_code=403)
        if place is None or kept is None or place.end() != len(scope["path"]):
            await refused(scope, receive, send)
            return
        session_id, file_id = place.groups()
        if not is_same_browser(session_id, HTTPConnection(scope)):
            await refused(scope, receive, send)
        elif scope["method"] == "DELETE" and kept.may_delete(session_id, file_id):
            await self.app(scope, receive, send)
        elif scope["method"] == "PUT" and kept.admit(session_id, file_id):
            try:
                await self.app(scope, receive, send)
            finally:
                kept.settle(session_id, file_id)
        else:
            await refused(scope, receive, send)


def _in_its_own_session(scope: Scope) -> Scope:
    """A connection that asks for a session, the third of its protocols, of its own browser only."""
    name = b"sec-websocket-protocol"
    headers = [
        (key, value if key != name else _without_session(value, HTTPConnection(scope)))
        for key, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


def _without_session(protocols: bytes, request: HTTPConnection) -> bytes:
    first, token, *asked = [*protocols.decode("latin-1").split(","), ""]
    if all(is_same_browser(one.strip(), request) for one in asked if one.strip()):
        return protocols
    return f"{first},{token}".encode("latin-1")


def stand_guard() -> None:
    """Let the server that is about to start keep files in a store with doors, and forget."""
    memory_uploaded_file_manager.MemoryUploadedFileManager = UploadStore  # type: ignore[misc]
    memory_session_storage.MemorySessionStorage = Sessions  # type: ignore[misc]


def is_missing() -> bool:
    """Whether a browser is served past the gate, as where another script runs ours."""
    # Tests of a single page have no server, and put something that looks like one in its place.
    served = runtime.exists() and type(runtime.get_instance()) is runtime.Runtime
    return served and not Guard.stands
