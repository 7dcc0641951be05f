"""Small panels of training, test and fresh accuracy, one for each way to use a test set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._numbers import BANDS
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, drawn, numbers, of_panel, region, scatter
from dpcore.figures.theme import ABOVE, Theme, axis, note, translucent

_CONTINUAL_MOST = 400


def running_counts_picture(
    private: ArrayLike,
    *,
    theme: Theme,
    truth: ArrayLike | None = None,
    band: ArrayLike | None = None,
    band_name: str = BANDS[0],
) -> Picture:
    """Draw noisy running counts dashed, true ones solid, and the band of both ends shaded.

    Parameters
    ----------
    private : array-like, shape (steps,)
        Released counts; below zero nothing is drawn, for there are no such counts.
    truth : array-like, shape (steps,), optional
        Exact counts; left out of a private release.
    band : array-like, shape (2, steps), optional
        Lower and upper ends.

    Raises
    ------
    InvalidArgument
        If an array has another number of steps.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> picture = running_counts_picture([2, 1, 5], truth=[1, 2, 4], theme=LIGHT)
    >>> [trace["name"] for trace in picture.data]
    ['true', 'private']
    """
    counts = np.maximum(np.asarray(private, dtype=np.float64), 0)
    shown = np.unique(np.linspace(0, counts.size - 1, _CONTINUAL_MOST).round().astype(np.int64))
    traces: list[dict[str, Any]] = []
    if band is not None:
        low, high = _checked("band", band, (2, counts.size))
        places = (shown + 1).tolist()
        bottom, top = ({"x": places, "y": numbers(end[shown], 1)} for end in (low, high))
        traces += region(band_name, bottom, top, theme.private, 0.2)
    if truth is not None:
        exact = _checked("truth", truth, counts.shape)
        traces.append(_line("true", exact, shown, line={"color": theme.true, "width": 3}))
    dashed = {"color": theme.private, "width": 2, "dash": "dash"}
    traces.append(_line("private", counts, shown, line=dashed))
    return drawn(
        "running-counts",
        f"Number of events up to each of {counts.size:,} steps. The private counts are dashed"
        + ("; the true counts are solid" if truth is not None else "")
        + ("; a shaded band shows where the true counts may lie." if band is not None else "."),
        traces,
        theme,
        xaxis=axis(theme, "step", range=[1, max(counts.size, 2)]),
        yaxis=axis(theme, "events so far", rangemode="tozero"),
        legend={"x": 0.01, "y": 0.99, "xanchor": "left", "yanchor": "top"},
        height=360,
        aspect=0.85,
    )


def _checked(name: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    given = np.asarray(values, dtype=np.float64)
    if given.shape != shape:
        raise InvalidArgument(name, given.shape, f"of shape {shape}")
    return given


def _line(name: str, values: FloatArray, shown: IntArray, **style: Any) -> dict[str, Any]:
    return scatter(
        "lines",
        name,
        (shown + 1).tolist(),
        numbers(values[shown], 1),
        hovertemplate=f"%{{y:,.0f}} up to step %{{x:,}}<extra>{name}</extra>",
        **style,
    )


_COLUMNS = 2

_HEIGHT, _EXTRA = 195, 90

# A curve of more points is thinned evenly: a panel is a few hundred pixels wide.
_HOLDOUT_MOST = 150


@dataclass(frozen=True, eq=False)
class HoldoutPanel:
    """Accuracies after 0, 1, ... variables, shape (steps + 1,) each.

    Parameters
    ----------
    title, note
        What stands above the panel, and in its corner.
    """

    title: str
    note: str
    train: FloatArray
    test: FloatArray
    fresh: FloatArray


def holdout_picture(
    panels: Sequence[HoldoutPanel], *, step: int, theme: Theme, steps: int = 0
) -> Picture:
    """Draw what the test set says against what is true of fresh records, on shared axes.

    Parameters
    ----------
    panels
        At least one.
    step
        Marked in each panel, or its last step if there are fewer.
    steps : int, default 0
        How many there will be: the axis leaves room for them.

    Raises
    ------
    InvalidArgument
        If there is no panel.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> rising = np.array([0.5, 0.6, 0.7])
    >>> panel = HoldoutPanel("Naive reuse", "+10 points", rising, rising, rising - 0.1)
    >>> picture = holdout_picture([panel, panel], step=1, theme=LIGHT)
    >>> [trace["name"] for trace in picture.data if trace["showlegend"]]
    ['training', 'fresh: the truth', 'test']
    """
    if not panels:
        raise InvalidArgument("panels", panels, "one panel or more")
    rows = -(-len(panels) // _COLUMNS)
    axes: dict[str, Any] = {}
    words: list[dict[str, Any]] = []
    traces: list[dict[str, Any]] = []
    low = min(float(line.min()) for panel in panels for line in _lines(panel))
    high = max(float(line.max()) for panel in panels for line in _lines(panel))
    room = max(high - low, 0.01)
    heights = [low - 0.2 * room, high + 0.06 * room]
    steps = max(steps, *(panel.test.size - 1 for panel in panels))
    for place, panel in enumerate(panels):
        name = "" if place == 0 else str(place + 1)
        # Only the outer panels name their axes.
        across = "variables added" if place + _COLUMNS >= len(panels) else ""
        up = "" if place % _COLUMNS else "accuracy"
        axes[f"xaxis{name}"] = _axis(theme, across, [0, steps])
        axes[f"yaxis{name}"] = _axis(theme, up, heights, tickformat=".0%")
        words += _words(theme, panel, name)
        traces += _traces(theme, panel, name, min(step, panel.test.size - 1))
    gaps = {"pattern": "independent", "xgap": 0.18, "ygap": 0.32}
    return drawn(
        "reusable-holdout",
        _alt(panels),
        traces,
        theme,
        grid={"rows": rows, "columns": _COLUMNS, **gaps},
        stamped_above=48,
        words=words,
        legend={**ABOVE, "y": 1 + 34 / (_HEIGHT * rows)},
        margin={"t": 72},
        height=_HEIGHT * rows + _EXTRA,
        aspect=max(0.55 * rows, 0.7),
        **axes,
    )


def _lines(panel: HoldoutPanel) -> tuple[FloatArray, FloatArray, FloatArray]:
    return panel.train, panel.test, panel.fresh


def _axis(theme: Theme, title: str, span: list[float], **settings: Any) -> dict[str, Any]:
    found = axis(theme, title, range=span, nticks=5, **settings)
    found["title"]["font"]["size"] = 12.5
    found["title"]["standoff"] = 6
    found["tickfont"]["size"] = 11.5
    return found


def _words(theme: Theme, panel: HoldoutPanel, name: str) -> list[dict[str, Any]]:
    place = {"xref": f"x{name} domain", "yref": f"y{name} domain", "align": "left"}
    common: dict[str, Any] = {"color": theme.text, **place}
    return [
        note(f"<b>{panel.title}</b>", 0, 1, "left bottom", size=13, **common),
        note(panel.note, 0.03, 0.02, "left bottom", size=12, **common),
    ]


def _traces(theme: Theme, panel: HoldoutPanel, name: str, step: int) -> list[dict[str, Any]]:
    common = of_panel(name)
    shown = np.unique(np.linspace(0, panel.test.size - 1, _HOLDOUT_MOST).round().astype(np.int64))

    def line(label: str, values: FloatArray, **style: Any) -> dict[str, Any]:
        return {
            **common,
            "name": label,
            "legendgroup": label,
            "x": shown.tolist(),
            "y": numbers(values[shown], 4),
            "hovertemplate": f"%{{y:.1%}} after %{{x}}<extra>{panel.title}: {label}</extra>",
            **style,
        }

    # The test curve comes right after the fresh one: what lies between them is the optimism.
    filled = {"fill": "tonexty", "fillcolor": translucent(theme.private, 0.16)}
    return [
        line("training", panel.train, line={"color": theme.muted, "width": 1.5, "dash": "dot"}),
        line("fresh: the truth", panel.fresh, line={"color": theme.true, "width": 2.5}),
        line("test", panel.test, line={"color": theme.private, "width": 2, "dash": "dash"})
        | filled,
        _mark(panel, step, theme, {**common, "showlegend": False}),
    ]


def _mark(panel: HoldoutPanel, step: int, theme: Theme, common: dict[str, Any]) -> dict[str, Any]:
    """A line from the truth to what the test set says, at one step."""
    return {
        **common,
        "mode": "lines+markers",
        "name": "optimism",
        "x": [step, step],
        "y": numbers(np.array([panel.fresh[step], panel.test[step]]), 4),
        "line": {"color": theme.text, "width": 1.5},
        "marker": {"size": 6, "color": [theme.true, theme.private]},
        "hoverinfo": "skip",
    }


def _alt(panels: Sequence[HoldoutPanel]) -> str:
    each = "; ".join(f"{panel.title}: {panel.note.replace('<br>', ' ')}" for panel in panels)
    return (
        f"{len(panels)} panels of accuracy against the number of variables added. Training "
        f"accuracy is dotted, fresh accuracy solid, test accuracy dashed. {each}."
    )
