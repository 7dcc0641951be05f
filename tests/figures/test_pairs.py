"""Maps of what two columns say together."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.curves.model_curves.effects import PairEffect
from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT
from dpcore.figures.pairs import pairs_picture

PAIR = PairEffect(
    ("dose", "<b>job</b>"),
    (("below 5", "from 5"), ("a level of very many letters", "b", "other")),
    np.array([[1.0, -2.0, 1.0], [-1.0, 2.0, -1.0]]),
)


def test_the_first_column_is_across_and_colours_are_alike_either_way() -> None:
    picture = pairs_picture([PAIR], theme=LIGHT, positive="ill")
    (trace,) = picture.data
    assert np.array(trace["z"]).shape == (3, 2)
    assert picture.layout["xaxis"]["ticktext"] == ["below 5", "from 5"]
    assert picture.layout["yaxis"]["ticktext"][1:] == ["b", "other"]
    assert trace["text"][1][1] == "dose from 5, &lt;b&gt;job&lt;/b&gt; b"
    colours = picture.layout["coloraxis"]
    assert (colours["cmin"], colours["cmax"]) == (-2.0, 2.0)
    assert "“ill”" in picture.alt
    dark = pairs_picture([PAIR], theme=DARK).layout["coloraxis"]
    assert dark["colorscale"] != colours["colorscale"]


def test_each_pair_has_its_own_axes_in_rows_of_two() -> None:
    picture = pairs_picture([PAIR] * 3, theme=LIGHT)
    assert [trace["xaxis"] for trace in picture.data] == ["x", "x2", "x3"]
    assert picture.layout["grid"] == {"rows": 2, "columns": 2, "pattern": "independent"}
    assert picture.height > pairs_picture([PAIR], theme=LIGHT).height
    assert len(picture.figure().data) == 3


def test_without_a_pair_there_is_no_map() -> None:
    with pytest.raises(InvalidArgument, match="one pair or more"):
        pairs_picture([], theme=LIGHT)
