"""Pages take turns: visitors who come together are served one after the other, and soon.

Forty pages drawn at the same time end together, late, and each holds all that it has made until
then: the pools of Python grow by what nobody needs afterwards, and are never whole again.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

# While one of these waits for the browser or reads a file, another computes.
AT_ONCE = os.cpu_count() or 1
# Seconds after which a page that still draws, as a long view does, is in nobody's way.
SHORT = 1.0


class Turns:
    """So many at once, of those that began a short time ago.

    Parameters
    ----------
    short
        Seconds: in so many times the length of the queue everybody's turn has come.
    """

    def __init__(self, at_once: int = AT_ONCE, short: float = SHORT) -> None:
        self._at_once, self._short = at_once, short
        self._began: set[tuple[float, int]] = set()
        self._changed = threading.Condition()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for a turn, and take it until the block ends."""
        with self._changed:
            while (wait := self._wait()) > 0.0:
                self._changed.wait(wait)
            mine = time.monotonic(), threading.get_ident()
            self._began.add(mine)
        try:
            yield
        finally:
            with self._changed:
                self._began.discard(mine)
                self._changed.notify()

    def _wait(self) -> float:
        """Seconds until a turn is free for certain; none if one is free now."""
        recent = sorted(began for began, _ in self._began)[-self._at_once :]
        full = len(recent) == self._at_once
        return recent[0] + self._short - time.monotonic() if full else 0.0


TURNS = Turns()
