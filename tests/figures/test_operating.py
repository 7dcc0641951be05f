"""1,000 people at a threshold, and the curves over all thresholds: words, bands and marks."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore._numbers import BANDS
from dpcore.evaluation.roc.operating import BandedCurve
from dpcore.figures import DARK, LIGHT, Theme
from dpcore.figures.operating import AXES, People, operating_picture, people_picture
from dpcore.figures.picture import frames_between
from tests.figures._traces import trace

CELLS = [
    People(words="positives flagged", count=72.0, lower=37.0, upper=94.0, true=73.0),
    People(words="negatives left alone", count=928.0, lower=906.0, upper=963.0, true=927.0),
]
X = np.linspace(0.005, 0.995, 199)
CURVE = BandedCurve(X, 1 - X / 2, 0.8 - X / 2, np.minimum(1.2 - X / 2, 1))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_bars_reach_to_the_ends_of_their_intervals_beside_true_ticks(theme: Theme) -> None:
    picture = people_picture(CELLS, theme=theme, positive="<b>ill</b>")
    bars, reach, ticks = (trace(picture, name) for name in ("private", BANDS[0], "true"))
    assert bars["x"] == reach["x"] == [72.0, 928.0]
    assert np.add(reach["x"], reach["error_x"]["array"]).tolist() == [94.0, 963.0]
    assert np.subtract(reach["x"], reach["error_x"]["arrayminus"]).tolist() == [37.0, 906.0]
    assert ticks["x"] == [73.0, 927.0]
    assert ticks["marker"]["line"]["color"] == theme.true
    assert bars["marker"]["line"]["color"] == reach["error_x"]["color"] == theme.private
    assert trace(picture, "people")["text"][0] == "positives flagged: <b>72</b> (37 to 94); true 73"
    assert "&lt;b&gt;ill" in picture.layout["xaxis"]["title"]["text"]
    assert picture.figure().data


def test_a_private_release_shows_no_truth_and_no_stamp() -> None:
    cells = [People(words="positives flagged", count=72.0, lower=37.0, upper=94.0)]
    everybody = People(words="all", count=1000.0, lower=954.4, upper=1000.0, true=1000.0)
    assert everybody.label.endswith("(954 to 1,000); true 1,000")
    people = people_picture(cells, theme=LIGHT, simulated=False)
    curve = operating_picture("gains", CURVE, theme=LIGHT, at=(0.2, 0.5))
    for picture in (people, curve):
        assert "true" not in [one.get("name") for one in picture.data]
        assert "true" not in picture.alt
    assert people.layout["annotations"] == []
    assert "true" not in trace(people, "people")["text"][0]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("name", AXES)
def test_a_curve_is_dashed_over_the_solid_true_one_with_a_mark(name: str, theme: Theme) -> None:
    truth = X, 0.9 - X / 2
    everybody = 0.3 - 0.7 * X / (1 - X) if name == "net_benefit" else None
    picture = operating_picture(
        name, CURVE, theme=theme, at=(0.2, 0.5), truth=truth, everybody=everybody, top=0.4
    )
    private, true = trace(picture, "private"), trace(picture, "true")
    assert (private["line"]["dash"], private["line"]["color"]) == ("dash", theme.private)
    assert (true["line"].get("dash"), true["line"]["color"]) == (None, theme.true)
    assert np.allclose(trace(picture, BANDS[0])["y"], CURVE.upper, atol=1e-3)
    assert (trace(picture, "threshold")["x"], trace(picture, "threshold")["y"]) == ([0.2], [0.5])
    assert ("flag everybody" in [one.get("name") for one in picture.data]) is (
        name == "net_benefit"
    )
    assert picture.layout["yaxis"]["range"][0] == pytest.approx(
        -0.14 if name == "net_benefit" else 0
    )
    assert picture.layout["xaxis"]["title"]["text"] == AXES[name][0]
    assert picture.figure().data
    assert len(picture.to_json()) < 30_000


def test_only_the_mark_moves_with_the_threshold() -> None:
    states = {
        str(at): operating_picture("gains", CURVE, theme=LIGHT, at=(at, 1 - at / 2))
        for at in (0.2, 0.4)
    }
    frames = frames_between(states)
    assert frames[1]["data"] == [{"x": [0.4], "y": [0.8]}]
