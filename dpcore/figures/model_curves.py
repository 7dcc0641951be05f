"""Lines over epsilon or over the number of records: one per method, beside what has no noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import (
    FULL_HEIGHT,
    Picture,
    bar,
    below,
    drawn,
    literal,
    numbers,
    rows_axis,
    rule,
    scatter,
    shortened,
)
from dpcore.figures.roc_panels import method_traces
from dpcore.figures.theme import ABOVE, Theme, axis, log_axis, translucent

_LONGEST = 26


def most_telling(released: FloatArray, exact: FloatArray, most: int = 25) -> IntArray:
    """Positions of the features with the largest effect, released or exact, the largest first.

    Examples
    --------
    >>> most_telling(np.array([0.1, -3.0, 0.0]), np.array([2.0, 0.0, 0.0]), most=2).tolist()
    [1, 0]
    """
    larger = np.maximum(np.abs(released), np.abs(exact))
    return np.argsort(-larger, kind="stable")[:most]


def model_effects_picture(
    names: Sequence[str],
    released: FloatArray,
    *,
    theme: Theme,
    exact: FloatArray | None = None,
    positive: str = "positive",
    adjective: str = "private",
    most: int = 25,
    simulated: bool = True,
) -> Picture:
    """Draw the released effects as bars, with the exact one as a tick across each.

    Parameters
    ----------
    names : sequence of str, length p
    released : float array, shape (p,)
        Changes of the log-odds.
    exact : float array, shape (p,), optional
        The same without noise; left out of a private release.
    positive
        The class whose log-odds they are.
    adjective : str, default "private"
        What the released effects are called.
    most : int, default 25
        Bars drawn at most; those with the largest effect.
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If the effects and `names` differ in length.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = model_effects_picture(["a", "b"], np.array([1.0, -2.0]), theme=LIGHT)
    >>> picture.data[0]["x"], picture.layout["yaxis"]["ticktext"]
    ([-2.0, 1.0], ['b', 'a'])
    """
    if released.shape != (len(names),):
        raise InvalidArgument("released", released.shape, f"{len(names)} effects, one per name")
    shown = most_telling(released, released if exact is None else exact, most)
    labels = [shortened(names[place], _LONGEST) for place in shown]
    rows = list(range(len(labels)))
    bars = bar(
        adjective,
        numbers(released[shown], 4),
        rows,
        orientation="h",
        text=labels,
        textposition="none",
        marker={"color": translucent(theme.private, 0.6)},
        hovertemplate=f"%{{text}}<br>{adjective} %{{x:+.3f}}<extra></extra>",
    )
    ticks = scatter(
        "markers",
        "without noise",
        [] if exact is None else numbers(exact[shown], 4),
        rows,
        text=labels,
        marker={"symbol": "line-ns", "size": 15, "line": {"width": 3, "color": theme.true}},
        hovertemplate="%{text}<br>without noise %{x:+.3f}<extra></extra>",
    )
    moved = f"change of the log-odds of “{literal(positive)}”"
    return drawn(
        "model-parameters",
        f"Bars: how far each of {len(rows)} features moves the log-odds of “{positive}” in the "
        f"{adjective} model" + ("." if exact is None else "; a tick marks it without noise."),
        [bars] if exact is None else [bars, ticks],
        theme,
        xaxis=axis(theme, moved, nticks=7, zeroline=True, zerolinecolor=theme.muted),
        yaxis=rows_axis(theme, labels),
        bargap=0.35,
        simulated=simulated,
        legend=ABOVE,
        height=110 + 22 * max(len(rows), 4),
        aspect=FULL_HEIGHT,
    )


@dataclass(frozen=True, eq=False)
class ModelLine:
    """One method's line.

    Parameters
    ----------
    values : float array, shape (places,)
    low, high : float array, shape (places,), optional
        Edges of a band around the line.
    noise_free : float array, shape (places,), optional
        The same with the noise off: a thin solid line of the same colour.
    """

    name: str
    values: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    noise_free: FloatArray | None = None


def accuracy_picture(
    epsilons: Sequence[float],
    lines: Sequence[ModelLine],
    *,
    theme: Theme,
    levels: Sequence[tuple[str, float]] = (),
    floor: tuple[str, float] | None = None,
    measure: str = "accuracy",
    now: float | None = None,
) -> Picture:
    """Draw a measure over epsilon, on a logarithmic axis.

    Parameters
    ----------
    lines
        At most six.
    levels : sequence of (name, value)
        What is compared with at every epsilon, drawn solid: at most two.
    floor : (name, value), optional
        What a model that knows no feature reaches, drawn dotted.
    measure
        Title of the axis.
    now
        The epsilon that is chosen elsewhere: a thin line marks it.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> line = ModelLine("one", np.array([0.6, 0.9]))
    >>> picture = accuracy_picture([0.1, 1], [line], theme=LIGHT, levels=[("without", 0.95)])
    >>> [trace["name"] for trace in picture.data]
    ['without', 'one']
    """
    ends = [min(epsilons), max(epsilons)]
    traces = [
        _level(name, value, ends, colour, dash)
        for (name, value), colour, dash in zip(
            levels, (theme.true, theme.muted), ("solid", "solid"), strict=False
        )
    ]
    if floor is not None:
        traces.append(_level(*floor, ends, theme.muted, "dot"))
    traces += _lines(epsilons, lines, theme, "epsilon %{x:g}<br>%{y:.3f}")
    without = ", ".join(name for name, _ in (*levels, *([floor] if floor else [])))
    return drawn(
        "model-accuracy",
        f"{measure.capitalize()} over epsilon, one broken line each for "
        f"{', '.join(line.name for line in lines)}; thin solid lines for the same with the "
        f"noise off; level lines for {without or 'nothing'}.",
        traces,
        theme,
        xaxis=_places(theme, "epsilon of the training", epsilons, "g"),
        yaxis=axis(theme, f"{measure} on the test records", nticks=8),
        shapes=[] if now is None else [rule(theme, x=now, dash="solid")],
        legend=below(),
        height=460,
        aspect=1.25,
    )


def runtime_picture(
    sizes: Sequence[int],
    lines: Sequence[ModelLine],
    *,
    theme: Theme,
    without: Sequence[ModelLine] = (),
) -> Picture:
    """Draw seconds over the number of records, both axes logarithmic.

    Parameters
    ----------
    lines
        At most six.
    without
        Models without noise, drawn solid: at most two.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> line = ModelLine("one", np.array([0.01, 0.02]))
    >>> runtime_picture([100, 1000], [line], theme=LIGHT).layout["xaxis"]["type"]
    'log'
    """
    hover = "%{x:,} records<br>%{y:.3g} seconds"
    traces = [
        {**_line(sizes, line, hover), "line": {"color": colour, "width": 2, "dash": "solid"}}
        for line, colour in zip(without, (theme.true, theme.muted), strict=False)
    ]
    traces += _lines(sizes, lines, theme, hover)
    return drawn(
        "model-runtime",
        "Seconds to train over the number of records, both logarithmic, one broken line each "
        f"for {', '.join(line.name for line in lines)}, solid lines for models without noise.",
        traces,
        theme,
        xaxis=_places(theme, "training records", sizes, ","),
        yaxis=log_axis(theme, "seconds to train", *(one.values for one in (*without, *lines))),
        legend=below(),
        height=460,
        aspect=1.25,
    )


def _places(theme: Theme, title: str, places: Sequence[float], how: str) -> dict[str, Any]:
    """A logarithmic axis with a tick at every place."""
    words = [f"{place:{how}}" for place in places]
    return axis(theme, title, type="log", tickvals=list(places), ticktext=words)


def _lines(
    places: Sequence[float], lines: Sequence[ModelLine], theme: Theme, hover: str
) -> list[dict[str, Any]]:
    traces: list[dict[str, Any]] = []
    methods = method_traces([_line(places, line, hover) for line in lines], theme)
    for line, method in zip(lines, methods, strict=True):
        colour = method["line"]["color"]
        if line.low is not None and line.high is not None:
            traces.append(_band(places, line.low, line.high, colour))
        if line.noise_free is not None:
            off = {"color": colour, "width": 1, "dash": "solid"}
            without = ModelLine(f"{line.name}, noise off", line.noise_free)
            traces.append({**_line(places, without, hover), "line": off, "showlegend": False})
        traces.append(method)
    return traces


def _line(places: Sequence[float], line: ModelLine, hover: str) -> dict[str, Any]:
    return scatter(
        "lines",
        line.name,
        list(places),
        numbers(line.values, 6),
        hovertemplate=f"{line.name}<br>{hover}<extra></extra>",
    )


def _band(
    places: Sequence[float], low: FloatArray, high: FloatArray, colour: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*places, *list(places)[::-1]],
        "y": numbers(np.concatenate([high, low[::-1]]), 6),
        "fill": "toself",
        "fillcolor": translucent(colour, 0.12),
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _level(
    name: str, value: float, ends: Sequence[float], colour: str, dash: str
) -> dict[str, Any]:
    return scatter(
        "lines",
        name,
        list(ends),
        numbers(np.array([value, value]), 6),
        line={"color": colour, "width": 2, "dash": dash},
        hovertemplate=f"{name}<br>%{{y:.3f}}<extra></extra>",
    )
