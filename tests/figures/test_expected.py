"""The projected band is a simulation, and says so."""

from __future__ import annotations

import numpy as np

from dpcore.figures import DARK, LIGHT
from dpcore.figures.expected import expected_picture

X = np.linspace(0, 1, 11)


def test_the_band_lies_around_the_median() -> None:
    picture = expected_picture(X, X, (X - 0.1, X + 0.1), theme=LIGHT, axes=("a", "b"))
    low, high, median = picture.data
    assert np.all(np.array(low["y"]) < median["y"])
    assert np.all(np.array(high["y"]) > median["y"])
    assert high["fill"] == "tonexty"
    assert median["line"]["dash"] == "dash"


def test_it_is_stamped_and_titled() -> None:
    picture = expected_picture(X, X, (X, X), theme=DARK, axes=("score", "share"))
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    assert picture.layout["xaxis"]["title"]["text"] == "score"
    assert "share over score" in picture.alt
