"""Decisions drawn: 1,000 people at one threshold, and curves over all thresholds."""

from dataclasses import dataclass

import numpy as np

from dpcore._numbers import BANDS, telling_digits
from dpcore._typing import FloatArray, Interval, Json
from dpcore.evaluation.roc.operating import BandedCurve
from dpcore.figures import picture
from dpcore.figures.picture import Picture
from dpcore.figures.roc import band_traces, roc_trace, true_trace
from dpcore.figures.theme import Theme, translucent

# Name -> what lies across, what lies upward, and what the figure says in words.
AXES: dict[str, list[str]] = picture.FIXED["operating"]
_BAR, _LABEL = 0.36, 0.42


@dataclass(frozen=True, kw_only=True)
class People:
    """How many of 1,000 people are in one cell of the confusion matrix.

    Parameters
    ----------
    words
        Who they are.
    count, lower, upper
        Released, with its interval.
    true
        Exact; in simulations only.

    Examples
    --------
    >>> People(words="positives missed", count=26.6, lower=21, upper=31, true=25).label
    'positives missed: <b>27</b> (21 to 31); true 25'
    """

    words: str
    count: float
    lower: float
    upper: float
    true: float | None = None

    @property
    def label(self) -> str:
        """What stands above the bar: whole people, unless that makes one number of an interval."""
        digits = telling_digits(self.lower, self.upper, digits=0)
        count, low, high = (f"{one:,.{digits}f}" for one in (self.count, self.lower, self.upper))
        true = "" if self.true is None else f"; true {self.true:,.{digits}f}"
        return f"{self.words}: <b>{count}</b> ({low} to {high}){true}"


def people_picture(
    cells: list[People],
    *,
    theme: Theme,
    positive: str = "positive",
    private_name: str = "private",
    band_name: str = BANDS[0],
    simulated: bool = True,
) -> Picture:
    """Draw a confusion matrix as bars of 1,000 people, with intervals, and true ticks across.

    Parameters
    ----------
    cells
        From top to bottom.
    positive
        Name of the positive class.
    private_name, band_name
        In the legend.
    simulated
        Stamps the figure.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> cells = [People(words="positives flagged", count=30, lower=20, upper=40)]
    >>> people_picture(cells, theme=LIGHT).data[0]["x"]
    [30.0]
    """
    places = list(range(len(cells)))
    count = np.array([one.count for one in cells], dtype=np.float64)
    high, low = (np.array([getattr(one, end) for one in cells]) for end in ("upper", "lower"))
    marker = {"color": translucent(theme.private, 0.45), "line": picture.stroke(theme.private, 1)}
    bars = picture.bar(private_name, count, places, "", orientation="h", width=_BAR, marker=marker)
    rows = np.array(places, dtype=np.float64)
    reach = picture.interval_bars(band_name, count, rows, np.stack([low, high]), theme, along="x")
    above = [0] * len(cells), [place - _LABEL for place in places]
    words: Json = {"text": [one.label for one in cells], "textposition": "middle right"}
    words |= {"textfont": {"size": 14, "color": theme.text}, "cliponaxis": False}
    labels = picture.scatter("text", "people", *above, showlegend=False, **words)
    is_known = all(one.true is not None for one in cells)
    alt = f"Bars: how many of 1,000 people are {', '.join(one.words for one in cells)}"
    alt += ", with lines that show where noise may have moved them"
    alt += "; ticks mark the true numbers." if is_known else "."
    traces = [bars, reach, *([_ticks(cells, theme)] if is_known else []), labels]
    across = f"of 1,000 people (positive: “{picture.shortened(positive)}”)"
    layout: Json = {"xaxis": {"title": across}, "yaxis": {"range": [len(cells) - 0.65, -0.7]}}
    return picture.drawn("threshold", alt, traces, theme, simulated=simulated, **layout)


def _ticks(cells: list[People], theme: Theme) -> Json:
    true = np.array([one.true for one in cells], dtype=np.float64)
    marker = picture.tick(theme.true, 18)
    rows = list(range(true.size))
    return picture.scatter("markers", "true", true, rows, marker=marker, cliponaxis=False)


def operating_picture(
    name: str,
    curve: BandedCurve,
    *,
    theme: Theme,
    at: Interval,
    truth: tuple[FloatArray, FloatArray] | None = None,
    everybody: FloatArray | None = None,
    top: float = 1.0,
    private_name: str = "private",
    band_name: str = BANDS[0],
) -> Picture:
    """Draw one of `AXES` with its band over the true curve, and a mark at the threshold.

    Parameters
    ----------
    name : {"precision_recall", "gains", "net_benefit"}
    curve
        Released.
    at
        Where the threshold is.
    truth : (x, y), optional
        The exact curve; in simulations only.
    everybody
        The same quantity at the curve's x if everybody is flagged.
    top : float, default 1
        Upper end of the figure.
    private_name, band_name
        In the legend.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> line = np.linspace(0, 1, 3)
    >>> curve = BandedCurve(line, line, line, line)
    >>> picture = operating_picture("gains", curve, theme=LIGHT, at=(0.2, 0.4))
    >>> [trace["name"] for trace in picture.data[1:]]
    ['privacy band for these records', 'private', 'threshold']
    """
    across, up, words = AXES[name]
    hover = f"{across} %{{x:.3f}}<br>{up} %{{y:.3f}}"
    line = picture.stroke(theme.private, 2.5, "dash", shape="linear")
    plain = picture.stroke(theme.muted, 1.2, "dot", shape="linear")
    mark = picture.tick(theme.text, 13, 1.5, "diamond") | {"color": theme.private}
    here = [round(at[0], 5)], [round(at[1], 5)]
    traces = [
        *band_traces((curve.x, curve.lower, curve.upper), band_name, theme),
        *([] if truth is None else [true_trace(*truth, theme, hover=hover)]),
        *([] if everybody is None else [roc_trace(curve.x, everybody, "flag everybody", plain)]),
        roc_trace(curve.x, curve.y, private_name, line, hover),
        picture.scatter("markers", "threshold", *here, marker=mark, cliponaxis=False),
    ]
    # Alarms beyond all reason cost without end: a little below zero says enough.
    bottom = 0.0 if everybody is None else -0.35 * top
    alt = f"{words}. The private curve is dashed; the shaded band shows where noise may have "
    alt += "moved it; a diamond marks the threshold"
    alt += "" if truth is None else "; the true curve is solid"
    alt += "." if everybody is None else "; a dotted line is for flagging everybody."
    rising = {"title": up, "range": [bottom, 1.005 * top]}
    layout: Json = {"like": "operating", "xaxis": {"title": across}, "yaxis": rising}
    return picture.drawn(name.replace("_", "-"), alt, traces, theme, **layout)
