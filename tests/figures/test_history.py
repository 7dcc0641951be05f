"""The history ends where the account stands."""

from __future__ import annotations

import pytest

from dpcore import Loss
from dpcore.figures import LIGHT, Picture, history_picture


def drawn(history: list[tuple[str, Loss]], reserve: str = "0") -> Picture:
    """Of a budget of 2."""
    return history_picture(history, budget=Loss(2), reserve=Loss(reserve), theme=LIGHT)


def test_it_rises_from_zero_charge_by_charge() -> None:
    picture = drawn([("a", Loss("0.5")), ("b", Loss("0.75"))])
    (line,) = picture.data
    assert line["y"] == [0.0, 0.5, 0.75]
    assert line["line"]["shape"] == "hv"
    spent = ["before the first charge<br>epsilon 0", "a<br>epsilon 0.5", "b<br>epsilon 0.75"]
    assert line["customdata"] == spent
    assert "2 charges, up to 0.75 of 2" in picture.alt


def test_the_dot_of_nothing_spent_is_seen_whole() -> None:
    """It stands on the axis, which would cut it in half."""
    (line,) = drawn([]).data
    assert (line["x"], line["y"], line["cliponaxis"]) == ([0], [0.0], False)


def test_the_reserve_is_the_upper_part_of_the_budget() -> None:
    picture = drawn([], reserve="0.5")
    (kept,) = [shape for shape in picture.layout["shapes"] if shape["type"] == "rect"]
    assert (kept["y0"], kept["y1"]) == (1.5, 2)
    assert [note["text"] for note in picture.layout["annotations"]] == ["budget", "reserve"]
    without = drawn([])
    assert [note["text"] for note in without.layout["annotations"]] == ["budget"]


def test_of_a_rehearsal_nobody_has_set_a_budget() -> None:
    picture = history_picture([("a", Loss(1))], budget=Loss(1), reserve=None, theme=LIGHT)
    assert [note["text"] for note in picture.layout["annotations"]] == ["all charges"]
    (line,) = picture.data
    assert [one.partition("<")[0] for one in line["customdata"]] == ["before the first charge", "a"]


def test_small_epsilons_have_one_form_wherever_they_stand() -> None:
    """Plotly wrote 0.000001 beside 5e-7 on the axis, and the sentences beside it write 1e-06."""
    budget = Loss("0.000001")
    told = {"budget": budget, "reserve": Loss(0), "theme": LIGHT}
    picture = history_picture([("a", Loss("0.0000005"))], **told)
    assert picture.layout["yaxis"]["tickvals"] == pytest.approx([0, 2.5e-7, 5e-7, 7.5e-7, 1e-6])
    assert picture.layout["yaxis"]["ticktext"] == ["0", "2.5e-07", "5e-07", "7.5e-07", "1e-06"]
    assert picture.data[0]["customdata"][1] == "a<br>epsilon 5e-07"
    assert "%{y" not in picture.data[0]["hovertemplate"]
    assert picture.alt.endswith("up to 5e-07 of 1e-06.")
    assert budget.short == "1e-06"
