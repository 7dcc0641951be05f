"""The ECDF figure: colour is the class, solid is true, dashed is private; small and stamped."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore._numbers import BANDS
from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT
from dpcore.figures.ecdf import EcdfCurve, ecdf_picture
from dpcore.figures.picture import Picture
from tests.figures._traces import trace

GRID = np.arange(1, 65) / 64


def curve(name: str, power: float, **more) -> EcdfCurve:
    cdf = GRID**power
    band = np.stack([np.maximum(cdf - 0.1, 0), np.minimum(cdf + 0.1, 1)])
    truth = np.linspace(0, 1, 1001), np.linspace(0, 1, 1001) ** power
    return EcdfCurve(
        **{"name": name, "grid": GRID, "cdf": cdf, "band": band, "truth": truth} | more
    )


def drawn(**more) -> Picture:
    return ecdf_picture(curve("ham", 0.3), curve("spam", 3), theme=LIGHT, **more)


@pytest.mark.parametrize("name, colour", [("ham", LIGHT.negative), ("spam", LIGHT.positive)])
def test_true_is_solid_and_private_is_dashed_in_the_colour_of_the_class(
    name: str, colour: str
) -> None:
    picture = drawn()
    true, private = trace(picture, f"{name}, true"), trace(picture, f"{name}, private")
    assert "dash" not in true["line"]
    assert private["line"]["dash"] == "dash"
    assert private["line"]["color"] == colour
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    assert true["line"]["color"].startswith(f"rgba({red}, {green}, {blue}")


def test_the_legend_names_classes_styles_and_bands_once() -> None:
    wide = np.stack([np.zeros(64), np.ones(64)])
    picture = ecdf_picture(
        curve("ham", 0.3, wide_band=wide), curve("spam", 3, wide_band=wide), theme=DARK
    )
    shown = [trace["name"] for trace in picture.data if trace.get("showlegend")]
    assert shown == ["ham", "spam", "true", "private", *BANDS]


def test_a_private_release_shows_no_truth_and_no_stamp() -> None:
    sides = (curve(name, 1, truth=None) for name in ("ham", "spam"))
    picture = ecdf_picture(*sides, theme=LIGHT, simulated=False)
    assert not [trace for trace in picture.data if "true" in trace["name"]]
    assert picture.layout["annotations"] == []
    assert "true" not in picture.alt


def test_an_empty_class_is_noise_alone() -> None:
    picture = ecdf_picture(curve("ham", 0.3), curve("spam", 3, truth=None), theme=LIGHT)
    names = [trace["name"] for trace in picture.data]
    assert "spam, private" in names
    assert "spam, true" not in names


def test_bands_lie_under_the_curves_and_are_filled_to_their_lower_end() -> None:
    picture = drawn()
    names = [trace["name"] for trace in picture.data]
    filled = [at for at, trace in enumerate(picture.data) if trace.get("fill") == "tonexty"]
    assert len(filled) == 2
    assert max(filled) < names.index("ham, true") < names.index("ham, private")
    for at in filled:
        low, high = picture.data[at - 1], picture.data[at]
        assert np.interp(0.5, low["x"], low["y"]) < np.interp(0.5, high["x"], high["y"])


def test_the_marked_level_shows_quantiles_with_their_intervals() -> None:
    sides = (curve(name, 1, quantile=(0.4, 0.5, 0.7)) for name in ("ham", "spam"))
    picture = ecdf_picture(*sides, theme=LIGHT, level=0.25)
    mark = trace(picture, "spam, quantile")
    assert (mark["x"], mark["y"]) == ([0.5], [0.25])
    assert (mark["error_x"]["arrayminus"], mark["error_x"]["array"]) == ([0.1], [0.2])
    assert picture.layout["shapes"][0]["y0"] == 0.25
    assert "0.25" in picture.alt
    with pytest.raises(InvalidArgument, match="^level must be"):
        drawn(level=1.5)


def test_a_logarithmic_axis_sees_no_score_below_its_edge() -> None:
    sides = (curve(name, 1, quantile=(0.0, 0.0, 0.01)) for name in ("ham", "spam"))
    picture = ecdf_picture(*sides, theme=LIGHT, level=0.5, logarithmic=True)
    assert picture.layout["xaxis"]["type"] == "log"
    numbers = [x for trace in picture.data for x in trace["x"] if x is not None]
    assert min(numbers) > 0


@pytest.mark.parametrize("logarithmic", [False, True])
def test_the_largest_figure_stays_within_two_thousand_points(logarithmic: bool) -> None:
    grid = np.geomspace(1e-4, 1, 2**14) if logarithmic else np.arange(1, 2**14 + 1) / 2**14
    rough = np.clip(grid + 0.1 * np.sin(40_000 * grid), 0, 1)
    band = np.stack([grid**2, np.sqrt(grid)])
    line = np.linspace(0, 1, 65_537)
    side = EcdfCurve(
        name="spam", grid=grid, cdf=rough, band=band, wide_band=band, truth=(line, np.sqrt(line))
    )
    picture = ecdf_picture(side, side, theme=LIGHT, logarithmic=logarithmic)
    assert sum(len(trace["x"]) for trace in picture.data) <= 2000
    assert len(picture.to_json()) < 60_000


def test_every_colour_is_explicit() -> None:
    for one in drawn(level=0.5).data:
        line = one.get("line", {})
        assert one.get("fillcolor") or line.get("color") or line.get("width") == 0


def test_the_alt_text_names_what_is_drawn() -> None:
    for word in ("ham", "spam", "dashed", "solid", "bands"):
        assert word in drawn().alt


def test_plotly_accepts_the_figure() -> None:
    assert len(drawn(level=0.5).figure().data) == len(drawn(level=0.5).data)
