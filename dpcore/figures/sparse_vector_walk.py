"""One run of the sparse vector technique, query by query."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dpcore._typing import FloatArray, Json
from dpcore.errors import InvalidArgument
from dpcore.figures.picture import Picture, drawn, numbers, scatter, stroke, tick
from dpcore.figures.theme import Theme, axis, translucent
from dpcore.selection import SparseVectorTrace

_YES, _NO = "✓", "✗"
# What is known of the queries, in the order in which they were asked; shape (queries,) each.
Columns = Mapping[str, FloatArray]


def sparse_vector_walk_picture(
    run: SparseVectorTrace,
    names: Sequence[str],
    *,
    theme: Theme,
    epsilon: float,
    step: int | None = None,
) -> Picture:
    """Draw every query so far: exact score, noisy score, noisy threshold, answer, budget left.

    Parameters
    ----------
    run
        Of one query or more.
    names
        What is said about each query when it is the last one asked.
    epsilon
        The budget at the start.
    step
        How many queries have been asked in the figure itself, from 1; all if left out. There is a
        frame for each number.

    Raises
    ------
    InvalidArgument
        If there is no query, or no such step.

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> from dpcore.noise import SeededNoise
    >>> from dpcore.selection import trace_sparse_vector
    >>> run = trace_sparse_vector([9.0, 1.0], k=1, epsilon=1, noise=SeededNoise(1))
    >>> names = [str(place) for place in range(len(run.queries))]
    >>> picture = sparse_vector_walk_picture(run, names, theme=LIGHT, epsilon=1)
    >>> [frame["name"] for frame in picture.frames] == names
    True
    """
    told = ("score", "noisy_score", "noisy_threshold", "budget_left", "passed")
    walk = {
        name: np.array([getattr(query, name) for query in run.queries], dtype=np.float64)
        for name in told
    }
    size = len(run.queries)
    shown = size if step is None else step
    if not 1 <= shown <= size:
        raise InvalidArgument("step", step, f"from 1 to the {size} queries of the run")
    states = [_states(walk, asked, epsilon) for asked in range(1, size + 1)]
    still, moving = _still(walk, run.threshold, theme), _moving(theme)
    traces = [*still, *({**style, **states[shown - 1][i]} for i, style in enumerate(moving))]
    places = list(range(len(still), len(traces)))
    frames = [
        {"name": name, "traces": places, "data": state}
        for name, state in zip(names, states, strict=True)
    ]
    picture = drawn(
        "sparse-vector-run",
        f"{size} queries in the order in which they were asked. For each its exact score, its "
        "noisy score, a filled green dot if it passes the dashed noisy threshold and an orange "
        "ring if not; "
        f"{int(run.selected.size)} pass. Scores and noise stay secret. Beneath, the budget "
        "that is left after each answer.",
        traces,
        theme,
        **_axes(walk, run.threshold, theme, epsilon),
    )
    return replace(picture, frames=frames)


def _still(walk: Columns, threshold: float, theme: Theme) -> list[Json]:
    """What does not move: exact scores and the threshold before noise."""
    size = walk["score"].size
    ends = [0.5, size + 0.5], [threshold] * 2
    hovers = "query %{x}<br>exact score %{y:,.1f}", "threshold %{y:,.1f}"
    mark, line = tick(theme.true, 13, symbol="line-ew"), stroke(theme.true, 1.5)
    x, exact = list(range(1, size + 1)), numbers(walk["score"], 3)
    return [
        scatter("markers", "exact score", x, exact, hovers[0], marker=mark),
        scatter("lines", "threshold", *ends, hovers[1], line=line),
    ]


def _moving(theme: Theme) -> list[Json]:
    """The style of what each step adds to, in the order of `_states`."""
    stick = stroke(translucent(theme.muted, 0.8), 1.5)
    threshold = stroke(theme.private, 2.25, "dash", shape="hvh")
    passed = {"symbol": "circle", "size": 11, "color": theme.positive}
    failed = {"symbol": "circle-open", "size": 11, "color": theme.private, "line": {"width": 2}}
    said, words = "query %{x}<br>noisy score %{y:,.1f}", {"size": 14, "color": theme.text}
    # Beneath the scores: answers, and the budget that is left.
    answers = {"textfont": words, "yaxis": "y2", "showlegend": False}
    left = {"line": stroke(theme.positive, 2, shape="hv"), "yaxis": "y3", "showlegend": False}
    left |= {"fill": "tozeroy", "fillcolor": translucent(theme.positive, 0.25)}
    styles = (
        ("lines", "query noise", "", {"line": stick}),
        ("lines", "noisy threshold", "noisy threshold %{y:,.1f}", {"line": threshold}),
        ("markers", "above: yes", f"{said}: yes", {"marker": passed}),
        ("markers", "below: no", f"{said}: no", {"marker": failed}),
        ("text", "answers", "query %{x} is answered %{text}", answers),
        ("lines", "budget left", "after query %{x}: epsilon %{y:.3~g} left", left),
    )
    return [scatter(mode, name, [], [], hover, **style) for mode, name, hover, style in styles]


def _states(walk: Columns, asked: int, epsilon: float) -> list[Json]:
    """Coordinates of what moves, once so many queries have been asked."""
    x = np.arange(1, asked + 1)
    passed = np.asarray(walk["passed"][:asked], dtype=bool)
    answers = [_YES if one else _NO for one in passed.tolist()]
    noisy, exact = walk["noisy_score"][:asked], walk["score"][:asked]
    sticks = numbers(np.column_stack([exact, noisy, np.full(asked, np.nan)]).ravel(), 3)
    gapped = [None if np.isnan(one) else one for one in sticks]
    levels = walk["noisy_threshold"][:asked]
    reached = numbers(np.concatenate([levels[:1], levels, levels[-1:]]), 3)
    # The noise of the threshold is paid for before the first query is asked.
    begun = [] if walk["passed"][0] else [walk["budget_left"][0]]
    left = np.concatenate([[epsilon], begun, walk["budget_left"][:asked]])
    # However little there is: by link an epsilon may be a millionth.
    kept = [float(f"{one:.6g}") for one in (*left, left[-1])]
    return [
        {"x": np.repeat(x, 3).tolist(), "y": gapped},
        {"x": [0.5, *x.tolist(), asked + 0.5], "y": reached},
        # A point without a place keeps the entry in the legend.
        {"x": [*x[passed].tolist(), None], "y": [*numbers(noisy[passed], 3), None]},
        {"x": [*x[~passed].tolist(), None], "y": [*numbers(noisy[~passed], 3), None]},
        {"x": x.tolist(), "y": [0.5] * asked, "text": answers},
        {"x": [0.5] * (1 + len(begun)) + x.tolist() + [asked + 0.5], "y": kept},
    ]


def _axes(walk: Columns, threshold: float, theme: Theme, epsilon: float) -> Json:
    """Of the scores, the answers and the budget, from top to bottom."""
    size = walk["score"].size
    drawn = (walk[name] for name in ("score", "noisy_score", "noisy_threshold"))
    seen = np.concatenate([*drawn, [threshold]])
    margin = 0.06 * max(float(np.ptp(seen)), 1.0)
    bare = {"showgrid": False, "showticklabels": False}
    across = axis(theme, "query", range=[0.4, size + 0.6], anchor="y3", showgrid=False)
    ends = [float(seen.min()) - margin, float(seen.max()) + margin]
    scores = axis(theme, "score", domain=[0.36, 1.0], range=ends)
    answers = axis(theme, "answer", domain=[0.25, 0.33], range=[0, 1], **bare)
    told = {"range": [0, 1.08 * epsilon], "nticks": 3, "tickformat": "~g"}
    left = axis(theme, "ε left", domain=[0.0, 0.2], **told)
    answers["title"]["font"]["size"] = left["title"]["font"]["size"] = 12.5
    across |= {"dtick": 1 if size <= 20 else 5, "tick0": 0 if size > 20 else 1}
    return {"xaxis": across, "yaxis": scores, "yaxis2": answers, "yaxis3": left}
