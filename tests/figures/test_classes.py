"""Class bars carry their counts in words."""

from __future__ import annotations

from dpcore.figures import LIGHT, classes_picture


def test_counts_and_shares_are_written_on_the_bars() -> None:
    picture = classes_picture({"ham": 4825, "spam": 747}, theme=LIGHT, positive="spam")
    assert picture.data[0]["text"] == ["4,825 (87 %)", "747 (13 %)"]
    assert picture.data[0]["marker"]["color"] == [LIGHT.negative, LIGHT.positive]
    assert picture.alt == "Records of each class: ham 4,825, spam 747."


def test_no_records_at_all() -> None:
    assert classes_picture({"a": 0, "b": 0}, theme=LIGHT).data[0]["text"] == ["0 (0 %)", "0 (0 %)"]


def test_more_classes_take_more_room() -> None:
    two, five = (classes_picture({str(i): i for i in range(n)}, theme=LIGHT).height for n in (2, 5))
    assert five > two
