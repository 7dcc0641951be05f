"""Pages that are asked for together are drawn a few at a time; a long view keeps nobody waiting."""

from __future__ import annotations

import threading
import time

import pytest

from pages.shell.page_shell import Turns


def test_so_many_are_drawn_at_once_and_no_more() -> None:
    turns, drawing, most = Turns(at_once=2, short=60.0), 0, 0
    counted = threading.Lock()

    def draw() -> None:
        nonlocal drawing, most
        with turns.taken():
            with counted:
                drawing += 1
                most = max(most, drawing)
            time.sleep(0.01)
            with counted:
                drawing -= 1

    visitors = [threading.Thread(target=draw) for _ in range(12)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(timeout=30.0)
    assert not any(visitor.is_alive() for visitor in visitors)
    assert most == 2


def test_a_long_view_is_in_the_way_for_a_short_time_only() -> None:
    turns, end = Turns(at_once=1, short=0.2), threading.Event()

    def draw_long() -> None:
        with turns.taken():
            end.wait(30.0)

    long = threading.Thread(target=draw_long)
    long.start()
    try:
        time.sleep(0.05)
        began = time.monotonic()
        with turns.taken():
            waited = time.monotonic() - began
        assert long.is_alive()
        assert 0.05 < waited < 10.0
    finally:
        end.set()
        long.join()


def test_a_page_that_fails_gives_its_turn_back() -> None:
    turns = Turns(at_once=1, short=60.0)
    with pytest.raises(ValueError, match="of the page"), turns.taken():
        raise ValueError("of the page")
    began = time.monotonic()
    with turns.taken():
        pass
    assert time.monotonic() - began < 30.0
