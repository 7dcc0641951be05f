"""The gate: what is closed is closed by whatever name, and a private server does not go without."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit import runtime

from pages.shared import gate, mode
from tests.app.opening import sentences
from tests.app.private_visit import locked, visit


def answer(app: Any, path: str) -> tuple[int, bytes]:
    """Status and body of a GET, without a network."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
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
    found, body = answer(gate.Gate(inner), path)
    assert found == status
    assert (body == b"in") is (status == 200)


def test_a_server_without_the_gate_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    served = object.__new__(runtime.Runtime)
    monkeypatch.setattr(gate.Gate, "stands", False)
    with (
        mock.patch("streamlit.runtime.exists", return_value=True),
        mock.patch("streamlit.runtime.get_instance", return_value=served),
    ):
        assert gate.is_missing()
        gate.Gate(Starlette())
        assert not gate.is_missing()


def test_a_private_server_without_it_shows_one_sentence() -> None:
    with mock.patch("pages.shared.gate.is_missing", return_value=True):
        with locked():
            app = visit("release_desk")
            assert [sentence for sentence in sentences(app) if "server.py" in sentence]
            assert list(app.title) == []
        with locked("both"):
            assert sentences(visit("release_desk")) == []
            assert not mode.can_switch()
    with locked("both"):
        assert mode.can_switch()
