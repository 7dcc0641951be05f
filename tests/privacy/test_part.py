"""Parts of the data."""

from __future__ import annotations

from dpcore import Part


def test_path_runs_from_the_outside_in() -> None:
    test = Part("split", "test")
    positive = Part("class", "1", within=test)
    assert positive.path == (test, positive)
    assert str(positive) == "split=test/class=1"


def test_parts_of_equal_names_are_equal() -> None:
    assert Part("split", "test") == Part("split", "test")
    assert Part("split", "test") != Part("split", "train")


def test_a_part_is_movable_if_any_part_around_it_is() -> None:
    fixed = Part("split", "test", fixed_under_replacement=True)
    assert not fixed.movable
    assert Part("class", "1", within=fixed).movable
    assert Part("split", "test", within=Part("class", "1"), fixed_under_replacement=True).movable
