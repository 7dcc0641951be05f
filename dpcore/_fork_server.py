"""A slim process without threads that forks one process for each piece of work.

The app has threads, so it cannot fork itself, and a new Python takes half a second before it
computes. One server process starts at the first piece of work, or ahead of it with the app.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_SERVE = """
import json, sys
sys.path[:] = json.loads(sys.argv[2])
from dpcore._fork_server import serve
serve(int(sys.argv[1]))
"""
# Threads and arenas reserve addresses that nobody uses; a limit on memory counts them.
_LEAN = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
_LEAN |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# Arrow asks for the size of all cells of a text for each column, and gives nearly all of it back:
# at once, unless it comes from what was freed before, as glibc has it from the first large piece
# on.
_LEAN |= {"MALLOC_MMAP_THRESHOLD_": str(2**20)}
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR", "SYSTEMROOT")
# What is imported by the server, no fork has to.
_LOADED = ("dpcore.data.reading.table_digest", "dpcore.curves.holdout.forked_selection")


class ForkServer:
    """The server process, as its clients see it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        atexit.register(self._end)

    @property
    def runs(self) -> bool:
        """Whether a process was started that a fork would come from at once."""
        return self._control is not None and self._owner == os.getpid()

    def start(self) -> None:
        """Start it unless it runs."""
        with self._lock:
            if not self.runs:
                self._start()

    def start_ahead(self) -> None:
        """The same in the background, so that the first piece of work does not wait for it."""
        if hasattr(os, "fork"):
            threading.Thread(target=self.start, daemon=True).start()

    def run(self, work: Callable[[socket.socket], None]) -> socket.socket:
        """Let a new process run a function of a module; our end of the channel that it is given.

        Raises
        ------
        EOFError
            If no process could be had.
        """
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._hand_over(theirs)
            ours.sendall(json.dumps([work.__module__, work.__name__]).encode() + b"\n")
        except (EOFError, OSError):
            ours.close()
            raise EOFError from None
        return ours

    def _hand_over(self, channel: socket.socket) -> None:
        for _ in range(2):
            self.start()
            with self._lock:
                if self._control is None:
                    continue
                try:
                    socket.send_fds(self._control, [b"r"], [channel.fileno()])
                except OSError:
                    self._end()
                else:
                    return
        raise EOFError

    def _start(self) -> None:
        self._end()
        ours, theirs = socket.socketpair()
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        with theirs:
            # Fixed words and the interpreter that runs already: nothing of a file is among them.
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-c", _SERVE, str(theirs.fileno()), json.dumps(sys.path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=inherited | _LEAN,
                start_new_session=True,
            )
        self._control, self._owner = ours, os.getpid()

    def _end(self) -> None:
        """Let the server go: it ends when nobody can ask it any more."""
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            self._process.wait()
        self._control = self._process = None


SERVER = ForkServer()


def serve(descriptor: int) -> None:
    """Fork a process for every piece of work, until nobody can ask any more: its own loop."""
    for name in _LOADED:
        importlib.import_module(name)
    # A process that has ended needs nobody to wait for it.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=descriptor) as control:
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not message:
                return
            if os.fork() == 0:
                # Whatever happens, this copy of the server must not serve on.
                with suppress(BaseException):
                    control.close()
                    _work(socket.socket(fileno=descriptors[0]))
                os._exit(0)
            os.close(descriptors[0])


def _work(channel: socket.socket) -> None:
    with channel:
        name = b""
        while not name.endswith(b"\n"):
            # What follows is for the function.
            name += channel.recv(1) or b"\n"
        module, function = json.loads(name)
        work: Callable[..., Any] = getattr(importlib.import_module(module), function)
        work(channel)
