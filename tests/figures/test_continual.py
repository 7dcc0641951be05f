"""The figure of running counts."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT
from dpcore.figures.continual import running_counts_picture


def test_true_is_solid_private_is_dashed_and_the_band_lies_below():
    counts = np.arange(5)
    band = np.stack([counts - 2, counts + 2])
    picture = running_counts_picture(counts, truth=counts, band=band, theme=LIGHT)
    lower, upper, true, private = picture.data
    assert (lower["showlegend"], upper["fill"]) == (False, "tonexty")
    assert "dash" not in true["line"]
    assert private["line"]["dash"] == "dash"
    assert private["x"] == [1, 2, 3, 4, 5]
    assert [word["text"] for word in picture.layout["annotations"]] == ["SIMULATION"]
    picture.figure()


def test_a_private_release_has_no_truth_and_no_stamp():
    picture = running_counts_picture([1.0, 2.0], theme=DARK, simulated=False)
    assert [trace["name"] for trace in picture.data] == ["private"]
    assert picture.layout["annotations"] == []
    assert "true" not in picture.alt


def test_long_streams_are_thinned():
    picture = running_counts_picture(np.arange(100_000), theme=LIGHT)
    assert len(picture.data[0]["x"]) <= 400
    assert picture.data[0]["x"][-1] == 100_000


@pytest.mark.parametrize("name, wrong", [("truth", [1, 2, 3]), ("band", [1, 2])])
def test_other_lengths_are_refused(name, wrong):
    with pytest.raises(InvalidArgument, match=f"^{name} must be of shape"):
        running_counts_picture([1, 2], theme=LIGHT, **{name: wrong})
