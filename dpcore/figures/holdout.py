"""Small panels of training, test and fresh accuracy, one for each way to use a test set."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore._typing import ArrayLike, FloatArray, Json
from dpcore.curves.holdout.selection import HoldoutRun
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, drawn, numbers, region, scatter, stroke
from dpcore.figures.roc_panels import Panel, panels_picture
from dpcore.figures.theme import Theme, axis

_CONTINUAL_MOST = 400


def running_counts_picture(
    private: ArrayLike,
    truth: ArrayLike | None,
    band: ArrayLike,
    *,
    theme: Theme,
    band_name: str,
    simulated: bool = True,
) -> Picture:
    """Draw noisy running counts dashed, true ones solid, and the band of both ends shaded.

    Parameters
    ----------
    private, truth : array-like, shape (steps,)
        Released counts, and exact ones if those may be seen; below zero nothing is drawn, for there
        are no such counts.
    band : array-like, shape (2, steps)
        Lower and upper ends.

    Raises
    ------
    InvalidArgument
        If an array has another number of steps.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> band = [1, 0, 4], [3, 2, 6]
    >>> picture = running_counts_picture([2, 1, 5], [1, 2, 4], band, theme=LIGHT, band_name="band")
    >>> [trace["name"] for trace in picture.data[1:]]
    ['band', 'true', 'private']
    """
    counts = np.maximum(np.asarray(private, dtype=np.float64), 0)
    shown = np.unique(np.linspace(0, counts.size - 1, _CONTINUAL_MOST).round().astype(np.int64))
    places = (shown + 1).tolist()
    bottom, top = (
        {"x": places, "y": numbers(end[shown], 1)}
        for end in _checked("band", band, (2, counts.size))
    )
    lines = [("private", counts, stroke(theme.private, 2, "dash"))]
    if truth is not None:
        exact = _checked("truth", truth, counts.shape)
        lines.insert(0, ("true", exact, stroke(theme.true, 3)))
    hover = "%{y:,.0f} up to step %{x:,}<extra>"
    traces = region(band_name, bottom, top, theme.private, theme.band(0.2))
    for name, values, line in lines:
        up = numbers(values[shown], 1)
        traces.append(scatter("lines", name, places, up, f"{hover}{name}</extra>", line=line))
    alt = (
        f"Number of events up to each of {counts.size:,} steps. The private counts are dashed; "
        f"{'' if truth is None else 'the true counts are solid; '}a shaded band shows where the "
        "true counts may lie."
    )
    steps = {"range": [1, max(counts.size, 2)]}
    return drawn("running-counts", alt, traces, theme, simulated=simulated, xaxis=steps)


def _checked(name: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    given = np.asarray(values, dtype=np.float64)
    if given.shape != shape:
        raise InvalidArgument(name, given.shape, f"of shape {shape}")
    return given


# A curve of more points is thinned evenly: a panel is a few hundred pixels wide.
_HOLDOUT_MOST = 150


def holdout_picture(
    panels: Sequence[tuple[HoldoutRun, str]], *, step: int, theme: Theme, steps: int = 0
) -> Picture:
    """Draw what the test set says against what is true of fresh records, on shared axes.

    Parameters
    ----------
    panels
        At least one: a way to use the test set, and what stands in its corner.
    step
        Marked in each panel, or its last step if there are fewer.
    steps
        How many there will be: the axis leaves room for them.

    Raises
    ------
    InvalidArgument
        If there is no panel.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> from dpcore.curves.holdout.problem import HoldoutSettings
    >>> from dpcore.curves.holdout.study import run_holdout
    >>> small = HoldoutSettings(train_rows=50, fresh_rows=50, variables=9, signal=1, steps=2)
    >>> naive = run_holdout(small).run("naive")
    >>> picture = holdout_picture([(naive, "+10 points")] * 2, step=1, theme=LIGHT)
    >>> [trace["name"] for trace in picture.data[:3]]
    ['training', 'fresh: the truth', 'test']
    """
    lines = [line for run, _ in panels for line in (run.train, run.test, run.fresh)]
    low = min((float(line.min()) for line in lines), default=0.0)
    high = max((float(line.max()) for line in lines), default=1.0)
    room = max(high - low, 0.01)
    heights = [low - 0.2 * room, high + 0.06 * room]
    steps = max([steps, *(run.test.size - 1 for run, _ in panels)])
    each = "; ".join(f"{run.name}: {words.replace('<br>', ' ')}" for run, words in panels)
    alt = f"{len(panels)} panels of accuracy against the number of variables added. Training "
    alt += f"accuracy is dotted, fresh accuracy solid, test accuracy dashed. {each}."
    runs = [Panel(run.name, words, _traces(theme, run, step)) for run, words in panels]
    told: Json = {"across": axis(theme, "variables added", range=[0, steps], nticks=5)}
    told["up"] = axis(theme, "accuracy", range=heights, nticks=5, tickformat="~%")
    told |= {"columns": 2, "corner": (0.03, 0.02, "left bottom")}
    return panels_picture("reusable-holdout", alt, runs, theme, **told)


def _traces(theme: Theme, run: HoldoutRun, step: int) -> list[Json]:
    step = min(step, run.test.size - 1)
    shown = np.unique(np.linspace(0, run.test.size - 1, _HOLDOUT_MOST).round().astype(np.int64))

    def line(name: str, values: FloatArray, **style: Any) -> Json:
        hover = f"%{{y:.1%}} after %{{x}}<extra>{run.name}: {name}</extra>"
        return scatter("lines", name, shown.tolist(), numbers(values[shown], 4), hover, **style)

    # The test curve comes right after the fresh one: what lies between them is the optimism.
    filled = {"fill": "tonexty", "fillcolor": theme.band(0.16)}
    # A line from the truth to what the test set says, at one step.
    ends = numbers(np.array([run.fresh[step], run.test[step]]), 4)
    marker = {"size": 6, "color": [theme.true, theme.private]}
    mark: Json = {"line": stroke(theme.text, 1.5), "marker": marker, "showlegend": False}
    return [
        line("training", run.train, line=stroke(theme.muted, 1.5, "dot")),
        line("fresh: the truth", run.fresh, line=stroke(theme.true, 2.5)),
        line("test", run.test, line=stroke(theme.private, 2, "dash"), **filled),
        scatter("lines+markers", "optimism", [step, step], ends, **mark),
    ]
