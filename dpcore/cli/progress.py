"""A progress bar for people, and a few lines for log files."""

from __future__ import annotations

from types import TracebackType
from typing import Self, TextIO

__all__ = ["ProgressBar"]

_WIDTH = 30


class ProgressBar:
    """Shows how much is done: a bar on a terminal, a line for each tenth anywhere else.

    Parameters
    ----------
    stream : text stream

    Examples
    --------
    >>> import sys
    >>> with ProgressBar(sys.stdout) as bar:
    ...     bar.show(0.04)
    ...     bar.show(0.55)
      0% read
     55% read
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar = stream.isatty()
        self._shown = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar and self._shown >= 0:
            print(file=self._stream)

    def show(self, share: float) -> None:
        """Show a share from 0 to 1; the same again is not shown twice."""
        percent = int(100 * share)
        step = percent if self._bar else percent // 10
        if step == self._shown:
            return
        self._shown = step
        if self._bar:
            done = "#" * round(share * _WIDTH)
            print(f"\r[{done:<{_WIDTH}}] {percent:3d}%", end="", file=self._stream, flush=True)
        else:
            print(f"{percent if step else 0:3d}% read", file=self._stream, flush=True)
