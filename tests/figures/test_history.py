"""The history ends where the account stands."""

from __future__ import annotations

from dpcore.figures import LIGHT
from dpcore.figures.history import history_picture


def test_it_rises_from_zero_charge_by_charge() -> None:
    picture = history_picture([("a", 0.5), ("b", 0.75)], budget=2, reserve=0, theme=LIGHT)
    (line,) = picture.data
    assert line["y"] == [0.0, 0.5, 0.75]
    assert line["line"]["shape"] == "hv"
    assert line["customdata"] == ["the budget was set", "a", "b"]
    assert "2 charges, up to 0.75 of 2" in picture.alt


def test_the_reserve_is_the_upper_part_of_the_budget() -> None:
    picture = history_picture([], budget=2, reserve=0.5, theme=LIGHT)
    (kept,) = [shape for shape in picture.layout["shapes"] if shape["type"] == "rect"]
    assert (kept["y0"], kept["y1"]) == (1.5, 2)
    assert [note["text"] for note in picture.layout["annotations"]] == ["budget", "reserve"]
    without = history_picture([], budget=2, reserve=0, theme=LIGHT)
    assert [note["text"] for note in without.layout["annotations"]] == ["budget"]
