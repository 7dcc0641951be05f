"""Federations: the curve that they publish, the bytes it takes, and what the curious see."""

from collections.abc import Mapping
from itertools import cycle
from typing import Any

import numpy as np

from dpcore._numbers import percent, rate
from dpcore._typing import FloatArray, IntArray, Json
from dpcore.figures import picture
from dpcore.figures.picture import Picture
from dpcore.figures.roc import roc_trace, true_trace
from dpcore.figures.theme import Theme, translucent
from dpcore.figures.thin import ON_CURVE, coarse, steps


def redraws_picture(
    errors: Mapping[str, FloatArray],
    *,
    chosen: str,
    here: float,
    theme: Theme,
    what: str = "largest error",
) -> Picture:
    """Draw how far off curves are over many draws of the noise: a distribution function for each.

    Parameters
    ----------
    errors : mapping of str to float array, shape (redraws,)
        Error of each redraw, sorted.
    chosen
        The name that stands out.
    here
        The error of the curve that is shown, on a line of its own.
    what
        Which error: the largest is a share of records, any other a plain number.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> two = {"a": np.array([0.02, 0.04])}
    >>> redraws_picture(two, chosen="a", here=0.03, theme=LIGHT).data[0]["y"]
    [0.5, 1.0]
    """
    lines = {name: (one, np.arange(1, one.size + 1) / one.size) for name, one in errors.items()}
    share = what == "largest error"
    words, hover, ticks = (percent, ".1%", "~%") if share else (rate, ".3f", "")
    told = f"%{{y:.0%}} of the draws: at most %{{x:{hover}}}"
    traces = _by_name(lines, chosen, theme, told, shape="hv")
    middle = ", ".join(f"{name} {words(float(np.median(found)))}" for name, found in errors.items())
    alt = f"Share of draws whose {what} stays below each value. Medians: {middle}."
    layout: Json = {"xaxis": {"title": f"{what}; dotted: this draw", "tickformat": ticks}}
    layout["shapes"] = [picture.rule(theme, x=here)]
    return picture.drawn("federated-redraws", alt, traces, theme, **layout)


def _by_name(
    lines: Mapping[str, tuple[Any, Any]], chosen: str, theme: Theme, hover: str, **more: Any
) -> list[Json]:
    """A line for each name, of which the chosen one stands out."""
    colours = theme.muted, theme.private, theme.positive
    return [
        picture.scatter(
            "lines", name, x, y, f"{hover}<extra>{name}</extra>",
            line={"color": colour, "width": 4 if name == chosen else 2, **more},
        )
        for (name, (x, y)), colour in zip(lines.items(), cycle(colours), strict=False)
    ]  # fmt: skip


def federated_picture(
    grid: FloatArray,
    truth: FloatArray,
    *,
    theme: Theme,
    band_name: str,
    cdf: FloatArray | None = None,
    band: FloatArray | None = None,
    quantile: tuple[float, float] | None = None,
) -> Picture:
    """Draw the published distribution function over the true one of the parties in it.

    Parameters
    ----------
    grid, truth, cdf : float array, shape (points,)
        Scores in (0, 1], and shares of records; nothing published, no `cdf`.
    band : float array, shape (2, points), optional
    quantile : (level, value), optional

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> half, true, cdf = np.array([0.5, 1.0]), np.array([0.3, 1.0]), np.array([0.4, 1.0])
    >>> picture = federated_picture(half, true, theme=LIGHT, band_name="band", cdf=cdf)
    >>> [trace["name"] for trace in picture.data]
    ['true', 'federated']
    """
    traces = [] if band is None else _band(grid, band, theme, band_name)
    traces.append(_line("true", grid, truth, picture.stroke(translucent(theme.true, 0.6), 5)))
    if cdf is not None:
        traces.append(_line("federated", grid, cdf, picture.stroke(theme.private, 2, "dash")))
    if quantile is not None:
        level, value = quantile
        hover = f"{level:.0%} score at most %{{x:.3~g}}<extra>Algorithm 1</extra>"
        marker = {"symbol": "diamond", "size": 12, "color": theme.private}
        name = "quantile, by Algorithm 1"
        traces.append(picture.scatter("markers", name, [value], [level], hover, marker=marker))
    words = f"Share of all records up to each score: {_which_is_which(cdf)}"
    return picture.drawn("federated-ecdf", words, traces, theme)


def federated_precision_picture(
    released: tuple[FloatArray, FloatArray] | None,
    truth: tuple[FloatArray, FloatArray],
    *,
    theme: Theme,
) -> Picture:
    """Draw precision by recall, as published, over the true curve of the parties in it.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> line = np.array([0.0, 1.0]), np.array([1.0, 0.3])
    >>> [trace["name"] for trace in federated_precision_picture(line, line, theme=LIGHT).data]
    ['true', 'federated']
    """
    hover = "recall %{x:.1%}<br>precision %{y:.1%}"
    line = picture.stroke(theme.private, 2.5, "dash", shape="linear")
    traces = [true_trace(*truth, theme, hover=hover)]
    if released is not None:
        traces.append(roc_trace(*released, "federated", line, hover))
    words = f"Precision over recall: {_which_is_which(released)}"
    return picture.drawn("federated-precision", words, traces, theme)


def _which_is_which(published: object) -> str:
    dashed = "none" if published is None else "the dashed curve"
    return f"the true curve is solid, {dashed} is published."


def _line(name: str, grid: FloatArray, shares: FloatArray, line: Json) -> Json:
    x, y = coarse(*steps(grid, shares), False, ON_CURVE)
    hover = f"%{{y:.1%}} score at most %{{x:.3~g}}<extra>{name}</extra>"
    return picture.scatter("lines", name, x, y, hover, line=line)


def _band(grid: FloatArray, band: FloatArray, theme: Theme, name: str) -> list[Json]:
    ends = (coarse(*steps(grid, end), False, ON_CURVE) for end in band)
    common = {"name": name, "legendgroup": "band"}
    low, high = ({**common, "x": picture.numbers(x), "y": picture.numbers(y)} for x, y in ends)
    return picture.region(name, low, high, theme.private, theme.band(0.2))


def traffic_picture(
    evaluations: IntArray, sizes: Mapping[str, FloatArray], *, chosen: str, at: int, theme: Theme
) -> Picture:
    """Draw bytes on the wire against the number of evaluations, on logarithmic axes.

    Parameters
    ----------
    evaluations : int array, shape (m,)
    sizes : mapping of str to float array, shape (m,)
        Bytes that all parties send and receive together, and servers among themselves.
    chosen
        The name that stands out.
    at
        The number of evaluations to mark.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> once = np.array([1, 10])
    >>> picture = traffic_picture(once, {"a": once * 2.0}, chosen="a", at=10, theme=LIGHT)
    >>> picture.data[0]["y"]
    [2.0, 20.0]
    """
    lines = {name: (evaluations, values) for name, values in sizes.items()}
    traces = _by_name(lines, chosen, theme, "%{y:.3~s}B for %{x} evaluations")
    each = ", ".join(f"{name} {values[-1]:,.0f} bytes" for name, values in sizes.items())
    alt = f"Bytes against evaluations. For {evaluations[-1]:,} evaluations: {each}."
    shapes = [picture.rule(theme, x=at)]
    return picture.drawn("federated-traffic", alt, traces, theme, shapes=shapes, simulated=False)


def seen_picture(shares: IntArray, *, who: str, even: bool, theme: Theme) -> Picture:
    """Draw how what somebody saw lies in its range.

    Parameters
    ----------
    shares : int array, shape (bins,)
        How many lie in each of equal parts of the range.
    who
        Who saw them.
    even
        Whether they are bytes of masked words, which should be even; else they are records.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> seen_picture(np.array([5, 7]), who="server", even=True, theme=LIGHT).data[0]["y"]
    [5, 7]
    """
    places = (np.arange(shares.size) + 0.5) / shares.size
    marker = {"color": translucent(theme.private if even else theme.true, 0.75)}
    told = {"width": 0.94 / shares.size, "marker": marker}
    traces = [picture.bar(f"seen by {who}", places, shares, "%{y:,}", **told)]
    if even:
        level, line = float(shares.mean()), picture.stroke(theme.text, 1.5, "dot")
        traces.append(picture.scatter("lines", "all alike", [0, 1], [level, level], line=line))
    what, across, ticks = "records", "score of a record", ""
    if even:
        what, across, ticks = "bytes", "value of a byte, of its range", ".0%"
    spread = f"between {shares.min():,} and {shares.max():,} in each of {shares.size} parts"
    alt = f"Histogram of the {what} that {who} saw: {spread} of their range."
    axes: Json = {"xaxis": {"title": across, "tickformat": ticks}, "yaxis": {"title": what}}
    return picture.drawn("federated-view", alt, traces, theme, simulated=False, **axes)
