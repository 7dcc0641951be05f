"""Score distributions: shares of each class that add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Theme, classes_picture, scores_picture
from dpcore.figures.scores import model_scores_picture


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


SCORES = ScoreHistogram.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.9])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("threshold, side", [(0.0, "left"), (0.5, "left"), (0.97, "right")])
def test_a_line_marks_the_threshold(theme: Theme, threshold: float, side: str) -> None:
    picture = model_scores_picture(SCORES, threshold, theme=theme, names=("no", "yes"))
    plain = scores_picture(SCORES, theme=theme, names=("no", "yes"))
    assert picture.data == plain.data
    (line,) = picture.layout["shapes"]
    assert (line["x0"], line["x1"], line["line"]["color"]) == (threshold, threshold, theme.text)
    stamp, word = picture.layout["annotations"]
    assert stamp["text"] == "exact, not private"
    assert (word["x"], word["xanchor"]) == (threshold, side)
    assert f"threshold {threshold:g}" in picture.alt
    assert picture.figure().layout.shapes[0].x0 == threshold


def test_a_threshold_beyond_the_scores_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="threshold"):
        model_scores_picture(SCORES, 1.2, theme=LIGHT)


@given(
    st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=40),
    st.integers(2, 60),
)
def test_shares_of_each_class_add_up_to_one(records: list[tuple[bool, float]], bins: int) -> None:
    y, p = zip(*records, strict=True)
    picture = scores_picture(
        ScoreHistogram.from_arrays(y, p, pos_label=True), theme=LIGHT, bins=bins
    )
    for trace, present in zip(picture.data, (not all(y), any(y)), strict=True):
        # The last value stands twice, for the right end of the last bin.
        assert sum(trace["y"][:-1]) == pytest.approx(float(present), abs=1e-3)
        assert len(trace["x"]) == bins + 1


def test_classes_keep_their_sides_and_names() -> None:
    scores = ScoreHistogram.from_arrays([0, 1], [0.05, 0.95])
    benign, malignant = scores_picture(scores, theme=LIGHT, names=("benign", "malignant")).data
    assert np.argmax(benign["y"]) < np.argmax(malignant["y"])
    assert (benign["name"], malignant["name"]) == ("benign", "malignant")
    assert benign["line"]["dash"] != malignant["line"]["dash"]


def test_bins_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="^bins must be"):
        scores_picture(ScoreHistogram.empty(), theme=LIGHT, bins=1)
