"""Feature selection drawn: how scores spread, and lines of quality over epsilon."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from dpcore._typing import ArrayLike, FloatArray, Json
from dpcore.errors import InvalidArgument
from dpcore.figures import picture
from dpcore.figures.picture import Picture
from dpcore.figures.roc_panels import method_traces
from dpcore.figures.theme import Theme, axis, log_axis, note, translucent

_BINS = 30


def selection_histogram_picture(
    scores: ArrayLike,
    selected: ArrayLike,
    *,
    theme: Theme,
    kind: str,
    score_name: str = "score",
    threshold: float | None = None,
    threshold_name: str = "threshold",
) -> Picture:
    """Draw the histogram of scores, stacked by whether the feature was chosen.

    Parameters
    ----------
    scores : array-like, shape (features,)
        Finite.
    selected : array-like of int
        Positions of the chosen features.
    kind : {"noisy", "true"}
        What the scores are.
    threshold
        A vertical line.

    Raises
    ------
    InvalidArgument
        If there is no score.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = selection_histogram_picture([1, 2, 9], [2], theme=LIGHT, kind="noisy")
    >>> [sum(trace["y"]) for trace in picture.data]
    [2, 1]
    """
    values = np.asarray(scores, dtype=np.float64)
    if not values.size:
        raise InvalidArgument("scores", values.shape, "one score or more")
    chosen = np.isin(np.arange(values.size), np.asarray(selected, dtype=np.int64))
    seen = values if threshold is None else np.append(values, threshold)
    low, high = float(seen.min()), float(seen.max())
    edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
    colour = theme.private if kind == "noisy" else theme.true
    middles, traces = picture.numbers((edges[:-1] + edges[1:]) / 2.0), []
    for picked, opacity, name in ((False, 0.3, "left out"), (True, 0.9, "chosen")):
        heights = np.histogram(values[chosen == picked], edges)[0].tolist()
        style: Json = {"marker": {"color": translucent(colour, opacity)}}
        style |= {"width": float(edges[1] - edges[0])}
        traces.append(picture.bar(f"{kind}, {name}", middles, heights, "%{y} features", **style))
    shapes, words = [], []
    if threshold is not None:
        shapes = [
            picture.rule(theme, x=threshold, layer="above", color=theme.text, width=2, dash="dash")
        ]
        words = _word(theme, threshold, threshold_name, edges)
    # On a logarithmic axis a single feature has a bar, too.
    log = {"type": "log", "dtick": 1, "range": [-0.3, None]}
    # Features are whole, and above the highest bar there is room for the word of the line.
    most = max(height for trace in traces for height in trace["y"])
    linear = {"range": [0, 1.25 * most], **({"dtick": 1} if most < 6 else {})}
    alt = f"Histogram of the {kind} {score_name} of {values.size:,} features, of which "
    alt += f"{int(chosen.sum()):,} were chosen, drawn strong"
    alt += f"; a line marks the {threshold_name}." if threshold is not None else "."
    layout: Json = {"xaxis": {"title": f"{kind} {score_name}"}}
    layout |= {"yaxis": log if _tall(traces) else linear, "shapes": shapes}
    return picture.drawn("score-histogram", alt, traces, theme, words=words, **layout)


def _tall(traces: list[Json]) -> bool:
    """Whether some bars would hide the others on a linear axis."""
    heights = np.array([trace["y"] for trace in traces]).ravel()
    return bool(heights.max() > 20 * np.median(heights[heights > 0]))


def _word(theme: Theme, at: float, name: str, edges: FloatArray) -> list[Json]:
    left = at > (edges[0] + edges[-1]) / 2.0
    corner, shift = ("right top", -6) if left else ("left top", 6)
    more: Json = {"color": theme.text, "yref": "paper", "xshift": shift}
    return [note(f"{name} {at:,.4g}", at, 1, corner, **more)]


@dataclass(frozen=True, eq=False)
class Line:
    """One line of the figure.

    Parameters
    ----------
    x, y : array-like, shape (points,)
        A y that is not a number is left out.
    role : {"method", "reference", "true"}
        A method has a colour, a dash and a mark of its own; a reference is thin and grey; what is
        exact is solid, in the colour of the truth.
    text
        What a pointer is told about each point, besides the numbers.
    band : (low, high), optional
        Edges of a band around the line of a method, of shape (points,) each.
    noise_free : array-like, shape (points,), optional
        A method with the noise off: a thin solid line of the same colour.
    spread
        Standard deviations over several runs, of which y is the mean.
    """

    name: str
    x: ArrayLike
    y: ArrayLike
    role: str = "method"
    text: Sequence[str] = ()
    band: tuple[FloatArray, FloatArray] | None = None
    noise_free: ArrayLike | None = None
    spread: Sequence[float] = ()

    @classmethod
    def of_runs(cls, name: str, x: ArrayLike, runs: Sequence[FloatArray]) -> Self:
        """The mean of some runs at each point, and how far they spread, which one cannot tell."""
        several = all(one.size > 1 for one in runs)
        spread = [float(one.std()) for one in runs] if several else []
        return cls(name, x, np.array([one.mean() for one in runs]), spread=spread)

    @property
    def cells(self) -> list[str]:
        """Each y as a table shows it, with the spread of its runs if there are several."""
        values = np.asarray(self.y, dtype=np.float64).tolist()
        if not self.spread:
            return [f"{value:.3f}" for value in values]
        return [f"{value:.3f} ± {off:.3f}" for value, off in zip(values, self.spread, strict=True)]


def over_runs(runs: int) -> str:
    """What the cells of a table of so many runs are.

    Examples
    --------
    >>> over_runs(3), over_runs(1)
    ('mean ± standard deviation of 3 runs', 'mean of 1 run')
    """
    return "mean of 1 run" if runs == 1 else f"mean ± standard deviation of {runs} runs"


def lines_picture(
    lines: Sequence[Line],
    *,
    theme: Theme,
    name: str,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    y_range: tuple[float, float] | None = None,
    marker: float | None = None,
    simulated: bool = True,
) -> Picture:
    """Draw a line for each method.

    Parameters
    ----------
    lines
        One or more, of which at most six are methods.
    name
        Stem of exported files.
    y_range
        Of a linear axis.
    marker
        An x at which a vertical line stands: the present setting of a slider.
    simulated
        Stamps the figure.

    Raises
    ------
    InvalidArgument
        If there is no line, or more methods than colours.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = lines_picture(
    ...     [Line("best", [1, 2], [0.5, 0.25])], theme=LIGHT, name="a", x_title="c", y_title="error"
    ... )
    >>> [(trace["name"], trace["y"]) for trace in picture.data]
    [('best', [0.5, 0.25])]
    """
    if not lines:
        raise InvalidArgument("lines", lines, "one line or more")
    strokes = {
        "true": picture.stroke(theme.true, 2),
        "reference": picture.stroke(theme.muted, 1.5, "dot"),
    }
    methods = iter(method_traces([_trace(one) for one in lines if one.role == "method"], theme))
    traces = []
    for one in lines:
        if one.role != "method":
            traces.append({**_trace(one), "line": strokes[one.role]})
            continue
        method = next(methods)
        traces += [*_around(one, method["x"], method["line"]["color"]), method]
    up = {} if y_range is None else {"range": list(y_range)}
    alt = f"{y_title} over {x_title}, a line for each of {', '.join(x.name for x in lines)}."
    layout: Json = {"xaxis": _along(theme, x_title, log_x, [one.x for one in lines])}
    layout["yaxis"] = _along(theme, y_title, log_y, [trace["y"] for trace in traces], **up)
    layout["shapes"] = [] if marker is None else [picture.rule(theme, x=marker, dash="solid")]
    return picture.drawn(name, alt, traces, theme, like="lines", simulated=simulated, **layout)


def _around(line: Line, x: list[float | None], colour: str) -> list[Json]:
    """The band of a method, and what it reaches with the noise off."""
    traces: list[Json] = []
    if line.band is not None:
        low, high = ({"x": x, "y": picture.numbers(end, 6)} for end in line.band)
        fill = translucent(colour, 0.12)
        traces += picture.region(line.name, low, high, colour, fill, showlegend=False)
    if line.noise_free is not None:
        off = _trace(Line(f"{line.name}, noise off", line.x, line.noise_free))
        traces.append({**off, "line": picture.stroke(colour, 1, "solid"), "showlegend": False})
    return traces


def _along(theme: Theme, title: str, log: bool, values: Sequence[ArrayLike], **style: Any) -> Json:
    return log_axis(theme, title, *values, **style) if log else axis(theme, title, **style)


def _trace(line: Line) -> Json:
    x, y = (np.asarray(values, dtype=np.float64) for values in (line.x, line.y))
    if x.shape != y.shape:
        raise InvalidArgument(line.name, (x.shape, y.shape), "as many x as y")
    text = [*line.text, *(f"± {off:.3f} from run to run" for off in line.spread)]
    hover = f"{line.name}<br>%{{x:,.4~g}}: %{{y:,.3~g}}{'<br>%{text}' if text else ''}"
    return picture.scatter("lines", line.name, _plain(x), _plain(y), hover, text=text)


def _plain(values: FloatArray) -> list[float | None]:
    """Six digits of each; nothing for what is no number, which JSON cannot write."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values.tolist()]
