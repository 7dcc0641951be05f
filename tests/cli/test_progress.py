"""The progress bar: a bar on a terminal, few lines in a log."""

from __future__ import annotations

import io

import pytest

from dpcore.cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, shares: list[float]) -> str:
    with ProgressBar(stream) as bar:
        for share in shares:
            bar.show(share)
    return stream.getvalue()


def test_a_log_gets_one_line_for_each_tenth() -> None:
    text = shown(io.StringIO(), [place / 1000 for place in range(1001)])
    assert text.splitlines()[0] == "  0% read"
    assert text.splitlines()[-1] == "100% read"
    assert len(text.splitlines()) == 11


def test_a_terminal_gets_one_line_that_changes() -> None:
    text = shown(Terminal(), [0.0, 0.001, 0.5, 1.0])
    assert text.count("\r") == 3
    assert text.count("\n") == 1
    assert text.endswith("[" + "#" * 30 + "] 100%\n")


def test_an_error_still_ends_the_line() -> None:
    stream = Terminal()

    def interrupted() -> None:
        with ProgressBar(stream) as bar:
            bar.show(0.2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert stream.getvalue().endswith("\n")
