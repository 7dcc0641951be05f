"""The ROC curve, private against true; and the median of simulated releases, of any kind."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore._numbers import BANDS
from dpcore._typing import ArrayLike, FloatArray, Json
from dpcore.figures.picture import Picture, drawn, numbers, region, rule, scatter, stroke
from dpcore.figures.theme import Theme, translucent
from dpcore.figures.thin import thin

SHORT = 300
Band = tuple[FloatArray, FloatArray, FloatArray]
_HOVER = "false positives %{x:.1%}<br>true positives %{y:.1%}"


def true_trace(
    fpr: ArrayLike, tpr: ArrayLike, theme: Theme, name: str = "true", hover: str = _HOVER
) -> Json:
    """The exact curve, solid and thinned; worth keeping, because only the private one moves.

    Parameters
    ----------
    fpr, tpr : array-like, shape (points,)
    theme : Theme
    name : str, default "true"
        In the legend.
    hover : str
        What a pointer is told, where these are no rates of an ROC curve.
    """
    line = {"color": theme.true, "width": 2.5, "shape": "linear"}
    return {**roc_trace(fpr, tpr, name, line, hover), "legendrank": 1}


def roc_picture(
    fpr: ArrayLike,
    tpr: ArrayLike,
    *,
    theme: Theme,
    truth: Json | None = None,
    band: Band | None = None,
    band_name: str = BANDS[0],
    wide_band: Band | None = None,
    wide_name: str = BANDS[1],
    private_name: str = "private",
    simulated: bool = True,
) -> Picture:
    """Draw a private ROC curve, dashed, over the true one and its privacy band.

    Parameters
    ----------
    fpr, tpr : array-like, shape (points,)
        The private curve.
    theme : Theme
    truth : dict, optional
        From `true_trace`; left out of a private release.
    band : (fpr, lower, upper), optional
        Where the true curve may lie, given the noise, as rates at increasing fpr.
    wide_band : (fpr, lower, upper), optional
        Where the curve of all people may lie that the records were drawn from; drawn as two dotted
        lines, so that nobody takes one band for the other.
    band_name, wide_name, private_name : str
        Words of the legend.
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = roc_picture([0, 0.2, 1], [0, 0.9, 1], theme=LIGHT)
    >>> [trace["name"] for trace in picture.data], picture.data[0]["line"]["dash"]
    (['private'], 'dash')
    """
    line = {"color": theme.private, "width": 2.5, "dash": "dash", "shape": "linear"}
    private = {**roc_trace(fpr, tpr, private_name, line), "legendrank": 2}
    bands = band_traces(band, band_name, theme) if band else []
    # After all that a slider moves while it is dragged: frames count the traces from the first.
    wide = _edges(wide_band, wide_name, theme) if wide_band else []
    traces = [*bands, *([truth] if truth else []), private, *wide]
    words = _words(bool(truth), bool(band), bool(wide))
    return over_rates("roc", words, traces, theme, simulated=simulated)


def over_rates(name: str, alt: str, traces: list[Json], theme: Theme, **stamped: Any) -> Picture:
    """Curves of true over false positive rates, on the axes that all of them are drawn on."""
    return drawn(name, alt, traces, theme, like="rates", shapes=[rule(theme)], **stamped)


def roc_frame(
    fpr: ArrayLike,
    tpr: ArrayLike,
    *,
    name: str,
    band: Band | None = None,
    wide_band: Band | None = None,
    truth: bool = True,
) -> Json:
    """Another private curve, and its band, for the same place in a `roc_picture`.

    Parameters
    ----------
    fpr, tpr : array-like, shape (points,)
    name
        Of the frame.
    band, wide_band : (fpr, lower, upper), optional
        Given if, and only if, the picture has that band.
    truth
        Whether the picture has a true curve.

    Returns
    -------
    dict
        A frame of Plotly: which traces change, and to what.

    Examples
    --------
    >>> frame = roc_frame([0, 1], [0, 1], name="0.5")
    >>> frame["traces"], frame["data"]
    ([1], [{'x': [0.0, 1.0], 'y': [0.0, 1.0]}])
    """
    lines = [_few(band[0], band[1]), _few(band[0], band[2])] if band else []
    private = len(lines) + int(truth)
    lines.append(_few(fpr, tpr))
    traces = [*range(private - int(truth)), private]
    if wide_band:
        lines += [_few(wide_band[0], wide_band[1]), _few(wide_band[0], wide_band[2])]
        traces += [private + 1, private + 2]
    return {"name": name, "traces": traces, "data": [{"x": x, "y": y} for x, y in lines]}


def _words(truth: bool, band: bool, wide: bool) -> str:
    return (
        "ROC curves: true positive rate over false positive rate. The private curve is dashed"
        + ("; the true curve is solid" if truth else "")
        + ("; the shaded band shows where noise may have moved the curve" if band else "")
        + ("; between the dotted lines lies the curve of the whole population" if wide else "")
        + ". A dotted diagonal marks guessing."
    )


def roc_trace(x: ArrayLike, y: ArrayLike, name: str, line: Json, hover: str = _HOVER) -> Json:
    """One curve as a line of that style, thinned."""
    told = hover if not hover or "<extra>" in hover else f"{hover}<extra>{name}</extra>"
    return scatter("lines", name, *_few(x, y), told, line=line)


def pale_trace(curves: Sequence[tuple[FloatArray, FloatArray]], name: str, theme: Theme) -> Json:
    """Many curves at once, as one pale line with gaps: what other draws of the noise would show.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> ends = np.array([0.0, 1.0])
    >>> pale_trace([(ends, ends), (ends, ends)], "two draws", LIGHT)["x"]
    [0.0, 1.0, None, 0.0, 1.0, None]
    """
    across: list[float | None] = []
    up: list[float | None] = []
    for curve in curves:
        x, y = _few(*curve)
        across += [*x, None]
        up += [*y, None]
    line = stroke(translucent(theme.private, 0.35), 1, shape="linear")
    return scatter("lines", name, across, up, line=line, legendrank=5)


def _few(x: ArrayLike, y: ArrayLike) -> tuple[list[float], list[float]]:
    """A line for the wire; a short one is not worth the time to thin it."""
    across, up = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if across.size > SHORT:
        across, up = thin(across, up)
    return numbers(across), numbers(up)


def band_traces(band: Band, name: str, theme: Theme) -> list[Json]:
    """A band of rates at increasing x as a shaded region: both edges."""
    fpr, lower, upper = band
    bottom, top = (dict(zip("xy", _few(fpr, end), strict=True)) for end in (lower, upper))
    return region(name, bottom, top, theme.private, theme.band(0.16), legendrank=3)


def _edges(band: Band, name: str, theme: Theme) -> list[Json]:
    """The two edges of a band as dotted lines, with one entry in the legend."""
    fpr, lower, upper = band
    line = stroke(theme.private, 1.5, "dot", shape="linear")
    low, high = (roc_trace(fpr, end, name, line, "") for end in (lower, upper))
    return [{**low, "showlegend": False}, {**high, "legendrank": 4}]


def expected_picture(
    x: FloatArray,
    y: FloatArray,
    band: tuple[FloatArray, FloatArray],
    *,
    theme: Theme,
    axes: tuple[str, str],
    band_name: str = "nine in ten releases",
) -> Picture:
    """Draw the median of simulated releases, dashed, in the band that holds most of them.

    Parameters
    ----------
    x, y : float arrays, shape (points,)
        Median curve, both within [0, 1].
    band : (lower, upper)
        Each of shape (points,).
    axes
        Titles of both axes.
    band_name
        In the legend.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.figures import LIGHT
    >>> x = np.array([0.0, 1.0])
    >>> picture = expected_picture(x, x, (x, x), theme=LIGHT, axes=("score", "share"))
    >>> [trace["name"] for trace in picture.data if trace.get("showlegend", True)]
    ['nine in ten releases', 'median release']
    """
    across, up = axes
    hover = f"{across} %{{x:.2f}}<br>{up} %{{y:.3f}}<extra></extra>"
    line = stroke(theme.private, 2.5, "dash")
    alt = f"Simulated releases: {up} over {across}. The median is dashed; the shaded band holds"
    traces = [*band_traces((x, *band), band_name, theme)]
    traces.append(roc_trace(x, y, "median release", line, hover))
    layout: Json = {"xaxis": {"title": across}, "yaxis": {"title": up}}
    return drawn("expected", f"{alt} nine in ten of them.", traces, theme, **layout)
