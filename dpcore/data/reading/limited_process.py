"""A process of limited memory and time, in which files that could be large are read.

A Parquet file of some kilobytes may hold gigabytes, and neither its size nor its footer says so.
What such a file costs is known once it was paid, so a process pays that can be ended: one for each
file, which the fork server makes.
"""

import importlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pyarrow as pa

from dpcore import _check
from dpcore._fork_server import SERVER
from dpcore.data.reading.packed import ARROW_MAGICS, GZIP_MAGIC, PARQUET_MAGIC, gunzip
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits, TooCostly
from dpcore.data.reading.wire import rebuilt, receive, send, told
from dpcore.errors import DpcoreError, IntakeError

_P = ParamSpec("_P")
_R = TypeVar("_R")

# A text of this size, with a first line of that, takes a second or two and some hundred megabytes.
_SMALL, _SHORT_LINE = 2**21, 2**14
# Files that are read at the same time; others wait.
_TURNS = threading.BoundedSemaphore(2)
# So many times longer than a reading may compute, a server with other things to do may take for it;
# what has not ended then is stuck.
_PATIENCE = 6
_STATM = Path("/proc/self/statm")


@dataclass
class _Clock:
    """Seconds of processor time that are left to a reading."""

    left: float


class Ending:
    """Lets one thread end what another one reads, in the middle of a file."""

    def __init__(self) -> None:
        self.over = False
        self.channel: socket.socket | None = None

    def end(self) -> None:
        """Let its process end, and none start."""
        self.over = True
        if self.channel is not None:
            with suppress(OSError):
                self.channel.shutdown(socket.SHUT_RDWR)


_clock: ContextVar[_Clock | None] = ContextVar("clock", default=None)
# Of whoever may end what is read in this context.
ending: ContextVar[Ending | None] = ContextVar("ending", default=None)
_within = False


def in_limited_process(*records: type) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Let a reader of files, given first as bytes or a path, run within `limits`.

    Small texts are read at once, in this process. All other files are read in one whose memory and
    time are limited by its `limits`. Whatever a file makes a reader stumble over is one sentence.

    Parameters
    ----------
    *records : dataclasses
        What may be in its arguments and in what it returns.

    Raises
    ------
    IntakeError
        If a parser raises anything that is no error of this project.
    TooCostly
        If the limits do not suffice. The sentence depends on the limits only.
    """

    def limited(read: Callable[_P, _R]) -> Callable[_P, _R]:
        own = signature(read)

        @wraps(read)
        def within_limits(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            try:
                bound = own.bind(*args, **kwargs)
            except TypeError:  # a call that is wrong is no fault of the file
                _check.known_options(read.__name__, kwargs, own.parameters)
                raise
            source, *_ = bound.args
            given = (one for one in bound.arguments.values() if isinstance(one, Limits))
            limits = next(given, DEFAULT_LIMITS)
            try:
                if _within or not hasattr(os, "fork") or not _may_be_large(source):
                    return read(*args, **kwargs)
                result: _R = _carried_out(
                    read, bound.args, bound.kwargs, limits, (*records, Limits)
                )
                return result
            except DpcoreError:
                raise
            # Any error of any parser: a strange file must never end in a traceback.
            except Exception as error:
                # Arrow has no other word for a thread of its own that finds no memory.
                if isinstance(error, MemoryError) or "worker thread" in str(error):
                    raise TooCostly(limits) from None
                what = f"the file cannot be read as a table ({type(error).__name__})"
                remedy = "open it in a spreadsheet, check it and save it as CSV in UTF-8"
                raise IntakeError(what, remedy=remedy) from error

        return within_limits

    return limited


@contextmanager
def one_reading(limits: Limits) -> Iterator[None]:
    """Let everything that is read within share the time of one reading."""
    token = _clock.set(_Clock(limits.seconds))
    try:
        yield
    finally:
        _clock.reset(token)


def beginning(source: object, most: int) -> bytes:
    """The first bytes of a file; none of one that cannot be opened."""
    if isinstance(source, Path):
        with suppress(OSError), source.open("rb") as file:
            return file.read(most)
    return bytes(source[:most]) if isinstance(source, bytes | bytearray | memoryview) else b""


def _may_be_large(source: object) -> bool:
    """Whether a file is anything but a small text: its bytes before any row say so."""
    content = beginning(source, _SMALL + 1)
    if len(content) > _SMALL:
        return True
    if content.startswith(GZIP_MAGIC):
        try:
            content = gunzip(content, _SMALL)
        except IntakeError:
            return True
    wide = len(content) > _SHORT_LINE and b"\n" not in content[:_SHORT_LINE]
    return wide or content.startswith((PARQUET_MAGIC, b"PK", *ARROW_MAGICS))


def _carried_out(
    read: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    limits: Limits,
    records: Sequence[type],
) -> Any:
    source, *rest = args
    content = b"" if isinstance(source, Path) else source
    asked: dict[str, Any] = {
        "module": read.__module__,
        "name": read.__name__,
        "path": str(source.absolute()) if isinstance(source, Path) else None,
        "bytes": len(content),
        "memory": limits.memory_bytes,
        "args": tuple(rest),
        "kwargs": kwargs,
    }
    clock = _clock.get() or _Clock(limits.seconds)
    if clock.left <= 0:
        raise TooCostly(limits)
    asked |= {"seconds": clock.left, "patience": _PATIENCE * limits.seconds}
    with _TURNS:
        try:
            answer = _ask(asked, content, records, limits.memory_bytes // 2)
        # It was ended before it answered, or had no memory to answer with.
        except (EOFError, OSError, MemoryError, ValueError, pa.ArrowException):
            answer = None
    if answer is None:
        raise TooCostly(limits)
    clock.left -= answer["seconds"]
    if "error" in answer:
        raise rebuilt(*answer["error"])
    return answer["value"]


def _ask(asked: dict[str, Any], content: bytes, records: Sequence[type], most: int) -> Any:
    """Have a file read, and return the answer."""
    if (asker := ending.get()) is not None and asker.over:
        raise EOFError
    with SERVER.run(serve_reading) as channel:
        if asker is not None:
            asker.channel = channel
            if asker.over:
                raise EOFError
        # The process ends itself; this is for the case that it cannot.
        channel.settimeout(asked["patience"] + 1)
        with channel.makefile("rwb") as stream:
            send(stream, asked)
            stream.write(content)
            stream.flush()
            return receive(stream, records, most)


def serve_reading(channel: socket.socket) -> None:
    """Read a file that `_ask` asks for: in the process that was forked for it."""
    global _within
    _within = True
    with channel, channel.makefile("rwb") as stream:
        asked = receive(stream, _known_records(), 0)
        _limit(asked["memory"], asked["seconds"], asked["patience"])
        path = asked["path"]
        source = Path(path) if path is not None else stream.read(asked["bytes"])
        read = getattr(importlib.import_module(asked["module"]), asked["name"])
        _end_without(channel)
        try:
            answer = {"value": read(source, *asked["args"], **asked["kwargs"])}
        except TooCostly:
            return
        except DpcoreError as error:
            answer = {"error": told(error)}
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        send(stream, answer | {"seconds": time.process_time()})


def _end_without(channel: socket.socket) -> None:
    """End this process when nobody waits for it: until it answers, nothing else stirs a channel."""
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(channel, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(channel, fcntl.F_SETFL, fcntl.fcntl(channel, fcntl.F_GETFL) | os.O_ASYNC)


def _known_records() -> tuple[type, ...]:
    from dpcore.data.reading.dialect import Dialect, Stated
    from dpcore.data.reading.prediction_scores import ScoreScale
    from dpcore.data.reading.roles.columns import PredictionRoles

    return Dialect, Stated, ScoreScale, PredictionRoles, Limits


def _limit(memory: int, seconds: float, patience: float) -> None:
    """End this process after so many seconds of computing, and sooner than wait without end.

    It may take so much more memory than it has.
    """
    import resource

    for alarm, timer, after in (
        (signal.SIGPROF, signal.ITIMER_PROF, seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, patience),
    ):
        signal.signal(alarm, signal.SIG_DFL)
        signal.setitimer(timer, max(after, 0.001))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    whole = int(seconds) + 1
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
    if _STATM.exists():
        most = _pages(0) + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        return
    # Where the kernel knows no such limit, the process watches itself.
    threading.Thread(target=_watch, args=(memory,), daemon=True).start()


def _watch(memory: int) -> None:
    start = _held()
    while _held() <= start + memory:
        time.sleep(0.05)
    os._exit(1)


def _held() -> int:
    """Bytes of memory of this process; the most that it had, where nothing else is known."""
    import resource

    if _STATM.exists():
        return _pages(1)
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _pages(field: int) -> int:
    """Bytes of addresses (0) or of memory (1) that Linux says this process has."""
    return int(_STATM.read_text().split()[field]) * os.sysconf("SC_PAGE_SIZE")
