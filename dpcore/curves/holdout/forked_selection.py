"""A selection that a process of its own makes: no thread of the app waits for its arithmetic."""

import math
import os
import socket
import threading
import weakref
from multiprocessing.connection import Connection
from time import monotonic

from dpcore._fork_server import SERVER
from dpcore.curves.holdout.problem import LARGER, HoldoutSettings, generated
from dpcore.curves.holdout.selection import HoldoutRun, Selection
from dpcore.curves.holdout.stepwise import JUDGES

# With fewer numbers to look at, making a process costs more than it spares.
_LARGE = 10**8
# So many times it goes on while its caller does other things, and no further if nobody listens.
_AHEAD = 4
# After so many seconds it says what came of it so far.
_SECONDS = 0.2
# So many at a time: more visitors choose within the app.
_TURNS = threading.BoundedSemaphore(2)


def begun(key: str, settings: HoldoutSettings) -> "ForkedSelection | None":
    """A selection on the generated problem that a process begins now; None if it shall not."""
    numbers = settings.variables * LARGER * settings.test_rows * settings.steps_taken
    if numbers < _LARGE or not SERVER.runs or _processors() < 2 or not _TURNS.acquire(False):
        return None
    try:
        return ForkedSelection(key, settings)
    except (EOFError, OSError):
        _TURNS.release()
        return None


class ForkedSelection:
    """The same as `Selection` to its caller, who waits for it only if there is nothing else to do.

    The process ends with the last variable, and when nobody holds this any more. Whatever else
    ends it, the same selection is then made here.
    """

    def __init__(self, key: str, settings: HoldoutSettings) -> None:
        self._told, self.kind, self.done = (key, settings), JUDGES[key], False
        self._taken = 0
        self._run: HoldoutRun | None = None
        self._here: Selection | None = None
        self._channel = Connection(SERVER.run(select).detach())
        self._end = weakref.finalize(self, _ended, self._channel)
        self._channel.send(self._told)
        for _ in range(_AHEAD):
            self._channel.send(True)

    @property
    def chosen(self) -> range:
        """As many as variables were taken."""
        return range(self._taken)

    @property
    def run(self) -> HoldoutRun:
        """What came of it so far, as far as it was told."""
        while self._run is None:
            self.advance()
        return self._run

    def advance(self, *, wait: bool = True) -> None:
        """Take note of variables that were taken; whoever waits for some, or asks for the next."""
        while not self.done and (wait or self._has_news()):
            self._taken, self.done, run = self._news()
            self._run, wait = self._run if run is None else run, False
        if self.done:
            self._end()

    def _has_news(self) -> bool:
        return self._here is None and self._channel.poll()

    def _news(self) -> tuple[int, bool, HoldoutRun | None]:
        if self._here is None:
            try:
                taken, done, run = self._channel.recv()
                if not done:
                    self._channel.send(True)
                return taken, done, run
            except (EOFError, OSError):
                self._end()
            key, settings = self._told
            self._here = Selection(key, generated(settings), settings)
            while len(self._here.chosen) < self._taken:
                self._here.advance()
        self._here.advance()
        return len(self._here.chosen), self._here.done, self._here.run


def _ended(channel: Connection) -> None:
    channel.close()
    _TURNS.release()


def select(channel: socket.socket) -> None:
    """Make a selection for whoever has sent its settings, until nobody asks: in a process."""
    with Connection(channel.detach()) as asker:
        key, settings = asker.recv()
        selection, told = Selection(key, generated(settings), settings), -math.inf
        while not selection.done:
            asker.recv()
            selection.advance()
            # What it is right about so far takes a while to count.
            tells = monotonic() > told + _SECONDS or selection.done
            asker.send((len(selection.chosen), selection.done, selection.run if tells else None))
            told = monotonic() if tells else told
        # Whoever closes a channel in which something is left takes the last answer away.
        while True:
            asker.recv()


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
