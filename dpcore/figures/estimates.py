"""Released numbers by row, the true ones beside: estimates with intervals, scores and effects."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore._numbers import ANY, BANDS, rate, telling_digits
from dpcore._typing import ArrayLike, BoolArray, FloatArray, IntArray, Interval, Json
from dpcore.errors import InvalidArgument
from dpcore.figures import picture
from dpcore.figures.picture import Picture
from dpcore.figures.theme import Theme, translucent

_LONGEST_FEATURE, _KEPT_END = 26, 14


def features_picture(
    names: Sequence[str],
    noisy: ArrayLike | None,
    selected: ArrayLike,
    *,
    theme: Theme,
    true: ArrayLike | None = None,
    score_name: str = "count",
    most: int = 25,
    simulated: bool = True,
) -> Picture:
    """Draw noisy scores as bars, largest on top, with the true score as a tick across each.

    Parameters
    ----------
    names : sequence of str, length p
    noisy : array-like, shape (p,), or None
        Released scores; None for a method that releases none, and then the bars are the true ones.
    selected : array-like of int
        Positions of the chosen features.
    theme : Theme
    true : array-like, shape (p,), optional
        Exact scores; left out of a private release.
    score_name : str, default "count"
    most : int, default 25
        Bars drawn at most.
    simulated : bool, default True
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If scores and `names` differ in length, or there are neither noisy nor true scores.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = features_picture(["a", "b"], [3.0, 9.0], [1], theme=LIGHT)
    >>> [trace["name"] for trace in picture.data]
    ['noisy, chosen', 'noisy, left out']
    """
    kind, given = ("noisy", noisy) if noisy is not None else ("true", true)
    scores = np.asarray(given if given is not None else [], dtype=np.float64)
    if scores.shape != (len(names),):
        raise InvalidArgument(kind, scores.shape, f"{len(names)} scores, one per name")
    order = np.argsort(-scores, kind="stable")[:most]
    # Features that were not scored have no bar.
    order = order[np.isfinite(scores[order])]
    # Names of bins and levels differ at their end, those of columns at their beginning.
    labels = [picture.shortened(names[index], _LONGEST_FEATURE, _KEPT_END) for index in order]
    chosen = np.isin(order, np.asarray(selected, dtype=np.int64))
    colour = theme.private if noisy is not None else theme.true

    def bars(picked: bool) -> Json:
        rows = np.flatnonzero(chosen == picked)
        name = f"{kind}, {'chosen' if picked else 'left out'}"
        values, names = scores[order[rows]], [labels[row] for row in rows]
        strong = translucent(colour, 0.85 if picked else 0.3)
        return _bars(name, values, rows.tolist(), names, strong, f"{kind} %{{x:,.0f}}")

    traces = [bars(picked) for picked in (True, False)]
    if noisy is not None and true is not None:
        exact = np.asarray(true, dtype=np.float64)[order]
        traces.append(_ticks("true", exact, labels, theme, "true %{x:,.0f}"))
    alt = f"Bars of the {kind} {score_name} of the {len(labels)} features that score highest;"
    alt += " chosen features are drawn strong, the others pale"
    alt += ", and a tick marks the true value." if len(traces) == 3 else "."
    layout: Json = {"xaxis": {"title": score_name}, "yaxis": picture.rows_axis(labels)}
    layout["size"] = 90 + 22 * max(len(labels), 4), picture.FULL_HEIGHT
    layout |= {"simulated": simulated, "exact": kind == "true"}
    return picture.drawn("features", alt, traces, theme, **layout)


def _bars(name: str, x: FloatArray, y: list[int], text: list[str], colour: str, hover: str) -> Json:
    """A bar in each of these rows; a pointer is told the label, and then the value."""
    style = {"orientation": "h", "text": text, "textposition": "none"}
    hover, marker = f"%{{text}}<br>{hover}", {"color": colour}
    return picture.bar(name, picture.numbers(x, 4), y, hover, marker=marker, **style)


def _ticks(name: str, values: FloatArray, labels: list[str], theme: Theme, hover: str) -> Json:
    """The exact value of each row, as a tick across its bar."""
    style = {"text": labels, "marker": picture.tick(theme.true)}
    rows, hover = list(range(values.size)), f"%{{text}}<br>{hover}"
    return picture.scatter("markers", name, picture.numbers(values, 4), rows, hover, **style)


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
    exact: FloatArray,
    *,
    theme: Theme,
    positive: str = "positive",
    adjective: str = "private",
    most: int = 25,
) -> Picture:
    """Draw the released effects as bars, with the exact one as a tick across each.

    Parameters
    ----------
    names : sequence of str, length p
    released, exact : float array, shape (p,)
        Changes of the log-odds, and the same without noise.
    positive
        The class whose log-odds they are.
    adjective
        What the released effects are called.
    most
        Bars drawn at most; those with the largest effect.

    Raises
    ------
    InvalidArgument
        If the effects and `names` differ in length.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> effects = np.array([1.0, -2.0])
    >>> picture = model_effects_picture(["a", "b"], effects, effects, theme=LIGHT)
    >>> picture.data[0]["x"], picture.layout["yaxis"]["ticktext"]
    ([-2.0, 1.0], ['b', 'a'])
    """
    if released.shape != (len(names),):
        raise InvalidArgument("released", released.shape, f"{len(names)} effects, one per name")
    shown = most_telling(released, exact, most)
    labels = [picture.shortened(names[place], _LONGEST_FEATURE, _KEPT_END) for place in shown]
    colour, rows = translucent(theme.private, 0.6), list(range(len(labels)))
    hover, off = f"{adjective} %{{x:+.3f}}", "without noise"
    moved = f"change of the log-odds of “{picture.shortened(positive)}”"
    alt = f"Bars: how far each of {len(rows)} features moves the log-odds of “{positive}” in the "
    alt += f"{adjective} model; a tick marks it without noise."
    traces = [_bars(adjective, released[shown], rows, labels, colour, hover)]
    traces.append(_ticks(off, exact[shown], labels, theme, f"{off} %{{x:+.3f}}"))
    layout: Json = {"xaxis": {"title": moved, "zerolinecolor": theme.muted}}
    layout["yaxis"] = picture.rows_axis(labels)
    layout["size"] = 130 + 22 * max(len(rows), 4), picture.FULL_HEIGHT
    return picture.drawn("model-parameters", alt, traces, theme, **layout)


_ROW, _AROUND = 46, 130


@dataclass(frozen=True, kw_only=True)
class EstimateRow:
    """One released number.

    Parameters
    ----------
    value
        NaN if there is none.
    interval, population_interval
        For these records, and for those whom they were drawn from.
    true
        Exact, so private: drawn in simulations only.
    says_nothing
        Whether the noise leaves any value possible: a cross takes the place of the number.
    """

    name: str
    value: float
    interval: Interval
    population_interval: Interval
    true: float | None = None
    says_nothing: bool = False


def estimates_picture(
    rows: Sequence[EstimateRow],
    *,
    theme: Theme,
    what: str,
    limits: Interval,
    name: str = "estimates",
    band_names: tuple[str, str] = BANDS,
    zero: bool = False,
    simulated: bool = True,
) -> Picture:
    """Draw released numbers under each other, the first on top, each with both of its intervals.

    Parameters
    ----------
    what
        Title of the axis.
    limits
        Ends of the axis.
    name
        Stem of exported files.
    band_names
        Of the interval for these records and the one for the population.
    zero
        Whether to draw a line at zero: for differences.
    simulated
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> row = EstimateRow(
    ...     name="B less A", value=0.02, interval=(0.01, 0.03), population_interval=(-0.01, 0.05)
    ... )
    >>> picture = estimates_picture([row], theme=LIGHT, what="difference", limits=(-0.1, 0.1))
    >>> [trace["name"] for trace in picture.data][1:]
    ['privacy band for these records', 'any possible', 'private']
    """
    places = np.arange(len(rows), dtype=np.float64)
    told = np.array([not row.says_nothing and np.isfinite(row.value) for row in rows], dtype=bool)
    wide, narrow = (
        np.array([getattr(row, which) for row in rows], dtype=np.float64).reshape(-1, 2)
        for which in ("population_interval", "interval")
    )
    values = np.array([row.value for row in rows], dtype=np.float64)
    labels = [picture.shortened(row.name) for row in rows]

    def of(which: BoolArray) -> list[str]:
        return [labels[row] for row in np.flatnonzero(which)]

    at = values[told], places[told]
    traces = [
        picture.interval_bars(band_names[1], *at, wide[told].T, theme, along="x", wide=True),
        picture.interval_bars(band_names[0], *at, narrow[told].T, theme, along="x"),
        _unknown(places[~told], of(~told), sum(limits) / 2, theme),
        _dots(values[told], places[told], of(told), "private", theme),
    ]
    exact = [row.true for row in rows]
    if any(one is not None for one in exact):
        shown = np.array([one is not None for one in exact])
        true = np.array([one for one in exact if one is not None], dtype=np.float64)
        traces.append(_dots(true, places[shown], of(shown), "true", theme))
    layout: Json = {"xaxis": {"title": what, "range": list(limits)}}
    layout["yaxis"] = picture.rows_axis(labels)
    layout["shapes"] = [picture.rule(theme, x=0, width=1.2)] if zero else []
    layout["size"] = _AROUND + _ROW * max(len(rows), 2), picture.FULL_HEIGHT
    alt = _words(rows, what)
    return picture.drawn(name, alt, traces, theme, like="estimates", simulated=simulated, **layout)


def _words(rows: Sequence[EstimateRow], what: str) -> str:
    crossed = any(row.says_nothing for row in rows)
    said = "; ".join(
        f"{row.name}: " + (ANY if row.says_nothing else f"{rate(row.value)}, {_ends(row)}")
        for row in rows
    )
    return (
        f"Dots with bars along the axis “{what}”. Filled squares are private; the bar says where "
        "noise may have moved them, the longer, paler one where the population's value may lie"
        + (f"; a cross means {ANY}" if crossed else "")
        + ("; hollow circles are true" if any(row.true is not None for row in rows) else "")
        + f". {said}."
    )


def _ends(row: EstimateRow) -> str:
    digits = telling_digits(*row.interval)
    return " to ".join(rate(end, digits=digits) for end in row.interval)


def _dots(x: FloatArray, y: FloatArray, labels: Sequence[str], name: str, theme: Theme) -> Json:
    """Squares for what is private, hollow circles for what is true."""
    private = name == "private"
    colour = theme.private if private else theme.true
    mark = (
        {"symbol": "square", "size": 10, "color": colour}
        if private
        else {"symbol": "circle-open", "size": 13, "color": colour, "line": {"width": 2.5}}
    )
    style = {"text": list(labels), "marker": mark, "cliponaxis": False}
    hover = f"%{{text}}<br>{name} %{{x:.4f}}"
    return picture.scatter("markers", name, x, y, hover, **style)


def _unknown(places: FloatArray, labels: Sequence[str], middle: float, theme: Theme) -> Json:
    """Rows of which nothing is known: a thin cross in the middle."""
    style: Json = {"text": list(labels), "showlegend": bool(len(places))}
    style |= {"marker": picture.tick(theme.private, 9, 1.5, "x-thin")}
    hover = f"%{{text}}<br>too few records: {ANY}"
    at = [middle] * len(places), places
    return picture.scatter("markers", ANY, *at, hover, **style)
