"""The server's settings exist in this Streamlit, protect the data, and give readable colours."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit import config

from tests.test_architecture import ROOT

SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
READABLE = 4.5  # WCAG 2.2, success criterion 1.4.3: text
CAPTION_OPACITY = 0.6  # st.caption and the text beneath a file uploader
VISIBLE = 3.0  # WCAG 2.2, success criterion 1.4.11: controls


def flat(table: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def luminance(color: str) -> float:
    """Relative luminance of "#rrggbb" as WCAG defines it."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(front: str, back: str, opacity: float) -> str:
    """The colour that is seen where `front` lies over `back` with that opacity."""
    pairs = [(int(front[i : i + 2], 16), int(back[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(opacity * f + (1 - opacity) * b):02x}" for f, b in pairs)


@pytest.mark.parametrize("name", list(flat(SETTINGS)))
def test_the_setting_exists_in_this_streamlit(name: str) -> None:
    assert name in config.get_config_options(force_reparse=False)


@pytest.mark.parametrize(
    "section, name, value",
    [
        ("browser", "gatherUsageStats", False),
        ("client", "showErrorDetails", "type"),
        ("client", "toolbarMode", "minimal"),
        ("server", "address", "localhost"),
        ("server", "enableXsrfProtection", True),
        ("server", "enableCORS", True),
        ("server", "enableAgentApi", False),
        ("server", "enableExpensiveMemoryStats", False),
        ("server", "maxUploadSize", 100),
        ("server", "showEmailPrompt", False),
    ],
)
def test_the_server_is_careful(section: str, name: str, value: object) -> None:
    assert SETTINGS[section][name] == value


def test_contrast_is_the_published_one() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


HUES = ("blue", "green", "orange", "red", "yellow")
PAIRS = [
    ("textColor", "backgroundColor", READABLE),
    ("textColor", "secondaryBackgroundColor", READABLE),
    ("linkColor", "backgroundColor", READABLE),
    ("linkColor", "secondaryBackgroundColor", READABLE),
    ("codeTextColor", "codeBackgroundColor", READABLE),
    ("dataframeHeaderTextColor", "dataframeHeaderBackgroundColor", READABLE),
    # A slider writes its value in the primary colour.
    ("primaryColor", "backgroundColor", READABLE),
    ("primaryColor", "secondaryBackgroundColor", READABLE),
    ("blueColor", "backgroundColor", VISIBLE),
    *((f"{hue}TextColor", f"{hue}BackgroundColor", READABLE) for hue in HUES),
    *((f"{hue}TextColor", "backgroundColor", READABLE) for hue in HUES),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("front, back, least", PAIRS)
def test_colours_can_be_read(theme: str, front: str, back: str, least: float) -> None:
    colors = SETTINGS["theme"][theme]
    assert contrast(colors[front], colors[back]) >= least


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("back", ["backgroundColor", "secondaryBackgroundColor"])
def test_captions_can_be_read(theme: str, back: str) -> None:
    colors = SETTINGS["theme"][theme]
    faded = mixed(colors["textColor"], colors[back], CAPTION_OPACITY)
    assert contrast(faded, colors[back]) >= READABLE


@pytest.mark.parametrize("theme, first", [("light", "#0072B2"), ("dark", "#56B4E9")])
def test_charts_use_the_okabe_ito_colours(theme: str, first: str) -> None:
    colors = SETTINGS["theme"][theme]
    assert colors["primaryColor"] == colors["chartCategoricalColors"][0] == first
    okabe_ito = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"}
    assert set(colors["chartCategoricalColors"]) - {"#000000", "#FFFFFF"} == okabe_ito
    assert len(colors["chartSequentialColors"]) == 10
