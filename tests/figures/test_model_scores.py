"""The threshold on the scores: its line, its words, and nothing else changed."""

from __future__ import annotations

import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Theme, scores_picture
from dpcore.figures.model_scores import model_scores_picture

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
    assert stamp["text"] == "SIMULATION"
    assert (word["x"], word["xanchor"]) == (threshold, side)
    assert f"threshold {threshold:g}" in picture.alt
    assert picture.figure().layout.shapes[0].x0 == threshold


def test_a_threshold_beyond_the_scores_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="threshold"):
        model_scores_picture(SCORES, 1.2, theme=LIGHT)
