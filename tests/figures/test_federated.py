"""Figures of federations."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.figures import DARK, LIGHT, Theme
from dpcore.figures.federated import (
    federated_picture,
    redraws_picture,
    seen_picture,
    traffic_picture,
)

ERRORS = {"curator": np.array([0.01, 0.02, 0.04]), "parties": np.array([0.02, 0.03, 0.05])}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_trust_model_has_its_steps_and_the_chosen_one_stands_out(theme: Theme) -> None:
    picture = redraws_picture(ERRORS, chosen="parties", here=0.024, theme=theme)
    curator, parties = picture.data
    assert parties["x"] == [0.02, 0.03, 0.05]
    np.testing.assert_allclose(parties["y"], [1 / 3, 2 / 3, 1], atol=1e-3)
    assert parties["line"]["width"] > curator["line"]["width"]
    assert picture.layout["shapes"][0]["x0"] == 0.024
    assert "curator 2.0 %, parties 3.0 %" in picture.alt
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    # Where all are near to each other a label of whole percents stands at two places.
    assert picture.layout["xaxis"]["tickformat"] == "~%"
    assert picture.figure().data


def test_an_error_of_the_auc_is_no_share() -> None:
    auc = "error of the AUC"
    picture = redraws_picture(ERRORS, chosen="parties", here=0.024, theme=LIGHT, what=auc)
    assert "parties 0.030" in picture.alt
    assert auc in picture.layout["xaxis"]["title"]["text"]
    assert not picture.layout["xaxis"]["tickformat"]


GRID = np.linspace(0.1, 1.0, 10)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_published_curve_is_dashed_over_the_true_one(theme: Theme) -> None:
    band = np.stack([GRID / 2, np.minimum(2 * GRID, 1)])
    told = {"cdf": GRID**2, "band": band, "quantile": (0.5, 0.7)}
    picture = federated_picture(GRID, GRID, theme=theme, band_name="privacy band", **told)
    by_name = {trace["name"]: trace for trace in picture.data}
    assert by_name["federated"]["line"]["dash"] == "dash"
    assert "dash" not in by_name["true"]["line"]
    assert by_name["quantile, by Algorithm 1"]["x"] == [0.7]
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    assert picture.figure().data


def test_if_nothing_is_published_only_the_truth_is_drawn() -> None:
    picture = federated_picture(GRID, GRID, theme=LIGHT, band_name="privacy band")
    assert [trace["name"] for trace in picture.data] == ["true"]
    assert "none is published" in picture.alt


def test_the_chosen_trust_model_stands_out() -> None:
    once = np.array([1, 10, 100])
    sizes = {"a": once * 7.0, "b": once * 0.0 + 50.0}
    picture = traffic_picture(once, sizes, chosen="b", at=10, theme=LIGHT)
    widths = {trace["name"]: trace["line"]["width"] for trace in picture.data}
    assert widths == {"a": 2, "b": 4}
    assert picture.layout["shapes"][0]["x0"] == 10
    assert "a 700 bytes, b 50 bytes" in picture.alt
    assert picture.figure().data


@pytest.mark.parametrize(
    "even, lines", [(True, ["seen by x", "all alike"]), (False, ["seen by x"])]
)
def test_masked_bytes_are_compared_with_an_even_level(even: bool, lines: list[str]) -> None:
    picture = seen_picture(np.array([3, 5, 4, 4]), who="x", even=even, theme=DARK)
    assert [trace["name"] for trace in picture.data] == lines
    assert "between 3 and 5 in each of 4 parts" in picture.alt
    assert picture.figure().data
