"""Expected results of a release: a simulation's median and its projected band."""

from dpcore._typing import FloatArray
from dpcore.figures.picture import Picture, drawn, stroke
from dpcore.figures.roc import band_traces, roc_trace
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
    axes
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
    hover = f"{across} %{{x:.2f}}<br>{up} %{{y:.3f}}<extra></extra>"
    line = stroke(theme.private, 2.5, "dash")
    return drawn(
        "expected",
        f"Simulated releases: {up} over {across}. The median is dashed; the shaded band holds "
        "nine in ten of them.",
        [
            *band_traces((x, *band), band_name, theme),
            roc_trace(x, y, "median release", line, hover),
        ],
        theme,
        xaxis=axis(theme, across, range=[0, 1], dtick=0.2),
        yaxis=axis(theme, up, range=[0, 1.005], dtick=0.2),
        legend=LOWER_RIGHT,
        size=(400, 0.9),
    )
