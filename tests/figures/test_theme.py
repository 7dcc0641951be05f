"""Colours: told apart, legible, and the same as those of the page."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Theme, theme_of
from dpcore.figures.theme import base_layout, log_axis, stamp, translucent
from tests.test_streamlit_config import mixed

ROOT = Path(__file__).resolve().parents[2]
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


def luminance(colour: str) -> float:
    """Relative luminance of "#RRGGBB", as WCAG 2 defines it."""
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@THEMES
def test_words_are_legible(theme: Theme) -> None:
    for words in (theme.text, theme.muted):
        assert contrast(words, theme.page) >= 4.5
        assert contrast(words, theme.surface) >= 4.5


@THEMES
def test_lines_stand_out(theme: Theme) -> None:
    for line in (theme.true, theme.private, theme.positive):
        assert contrast(line, theme.page) >= 3
    # Reddish purple is a little lighter; its outline is dotted and two pixels wide.
    assert contrast(theme.negative, theme.page) >= 2.9


@THEMES
def test_roles_have_their_own_colours(theme: Theme) -> None:
    roles = (theme.true, theme.private, theme.positive, theme.negative)
    assert all(one != other for one, other in combinations(roles, 2))


@THEMES
def test_the_page_is_the_one_that_streamlit_draws(theme: Theme) -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    colours = config["theme"][theme.name]
    assert (colours["backgroundColor"], colours["textColor"]) == (theme.page, theme.text)


@pytest.mark.parametrize("theme, least", [(LIGHT, 1.2), (DARK, 1.6)])
def test_a_band_and_its_sign_in_the_legend_can_be_seen(theme: Theme, least: float) -> None:
    """Near black, a ratio that is seen on white is none."""
    opacity = float(theme.band(0.16).rpartition(", ")[2].rstrip(")"))
    assert contrast(mixed(theme.private, theme.page, opacity), theme.page) > least


@THEMES
def test_figures_are_transparent_and_leave_nothing_to_a_default_template(theme: Theme) -> None:
    layout = base_layout(theme)
    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0, 0, 0, 0)"
    assert layout["template"] == {}


def test_only_simulations_are_stamped() -> None:
    assert stamp(LIGHT, simulated=True)[0]["text"] == "SIMULATION"
    assert stamp(LIGHT, simulated=False) == []


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        # Less than a decade: Plotly's own ticks would be one or none.
        ([0.021, 0.045], ["0.02", "0.03", "0.04", "0.05"]),
        ([0.002, 0.06], ["0.002", "0.005", "0.01", "0.02", "0.05"]),
        ([0.05, 10], ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"]),
        ([0.01, 10], ["0.01", "0.1", "1", "10"]),
        ([1e-45, 1e-39], [f"10<sup>{power}</sup>" for power in (-44, -42, -40)]),
        ([None, 0, 3, np.nan], ["3"]),
    ],
)
def test_ticks_of_a_logarithmic_axis_can_be_read(values: list[float], ticks: list[str]) -> None:
    assert log_axis(LIGHT, "x", values)["ticktext"] == ticks


def test_names_are_checked() -> None:
    assert theme_of("light") is LIGHT
    with pytest.raises(InvalidArgument, match="'light', 'dark'"):
        theme_of("solarized")
    with pytest.raises(InvalidArgument, match="^opacity must be"):
        translucent("#000000", 2)
