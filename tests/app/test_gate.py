"""The gate: what is closed is closed by whatever name, and a private server does not go without."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit import runtime
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette import starlette_app_utils

from pages.session import gate, mode
from tests.app.opening import sentences
from tests.app.private_visit import locked, visit


def answer(
    app: Any, path: str, method: str = "GET", *, kind: str = "http", headers: Any = ()
) -> tuple[int, bytes]:
    """Status and body of a request, without a network."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    scope = {"type": kind, "method": method, "path": path, "query_string": b"", "headers": headers}
    # In a thread of its own: a browser that another test has open keeps a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(app(scope, receive, send))).result()
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize(
    "path, status",
    [
        ("/_stcore/metrics", 404),
        ("/_stcore/metrics/", 404),
        ("/base/_stcore/metrics", 404),
        ("/_stcore/metrics\n", 404),
        ("/_stcore/metrics\n/", 404),
        ("//_stcore/metrics//", 404),
        ("/_stcore/health", 200),
        ("/metrics", 200),
    ],
)
def test_only_the_figures_of_the_server_are_closed(path: str, status: int) -> None:
    inner = Starlette(routes=[Route("/{rest:path}", lambda _: PlainTextResponse("in"))])
    found, body = answer(gate.Guard(inner), path)
    assert found == status
    assert (body == b"in") is (status == 200)


def test_a_server_without_the_gate_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    served = object.__new__(runtime.Runtime)
    monkeypatch.setattr(gate.Guard, "stands", False)
    with (
        mock.patch("streamlit.runtime.exists", return_value=True),
        mock.patch("streamlit.runtime.get_instance", return_value=served),
    ):
        assert gate.is_missing()
        gate.Guard(Starlette())
        assert not gate.is_missing()


def test_a_private_server_without_it_shows_one_sentence() -> None:
    with mock.patch("pages.session.gate.is_missing", return_value=True):
        with locked():
            app = visit("release_desk")
            assert [sentence for sentence in sentences(app) if "server.py" in sentence]
            assert list(app.title) == []
        with locked("both"):
            assert sentences(visit("release_desk")) == []
            assert not mode.can_switch()
    with locked("both"):
        assert mode.can_switch()


def opened_store() -> gate.UploadStore:
    kept = gate.UploadStore("/_stcore/upload_file")
    kept.set_door("me", True)
    return kept


def file_of(file_id: str, size: int = 10) -> UploadedFileRec:
    return UploadedFileRec(file_id=file_id, name="a.csv", type="text/csv", data=b"x" * size)


def places(kept: gate.UploadStore, count: int) -> list[str]:
    return [one.file_id for one in kept.get_upload_urls("me", ["a.csv"] * count)]


def test_a_file_is_taken_once_where_the_page_asks() -> None:
    kept = opened_store()
    first, second = places(kept, 2)
    assert not kept.admit("other", first)
    assert not kept.admit("me", "invented")
    assert kept.admit("me", first)
    assert not kept.admit("me", first)
    kept.set_door("me", False)
    assert not kept.admit("me", second)
    assert not kept.may_delete("me", first)
    kept.set_door("me", True)
    assert kept.admit("me", second)


def test_a_session_has_a_few_files_at_a_time() -> None:
    kept = opened_store()
    for file_id in places(kept, gate.MOST_FILES):
        assert kept.admit("me", file_id)
        kept.add_file("me", file_of(file_id))
        kept.settle("me", file_id)
    (one_more,) = places(kept, 1)
    assert not kept.admit("me", one_more)
    kept.remove_file("me", next(iter(kept.file_storage["me"])))
    assert kept.admit("me", one_more)
    # What is on its way counts too.
    assert not kept.admit("me", *places(kept, 1))


def test_a_session_has_so_many_bytes_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate.config, "get_option", lambda name: 1)
    kept = opened_store()
    kept.add_file("me", file_of("a", 2**20))
    kept.add_file("me", file_of("b", 2**20))
    with pytest.raises(HTTPException) as refused:
        kept.add_file("me", file_of("c", 1))
    assert refused.value.status_code == 413
    kept.add_file("other", file_of("c", 1))
    kept.remove_session_files("me")
    assert not kept.admit("me", "a")
    assert "me" not in kept._doors


def test_places_that_are_asked_for_in_vain_are_few() -> None:
    kept = opened_store()
    for _ in range(50):
        places(kept, 30)
    assert len(kept._doors["me"].announced) == gate.MOST_ANNOUNCED


@pytest.mark.parametrize(
    "mine, its, same",
    [("a", "a", True), ("a", "b", False), (None, "a", False), ("a", None, False)],
)
def test_a_session_belongs_to_the_browser_with_its_cookie(
    mine: str | None, its: str | None, same: bool
) -> None:
    """The cookie is masked anew each time it is sent."""
    tokens = {name: name.encode() * 16 for name in "ab"}
    cookie = {
        name: starlette_app_utils.generate_xsrf_token_string(token, 1)
        for name, token in tokens.items()
    }
    again = starlette_app_utils.generate_xsrf_token_string(tokens["a"], 1)
    kept = gate.UploadStore("/_stcore/upload_file")
    if its is not None:
        kept.set_door("me", False, cookie[its])
    headers = [] if mine is None else [(b"cookie", f"{gate.XSRF_COOKIE}={again}".encode())]
    request = HTTPConnection({"type": "http", "headers": headers})
    with mock.patch("pages.session.gate.store", return_value=kept):
        assert gate.is_same_browser("me", request) is same


@pytest.mark.parametrize(
    "asked, goes_on",
    [
        ("streamlit, token, mine", "streamlit, token, mine"),
        ("streamlit, token, yours", "streamlit, token"),
        ("streamlit,,yours", "streamlit,"),
        ("streamlit, token, mine, yours", "streamlit, token"),
        ("streamlit, token, nobody's", "streamlit, token"),
        ("streamlit, token", "streamlit, token"),
        ("streamlit", "streamlit"),
    ],
)
def test_nobody_goes_on_with_the_session_of_another_browser(asked: str, goes_on: str) -> None:
    """Whose number stands in the address of an upload, and so in logs."""
    mine, yours = (
        starlette_app_utils.generate_xsrf_token_string(name * 16, 1) for name in (b"a", b"b")
    )
    kept = gate.UploadStore("/_stcore/upload_file")
    for name, cookie in (("mine", mine), ("yours", yours)):
        kept.set_door(name, False, cookie)
    heard: list[bytes] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        heard.extend(value for key, value in scope["headers"] if key != b"cookie")
        await send({"status": 200})

    headers = [(b"sec-websocket-protocol", asked.encode())] * 2
    headers.append((b"cookie", f"{gate.XSRF_COOKIE}={mine}".encode()))
    with mock.patch("pages.session.gate.store", return_value=kept):
        answer(gate.Guard(inner), "/_stcore/stream", kind="websocket", headers=headers)
    assert heard == [goes_on.encode()] * 2


@pytest.mark.parametrize("path", ["", "/", "/me", "/me/x/y", "/me/x\n", "/../me/x"])
@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "PATCH", "GET"])
def test_no_other_way_leads_to_the_uploads(path: str, method: str) -> None:
    inner = Starlette(routes=[Route("/{rest:path}", lambda _: PlainTextResponse("in"))])
    found, _ = answer(gate.Guard(inner), f"/_stcore/upload_file{path}", method)
    assert found == 403
