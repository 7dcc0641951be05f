"""Expected results of a release: a simulation's median and its projected band."""

from typing import Any

from dpcore._typing import FloatArray
from dpcore.figures.picture import Picture, drawn, numbers, region, scatter
from dpcore.figures.theme import LOWER_RIGHT, Theme, axis


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
    axes : (str, str)
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
    low, high = ({"x": numbers(x), "y": numbers(end)} for end in band)
    traces: list[dict[str, Any]] = [
        *region(band_name, low, high, theme.private, 0.2),
        scatter(
            "lines",
            "median release",
            numbers(x),
            numbers(y),
            line={"color": theme.private, "width": 2.5, "dash": "dash"},
            hovertemplate=f"{across} %{{x:.2f}}<br>{up} %{{y:.3f}}<extra></extra>",
        ),
    ]
    return drawn(
        "expected",
        f"Simulated releases: {up} over {across}. The median is dashed; the shaded band holds "
        "nine in ten of them.",
        traces,
        theme,
        xaxis=axis(theme, across, range=[0, 1], dtick=0.2),
        yaxis=axis(theme, up, range=[0, 1.005], dtick=0.2),
        legend=LOWER_RIGHT,
        height=400,
    )
