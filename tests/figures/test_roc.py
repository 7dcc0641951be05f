"""The ROC figure: dashed private over solid true, stamped, small enough to send."""

from __future__ import annotations

import numpy as np

from dpcore._numbers import BANDS
from dpcore.figures import DARK, LIGHT, roc_picture, true_trace
from dpcore.figures.roc import expected_picture, roc_frame

FPR, TPR = np.linspace(0, 1, 11), np.linspace(0, 1, 11) ** 0.5
BAND = FPR, np.maximum(TPR - 0.1, 0), np.minimum(TPR + 0.1, 1)


def test_true_is_solid_and_private_is_dashed() -> None:
    picture = roc_picture(FPR, TPR, theme=LIGHT, truth=true_trace(FPR, TPR, LIGHT))
    true, private = picture.data
    assert (true["name"], true["line"].get("dash", "solid")) == ("true", "solid")
    assert (private["name"], private["line"]["dash"]) == ("private", "dash")
    assert true["line"]["color"] != private["line"]["color"]


def test_a_private_release_shows_no_truth_and_no_stamp() -> None:
    picture = roc_picture(FPR, TPR, theme=LIGHT, simulated=False)
    assert [trace["name"] for trace in picture.data] == ["private"]
    assert picture.layout["annotations"] == []
    assert "true curve" not in picture.alt


def test_the_band_lies_under_the_curves_and_is_named() -> None:
    picture = roc_picture(FPR, TPR, theme=DARK, band=BAND, band_name="privacy band, 90 %")
    low, high, private = picture.data
    assert (high["name"], high["fill"]) == ("privacy band, 90 %", "tonexty")
    assert np.all(np.array(high["y"]) >= np.interp(high["x"], low["x"], low["y"]))
    assert private["name"] == "private"


def test_every_colour_is_explicit() -> None:
    picture = roc_picture(FPR, TPR, theme=DARK, truth=true_trace(FPR, TPR, DARK), band=BAND)
    for trace in picture.data:
        assert trace["line"]["color"] in (DARK.true, DARK.private)


def test_a_curve_of_many_points_stays_small() -> None:
    x = np.linspace(0, 1, 100_001)
    picture = roc_picture(x, np.sqrt(x), theme=LIGHT)
    assert len(picture.data[0]["x"]) < 200
    assert len(picture.to_json()) < 20_000


def test_the_alt_text_names_what_is_drawn() -> None:
    picture = roc_picture(FPR, TPR, theme=LIGHT, truth=true_trace(FPR, TPR, LIGHT), band=BAND)
    for word in ("dashed", "solid", "band", "diagonal"):
        assert word in picture.alt


def test_a_frame_moves_the_private_curve_and_its_band_only() -> None:
    picture = roc_picture(FPR, TPR, theme=LIGHT, truth=true_trace(FPR, TPR, LIGHT), band=BAND)
    frame = roc_frame(FPR, TPR**2, name="0.5", band=BAND)
    moved = [picture.data[place].get("name") for place in frame["traces"]]
    assert moved == [None, BANDS[0], "private"]
    assert frame["data"][2]["y"] != picture.data[3]["y"]
    assert frame["data"][0]["y"] == picture.data[0]["y"]


def test_a_frame_without_band_or_truth() -> None:
    assert roc_frame(FPR, TPR, name="a")["traces"] == [1]
    assert roc_frame(FPR, TPR, name="a", truth=False)["traces"] == [0]
    assert roc_frame(FPR, TPR, name="a", band=BAND, truth=False)["traces"] == [0, 1, 2]


def test_the_wide_band_is_dotted_and_kept_apart() -> None:
    wide = FPR, np.maximum(TPR - 0.2, 0), np.minimum(TPR + 0.2, 1)
    true = true_trace(FPR, TPR, LIGHT)
    picture = roc_picture(FPR, TPR, theme=LIGHT, truth=true, band=BAND, wide_band=wide)
    *_, private, low, high = picture.data
    assert (private["name"], high["name"]) == ("private", BANDS[1])
    assert [one["line"]["dash"] for one in (private, low, high)] == ["dash", "dot", "dot"]
    assert "fill" not in high
    assert "between the dotted lines" in picture.alt
    frame = roc_frame(FPR, TPR, name="a", band=BAND, wide_band=wide)
    assert frame["traces"] == [0, 1, 3, 4, 5]
    assert [frame["data"][place]["y"] for place in (3, 4)] == [low["y"], high["y"]]


def test_the_projected_band_lies_around_the_median_of_simulated_releases() -> None:
    picture = expected_picture(FPR, FPR, (FPR - 0.1, FPR + 0.1), theme=LIGHT, axes=("a", "b"))
    low, high, median = picture.data
    assert np.all(np.array(low["y"]) < median["y"])
    assert np.all(np.array(high["y"]) > median["y"])
    assert high["fill"] == "tonexty"
    assert median["line"]["dash"] == "dash"


def test_the_projected_band_is_stamped_and_titled() -> None:
    picture = expected_picture(FPR, FPR, (FPR, FPR), theme=DARK, axes=("score", "share"))
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    assert picture.layout["xaxis"]["title"]["text"] == "score"
    assert "share over score" in picture.alt
