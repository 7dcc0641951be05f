"""Distribution functions of the scores of two classes: private against true."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from dpcore import _check
from dpcore._numbers import BANDS
from dpcore._typing import FloatArray, Json
from dpcore.evaluation import EcdfRelease
from dpcore.figures import picture
from dpcore.figures.picture import Picture
from dpcore.figures.theme import Theme, axis, translucent
from dpcore.figures.thin import LOWEST, ON_CURVE, coarse, rises, steps

# Points of each end of a band.
_ON_BAND, _ON_WIDE_BAND = 150, 125
# The dashes stand out on the wide pale line where the curves lie on each other.
_TRUE: Json = {"width": 5}
_PRIVATE: Json = {"width": 2, "dash": "dash"}


Written = Callable[[FloatArray], FloatArray]


class _Axis(NamedTuple):
    """Whether it is logarithmic, what is written at its places from 0 to 1, and its title."""

    logarithmic: bool
    written: Written
    title: str


@dataclass(frozen=True, kw_only=True)
class EcdfCurve:
    """What is known of the scores of one class, on a grid in (0, 1].

    Parameters
    ----------
    name
        Of the class.
    grid : float array, shape (points,)
        Ascending scores.
    cdf : float array, shape (points,)
        Released share of the class whose score is at most the grid point.
    band, wide_band : float array, shape (2, points), optional
        Lower and upper shares: for these records, and for the population that they come from.
    truth : (scores, shares), optional
        The exact curve, each of shape (m,); left out of a private release, and if nobody is in the
        class.
    quantile : (low, estimate, high), optional
        Scores at which the class may reach, and is said to reach, the marked level.

    Examples
    --------
    >>> EcdfCurve(name="spam", grid=np.array([0.5, 1.0]), cdf=np.array([0.2, 1.0])).cdf[-1]
    np.float64(1.0)
    """

    name: str
    grid: FloatArray
    cdf: FloatArray
    band: FloatArray | None = None
    wide_band: FloatArray | None = None
    truth: tuple[FloatArray, FloatArray] | None = None
    quantile: tuple[float, float, float] | None = None

    @classmethod
    def of(cls, name: str, released: EcdfRelease, *, sampling: bool = False, **told: Any) -> Self:
        """A released curve with its band, and the wider one if asked; `told` are other fields."""
        known = {"grid": released.grid, "cdf": released.cdf, "band": released.band}
        wide = released.sampling_band if sampling else None
        return cls(name=name, **(known | {"wide_band": wide} | told))


def ecdf_picture(
    *curves: EcdfCurve,
    theme: Theme,
    level: float | None = None,
    logarithmic: bool = False,
    written: Written = np.asarray,
    score_name: str = "score",
    private_name: str = "private",
    band_names: tuple[str, str] = BANDS,
    simulated: bool = True,
) -> Picture:
    """Draw both classes' curves: colour tells the class, solid is true, dashed is private.

    Parameters
    ----------
    *curves
        Of the negatives and of the positives; or one, of records of which no classes are known.
    level
        In (0, 1): marked by a horizontal line, and on it the quantiles of both curves.
    logarithmic
        Draws the scores from 0.0001 to 1 on a logarithmic axis.
    written
        Of scores that have linear units of their own: what is written at each place from 0 to 1.
    score_name
        What the axis calls the scores, with their units if they have some.
    private_name
        What the legend calls the released curves.
    band_names
        Of the narrow and of the wide band, in the legend.
    simulated
        Stamps the figure.

    Notes
    -----
    Between two grid points the true curve may rise anywhere: the lower end of a band stays at its
    left value and the upper end is already at its right one, so the drawn region holds the whole
    curve whenever the band holds it on the grid.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> half = np.array([0.5, 1.0])
    >>> low = EcdfCurve(name="ham", grid=half, cdf=np.array([0.9, 1.0]))
    >>> high = EcdfCurve(name="spam", grid=half, cdf=np.array([0.2, 1.0]))
    >>> picture = ecdf_picture(low, high, theme=LIGHT)
    >>> [trace["name"] for trace in picture.data if trace["showlegend"]]
    ['ham', 'spam', 'private']
    """
    if level is not None:
        _check.in_range(0, 1, level=level)
    colours = (theme.negative, theme.positive) if len(curves) > 1 else (theme.private,)
    sides = tuple(zip(curves, colours, strict=True))
    traces: list[Json] = []
    on = _Axis(logarithmic, written, score_name)
    for draw in (_wide, _narrow, _true, _private):
        for curve, colour in sides:
            traces += draw(curve, colour, on)
    for curve, colour in sides:
        traces += _quantile(curve, colour, level, theme, on)
    whose = "class" if len(curves) > 1 else "records"
    every = [*_key(sides, (private_name, *band_names), theme), *traces]
    layout: Json = {"xaxis": _score_axis(theme, on)}
    layout["yaxis"] = {"title": f"share of the {whose} up to the score"}
    layout["shapes"] = [] if level is None else [picture.rule(theme, y=level)]
    return picture.drawn("ecdf", _words(sides, level), every, theme, simulated=simulated, **layout)


def _words(sides: tuple[tuple[EcdfCurve, str], ...], level: float | None) -> str:
    curves = [curve for curve, _ in sides]
    names = " and ".join(f"“{curve.name}”" for curve in curves)
    which = f"classes {names}" if len(curves) > 1 else names
    text = f"Share of the {which} up to each score. The private curves are dashed"
    if any(curve.truth for curve in curves):
        text += "; the true curves are solid"
    if any(curve.band is not None for curve in curves):
        text += "; shaded bands show where noise may have moved the curves"
    if level is not None:
        text += f". A horizontal line marks the share {level:g}, and diamonds the scores there"
    return f"{text}."


def _key(
    sides: tuple[tuple[EcdfCurve, str], ...], names: tuple[str, str, str], theme: Theme
) -> list[Json]:
    """Legend: colours for classes, line styles for what is drawn; six entries instead of ten."""
    curves = [curve for curve, _ in sides]
    entries = [
        _entry(picture.shortened(curve.name, picture.LONGEST_ENTRY), colour, width=5)
        for curve, colour in sides
    ]
    if any(curve.truth for curve in curves):
        entries.append(_entry("true", translucent(theme.text, 0.45), **_TRUE))
    entries.append(_entry(names[0], theme.text, **_PRIVATE))
    if any(curve.band is not None for curve in curves):
        entries.append(_entry(names[1], translucent(theme.text, 0.3), width=10))
    if any(curve.wide_band is not None for curve in curves):
        entries.append(_entry(names[2], translucent(theme.text, 0.14), width=10))
    return entries


def _entry(name: str, colour: str, **line: Any) -> Json:
    line = {"color": colour, **line}
    return picture.scatter("lines", name, [None], [None], line=line, showlegend=True)


def _wide(curve: EcdfCurve, colour: str, on: _Axis) -> list[Json]:
    name = "band for the population"
    return _region(curve, name, curve.wide_band, colour, 0.1, on, _ON_WIDE_BAND)


def _narrow(curve: EcdfCurve, colour: str, on: _Axis) -> list[Json]:
    return _region(curve, "band for these records", curve.band, colour, 0.22, on, _ON_BAND)


def _true(curve: EcdfCurve, colour: str, on: _Axis) -> list[Json]:
    if curve.truth is None:
        return []
    line = {**_TRUE, "color": translucent(colour, 0.45)}
    return [_line(f"{picture.literal(curve.name)}, true", *curve.truth, on, line)]


def _private(curve: EcdfCurve, colour: str, on: _Axis) -> list[Json]:
    line, points = {**_PRIVATE, "color": colour}, steps(curve.grid, curve.cdf)
    return [_line(f"{picture.literal(curve.name)}, private", *points, on, line)]


def _region(
    curve: EcdfCurve,
    name: str,
    band: FloatArray | None,
    colour: str,
    opacity: float,
    on: _Axis,
    most: int,
) -> list[Json]:
    if band is None:
        return []
    edges = steps(curve.grid, band[0]), rises(curve.grid, band[1])
    ends = (coarse(*edge, on.logarithmic, most) for edge in edges)
    lines = ((picture.numbers(on.written(x), 6), picture.numbers(y)) for x, y in ends)
    name, fill = f"{picture.literal(curve.name)}, {name}", translucent(colour, opacity)
    low, high = ({"name": f"{name} (lower)", "x": x, "y": y} for x, y in lines)
    return picture.region(name, low, high, colour, fill, showlegend=False)


def _line(name: str, x: FloatArray, y: FloatArray, on: _Axis, line: Json) -> Json:
    x, y = coarse(x, y, on.logarithmic, ON_CURVE)
    hover = f"%{{y:.1%}} score at most %{{x:.4~g}}<extra>{name}</extra>"
    at = picture.numbers(on.written(x), 6)
    return picture.scatter("lines", name, at, y, hover, line=line, showlegend=False)


def _quantile(
    curve: EcdfCurve, colour: str, level: float | None, theme: Theme, on: _Axis
) -> list[Json]:
    if level is None or curve.quantile is None:
        return []
    low, estimate, high = on.written(np.maximum(curve.quantile, LOWEST / 10)).tolist()
    name = picture.literal(curve.name)
    ends = {"array": [round(high - estimate, 6)], "arrayminus": [round(estimate - low, 6)]}
    error = {"type": "data", "symmetric": False, **ends, "color": colour}
    style = {
        "marker": picture.tick(theme.page, 12, 1.5, "diamond") | {"color": colour},
        "error_x": error | {"thickness": 3, "width": 7},
        "showlegend": False,
    }
    hover = "%{y:.0%} score at most %{x:.4~g}<br>"
    hover += f"between {low:.4g} and {high:.4g}<extra>{name}, private</extra>"
    at = [round(estimate, 6)], [level]
    return [picture.scatter("markers", f"{name}, quantile", *at, hover, **style)]


def _score_axis(theme: Theme, on: _Axis) -> Json:
    if not on.logarithmic:
        low, high = on.written(np.array([0.0, 1.0])).tolist()
        own: Json = {"dtick": 0.2} if high == 1.0 else {}
        return axis(theme, on.title, range=[low, high], **own)
    span, at = [np.log10(LOWEST).item(), 0], [0.0001, 0.001, 0.01, 0.1, 1]
    ticks: Json = {"tickvals": at, "ticktext": [f"{one:g}" for one in at]}
    return axis(theme, f"{on.title}, logarithmic", type="log", range=span, **ticks)
