"""Score distributions: shares of each class that add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.figures import LIGHT, scores_picture


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
