"""The reliability diagram: hollow and solid is true, filled and dashed is private."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore._numbers import ANY, BANDS
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import (
    CalibrationTable,
    TrueCalibration,
    private_calibration,
    true_calibration,
)
from dpcore.figures import DARK, LIGHT
from dpcore.figures.calibration import calibration_picture
from tests.figures._traces import trace

SCORES = np.linspace(0.005, 0.995, 5000)
HISTOGRAM = ScoreHistogram.from_arrays(np.arange(5000) % 11 / 11 < SCORES, SCORES)


def released(epsilon: str = "1", groups: int = 8) -> CalibrationTable:
    return private_calibration(
        HISTOGRAM, epsilon=epsilon, groups=groups, edges="fixed", noise=SeededNoise(3)
    ).table


def truth() -> TrueCalibration:
    return true_calibration(HISTOGRAM, groups=8, edges="fixed")


def test_true_is_solid_and_hollow_and_private_is_dashed_and_filled() -> None:
    picture = calibration_picture(released(), theme=LIGHT, truth=truth())
    true, private = trace(picture, "true"), trace(picture, "private")
    assert (true["marker"]["symbol"], "dash" in true["line"]) == ("circle-open", False)
    assert (private["marker"]["symbol"], private["line"]["dash"]) == ("square", "dash")
    assert true["line"]["color"] != private["line"]["color"]


def test_the_bars_reach_the_ends_of_the_band() -> None:
    table = released()
    bars = trace(calibration_picture(table, theme=LIGHT), BANDS[0])
    top = np.array(bars["y"]) + bars["error_y"]["array"]
    bottom = np.array(bars["y"]) - bars["error_y"]["arrayminus"]
    assert np.allclose([bottom, top], table.observed_band, atol=2e-5)


def test_the_population_band_is_drawn_apart_and_on_demand() -> None:
    table = released()
    narrow = calibration_picture(table, theme=LIGHT)
    both = calibration_picture(table, theme=LIGHT, population=True)
    assert BANDS[1] not in [trace["name"] for trace in narrow.data]
    wide, bars = trace(both, BANDS[1]), trace(both, BANDS[0])
    assert wide["error_y"]["thickness"] > bars["error_y"]["thickness"]
    assert np.all(np.array(wide["error_y"]["array"]) >= np.array(bars["error_y"]["array"]) - 1e-9)
    assert "population" in both.alt
    assert "population" not in narrow.alt


def test_a_group_of_which_nothing_is_known_is_crossed_out_and_off_the_line() -> None:
    told = calibration_picture(released(), theme=LIGHT)
    assert not trace(told, ANY)["showlegend"]
    drowned = released(epsilon="0.001")
    picture = calibration_picture(drowned, theme=LIGHT)
    crossed = trace(picture, ANY)
    assert crossed["showlegend"]
    assert len(crossed["x"]) + len(trace(picture, "private")["x"]) == 8
    assert len(crossed["x"]) == (np.ptp(drowned.observed_band, axis=0) >= 1).sum() > 0


def test_groups_without_records_have_no_true_rate() -> None:
    exact = truth()
    emptied = replace(exact, n=np.where(np.arange(8) < 3, 0, exact.n))
    picture = calibration_picture(released(), theme=LIGHT, truth=emptied)
    assert len(trace(picture, "true")["x"]) == 5


def test_sizes_stand_between_the_edges_of_their_groups() -> None:
    table = released()
    sizes = trace(calibration_picture(table, theme=LIGHT), "records")
    assert sizes["y"] == table.n.tolist()
    assert np.allclose(np.array(sizes["x"]) - np.array(sizes["width"]) / 2, table.lower, atol=2e-5)


def test_a_private_release_shows_no_truth_and_no_stamp() -> None:
    picture = calibration_picture(released(), theme=LIGHT, simulated=False)
    assert "true" not in [trace["name"] for trace in picture.data]
    assert picture.layout["annotations"] == []
    assert "true" not in picture.alt


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_plotly_accepts_the_figure_and_it_is_small(theme) -> None:
    picture = calibration_picture(released(groups=20), theme=theme, truth=truth(), population=True)
    assert len(picture.figure().data) == 6
    assert sum(len(trace["x"]) for trace in picture.data) <= 2000
    assert len(picture.to_json()) < 12_000


def test_the_alt_text_names_what_is_drawn() -> None:
    words = calibration_picture(released(), theme=LIGHT, truth=truth(), positive="spam").alt
    for word in ("spam", "squares", "circles", "diagonal", "cross"):
        assert word in words
