"""Work in a process of its own: of any module, again and again, and after the server has ended."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from dpcore import _fork_server
from dpcore._fork_server import SERVER, ForkServer


def says_who_it_is(channel: socket.socket) -> None:
    channel.sendall(f"{os.getpid()} {channel.recv(16).decode()}\n".encode())


def fails(channel: socket.socket) -> None:
    channel.sendall(b"so far\n")
    raise SystemExit


def answer(channel: socket.socket) -> str:
    with channel, channel.makefile("r") as lines:
        return lines.read()


def test_each_piece_of_work_has_a_process() -> None:
    found = []
    for name in ("one", "two"):
        channel = SERVER.run(says_who_it_is)
        channel.sendall(name.encode())
        found.append(answer(channel).split())
    (first, one), (second, two) = found
    assert (one, two) == ("one", "two")
    assert len({first, second, str(os.getpid())}) == 3


def test_work_that_fails_ends_its_process_and_not_the_server() -> None:
    assert answer(SERVER.run(fails)) == "so far\n"
    process = SERVER._process
    assert process is not None
    assert process.poll() is None
    # Nobody says what to do: the end of the channel is an end.
    SERVER.run(says_who_it_is).close()
    channel = SERVER.run(says_who_it_is)
    channel.sendall(b"later")
    assert answer(channel).endswith(" later\n")


def test_it_starts_when_it_is_needed_and_ends_with_its_client() -> None:
    lines = (
        "from dpcore._fork_server import SERVER\n"
        "from tests.test_fork_server import answer, fails\n"
        "print(SERVER.runs, answer(SERVER.run(fails)).strip(), SERVER.runs)\n"
        "print(SERVER._process.pid)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", lines],
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
        timeout=60,
        check=True,
        capture_output=True,
        text=True,
    )
    told, pid = done.stdout.splitlines()
    assert told == "False so far True"
    assert not Path(f"/proc/{pid}").exists()


def test_a_server_that_cannot_be_had_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    server = ForkServer()
    monkeypatch.setattr(_fork_server.ForkServer, "start", lambda self: None)
    with pytest.raises(EOFError):
        server.run(fails)


def test_the_server_loads_nothing_that_its_work_does_not_need() -> None:
    """Tenths of a second and megabytes by the dozen, for as long as the app runs."""
    lines = (
        "import sys\n"
        "from importlib import import_module\n"
        "from dpcore._fork_server import _LOADED\n"
        "for name in _LOADED: import_module(name)\n"
        "large = {'sklearn', 'scipy.interpolate', 'scipy.optimize', 'streamlit', 'plotly'}\n"
        "print(large & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", lines], timeout=60, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "set()"
