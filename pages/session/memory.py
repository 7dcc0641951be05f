"""Garbage is collected between the moves of visitors, and what is free goes back to the system."""

import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TypeVar

from threadpoolctl import threadpool_limits

Made = TypeVar("Made")

# Streamlit would look through everything that all sessions hold after every move of any of them,
# which costs more than the move: `runner.postScriptGC` is off (.streamlit/config.toml).
EVERY = 10.0
# Who comes after the last one has left shall begin with memory that is in order.
SOON = 1.0
# An idle server is left alone: so many blocks come and go by themselves.
IDLE = 2_000
# By the C library of Linux: how many pools its threads share. Visitors run in threads of their own,
# and what one of them has freed in its pool would serve no other.
_ARENA_MAX, POOLS = -8, 1
# What is larger gets pages of its own, which go back whole. The library would raise that limit by
# itself as soon as something large has come back, and mix it with what stays.
_MMAP_THRESHOLD, LARGE = -3, 2**17
# New pages cost as much as the arithmetic on them: whoever computes for long uses pages again, of
# single pieces and of what is free at the end, where several large ones lay.
_TRIM_THRESHOLD, REUSED, AT_THE_END = -1, 2**25, 2**27
# A slider asks for the same study several times in one move.
REMEMBERED = 16

_over = threading.Event()
_brief: list[Callable[[], None]] = []


def briefly(make: Callable[..., Made]) -> Callable[..., Made]:
    """Remember what was made of the last few arguments, until the server is tidied up next.

    What visitors who have left had chosen is small, and would hold whole pages of memory: it lies
    between what else they had.
    """
    cached = lru_cache(maxsize=REMEMBERED)(make)
    _brief.append(cached.cache_clear)

    def remembered(*arguments: Hashable) -> Made:
        return cached(*arguments)

    return remembered


@contextmanager
def reused() -> Iterator[None]:
    """Within it what was freed serves what comes next; soon after it goes back to the system."""
    _keep(REUSED, AT_THE_END)
    try:
        yield
    finally:
        _keep(LARGE, LARGE)


def _keep(piece: int, end: int) -> None:
    """Pieces up to that size, and so much that is free at the end, stay with the process."""
    _c_library("mallopt", _MMAP_THRESHOLD, piece)
    _c_library("mallopt", _TRIM_THRESHOLD, end)


def set_apart() -> None:
    """Leave what the imports made, which lives as long as the server, out of what is collected.

    Looking through it would take a tenth of a second each time.
    """
    gc.collect()
    gc.freeze()
    # Visitors have threads of their own: a product of two long vectors would wake those of the
    # linear algebra too, and for 60 ms after it they keep every processor busy with waiting.
    threadpool_limits(1, user_api="blas")


def is_over() -> None:
    """A session has ended: tidy up soon, however little has happened."""
    _over.set()


def keep_tidy() -> None:
    """Begin to tidy up every ten seconds, until the server ends; called once, as it starts."""
    _c_library("mallopt", _ARENA_MAX, POOLS)
    _keep(LARGE, LARGE)
    threading.Thread(target=run, args=(threading.Event(),), name="tidy", daemon=True).start()


def run(end: threading.Event) -> None:
    """Tidy up whenever something has happened, until the end is called."""
    blocks = 0
    while not end.is_set():
        if _over.wait(EVERY):
            # Several that leave at the same time are one.
            end.wait(SOON)
            _over.clear()
        elif abs(sys.getallocatedblocks() - blocks) <= IDLE:
            continue
        tidy()
        blocks = sys.getallocatedblocks()


def tidy() -> None:
    """Collect what only refers to itself, as a session does that has left, and give memory back."""
    for forget in _brief:
        forget()
    gc.collect()
    _c_library("malloc_trim", 0)


def _c_library(name: str, *arguments: int) -> None:
    """Ask for what other systems than Linux, and some of its C libraries, do not know or need."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), name):
        getattr(library, name)(*arguments)
