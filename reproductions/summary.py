"""All reproductions in one figure: how many of the papers' trends are seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpcore.figures.picture import Picture
from dpcore.figures.theme import Theme, axis, base_layout, stamp
from reproductions import Experiment, Verdict

_BAR = 22


def reproduction_summary_picture(
    judged: Sequence[tuple[Experiment, Verdict]], *, theme: Theme
) -> Picture:
    """A bar for each experiment, divided into trends seen and not seen.

    Parameters
    ----------
    judged : sequence of (Experiment, Verdict)

    Examples
    --------
    >>> from dpcore.figures import LIGHT
    >>> from reproductions import Claim, experiment
    >>> found = Verdict((Claim("a", True, ""), Claim("b", False, "")), "")
    >>> picture = reproduction_summary_picture([(experiment("lyu-figure-5"), found)], theme=LIGHT)
    >>> [trace["x"] for trace in picture.data]
    [[1], [1]]
    """
    names = [f"{experiment.paper.name}, {experiment.figures}" for experiment, _ in judged]
    counts = {
        word: [sum(trend.word == word for trend in found.trends) for _, found in judged]
        for word in ("seen", "not seen")
    }
    colours = {"seen": theme.positive, "not seen": theme.negative}
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": word,
            "y": names,
            "x": found,
            "marker": {
                "color": colours[word],
                "pattern": {
                    "shape": "" if word == "seen" else "/",
                    "fgcolor": theme.page,
                    "fillmode": "overlay",
                },
            },
            "hovertemplate": "%{y}: %{x} " + word + "<extra></extra>",
        }
        for word, found in counts.items()
    ]
    layout = base_layout(
        theme,
        barmode="stack",
        xaxis=axis(theme, "trends of the paper"),
        yaxis=axis(theme, "", autorange="reversed"),
        annotations=stamp(theme, True),
    )
    # Above the bars: beneath so many it would be out of sight.
    layout["legend"] |= {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"}
    # Two lines of it on a telephone.
    layout["margin"] |= {"t": 60}
    layout["annotations"][0]["yshift"] = 40
    seen, missed = (sum(found) for found in counts.values())
    return Picture(
        name="reproductions",
        alt=f"{seen} trends seen and {missed} not seen, in {len(names)} experiments.",
        data=traces,
        layout=layout,
        height=150 + _BAR * len(names),
        aspect=1.4,
    )
