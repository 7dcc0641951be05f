"""Colours and layout of every figure: Okabe-Ito, for a light and a dark page."""

import tomllib
from dataclasses import dataclass
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, Json

FONT = '"Source Sans", "Source Sans Pro", system-ui, sans-serif'


@dataclass(frozen=True, kw_only=True)
class Theme:
    """Colours by their role, so that no figure names a colour.

    Parameters
    ----------
    name : {"light", "dark"}
    text, muted, grid, surface : str
        Words, secondary words, lines behind the data, and the box of a hover label.
    page : str
        What an exported document is printed on; figures themselves are transparent.
    true, private : str
        The exact quantity (drawn solid) and the released one (drawn dashed).
    positive, negative : str
        The two classes.

    Examples
    --------
    >>> LIGHT.true, DARK.name
    ('#0072B2', 'dark')
    """

    name: str
    text: str
    muted: str
    grid: str
    surface: str
    page: str
    true: str
    private: str
    positive: str
    negative: str

    def band(self, opacity: float) -> str:
        """The colour of a band about what is released, of that opacity on a light page."""
        return translucent(self.private, _DENSITY[self.name] * opacity)


# How many times as dense a band is as on a light page: as pale a one is hardly seen in the dark.
_DENSITY = {"light": 1.0, "dark": 1.75}
TOLD = tomllib.loads(Path(__file__).with_name("themes.toml").read_text(encoding="utf-8"))
LIGHT, DARK = (Theme(name=name, **TOLD[name]) for name in ("light", "dark"))
# Which digits of each power of ten have a tick on a logarithmic axis, up to so many decades.
_TICKS = ((0.5, range(1, 10)), (2.6, (1, 2, 5)), (np.inf, (1,)))
_MOST_DECADES = 6
_THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def theme_of(name: str) -> Theme:
    """The theme of that name.

    Raises
    ------
    InvalidArgument
        If the name is neither "light" nor "dark".

    Examples
    --------
    >>> theme_of("dark").private
    '#E69F00'
    """
    _check.one_of(tuple(_THEMES), theme=name)
    return _THEMES[name]


def channels(colour: str) -> str:
    """Red, green and blue of a "#RRGGBB" colour, as CSS writes them between commas."""
    return ", ".join(str(int(colour[start : start + 2], 16)) for start in (1, 3, 5))


def translucent(colour: str, opacity: float) -> str:
    """A "#RRGGBB" colour as CSS with an opacity in [0, 1].

    Examples
    --------
    >>> translucent("#0072B2", 0.25)
    'rgba(0, 114, 178, 0.25)'
    """
    _check.in_range(0, 1, opacity=opacity)
    return f"rgba({channels(colour)}, {opacity:g})"


def axis(theme: Theme, title: str, **settings: Any) -> Json:
    """One axis: quiet lines, outside ticks, a title that keeps clear of the numbers."""
    return {
        **TOLD["axis"],
        "title": {"text": title, "font": {"size": 14, "color": theme.text}, "standoff": 10},
        "color": theme.muted,
        "gridcolor": theme.grid,
        "linecolor": theme.grid,
        "tickfont": {"size": 12.5, "color": theme.muted},
        **settings,
    }


def log_axis(theme: Theme, title: str, *values: ArrayLike, **settings: Any) -> Json:
    """A logarithmic axis over these values, with a few ticks, each of them a number to be read.

    Examples
    --------
    >>> log_axis(LIGHT, "records", [200, 3000])["ticktext"]
    ['200', '500', '1,000', '2,000']
    >>> log_axis(LIGHT, "chance", [1e-8, 1])["tickvals"]
    [1e-08, 1e-06, 0.0001, 0.01, 1.0]
    """
    shown = [one for some in values for one in np.ravel(some) if one is not None and one > 0]
    logs = np.log10(shown or [1.0])
    low, high = float(logs.min()) - 0.05, float(logs.max()) + 0.05
    digits = next(some for most, some in _TICKS if high - low <= most)
    every = ceil((high - low) / _MOST_DECADES)
    ticks = [
        float(f"{digit}e{decade}")
        for decade in range(floor(low), ceil(high) + 1)
        for digit in digits
        if decade % every == 0 and low <= decade + log10(digit) <= high
    ]
    words = [f"{at:,g}" if 1e-4 <= at < 1e6 else f"10<sup>{log10(at):.0f}</sup>" for at in ticks]
    return axis(theme, title, type="log", tickvals=ticks, ticktext=words, **settings)


def base_layout(theme: Theme, **settings: Any) -> Json:
    """The layout that all figures share; importing Streamlit would change Plotly's own default."""
    return {
        **TOLD["layout"],
        "template": {},
        "font": {"family": FONT, "size": 14, "color": theme.text},
        "margin": {"l": 8, "r": 8, "t": 28, "b": 8},
        "hoverlabel": {
            "bgcolor": theme.surface,
            "bordercolor": theme.grid,
            "font": {"family": FONT, "size": 13, "color": theme.text},
        },
        "legend": {**TOLD["legend"], "font": {"size": 13, "color": theme.text}},
        **settings,
    }


def note(
    text: str, x: float, y: float, corner: str, *, color: str, size: float = 12.5, **settings: Any
) -> Json:
    """Words without an arrow; `corner` says which corner of theirs is there, as in "left top"."""
    across, up = corner.split()
    place = {"x": x, "xanchor": across, "y": y, "yanchor": up}
    font = {"size": size, "color": color}
    return {"text": text, "font": font, "showarrow": False, **place, **settings}


SIMULATION, EXACT = "SIMULATION", "exact, not private"


def stamp(theme: Theme, simulated: bool, *, exact: bool = False, above: int = 6) -> list[Json]:
    """What stands in the corner of a figure that no release would show, so many pixels above it.

    "SIMULATION" where seeded noise went into it, and what `exact` facts of the data are, where none
    did.
    """
    if not simulated:
        return []
    text = EXACT if exact else SIMULATION
    paper: Json = {"xref": "paper", "yref": "paper", "yshift": above}
    return [note(text, 1, 1, "right bottom", color=theme.muted, size=11.5, **paper)]
