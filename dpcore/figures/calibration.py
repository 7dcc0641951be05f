"""The reliability diagram: observed rates against scores, private against true."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._numbers import BANDS
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.evaluation.calibration.table import CalibrationTable
from dpcore.figures.picture import (
    Picture,
    bar,
    below,
    drawn,
    interval_bars,
    literal,
    numbers,
    rule,
    scatter,
)
from dpcore.figures.theme import Theme, axis, translucent

_HOVER = "mean score %{x:.3f}<br>observed %{y:.3f}"


@dataclass(frozen=True, kw_only=True)
class TrueRates:
    """Exact rates of the same groups; private, so drawn in simulations only.

    Parameters
    ----------
    expected, observed : float arrays, shape (groups,)
        Mean score and rate of positives.
    n : int array, shape (groups,)
        Number of records; a group without any is not drawn.

    Examples
    --------
    >>> TrueRates(expected=np.array([0.2]), observed=np.array([0.25]), n=np.array([8])).filled
    array([ True])
    """

    expected: FloatArray
    observed: FloatArray
    n: IntArray

    @property
    def filled(self) -> BoolArray:
        """Which groups have records, shape (groups,)."""
        return np.asarray(self.n) > 0


def calibration_picture(
    table: CalibrationTable,
    *,
    theme: Theme,
    truth: TrueRates | None = None,
    positive: str = "positive",
    private_name: str = "private",
    band_names: tuple[str, str] = BANDS,
    population: bool = False,
    simulated: bool = True,
) -> Picture:
    """Draw the rate of positives over the mean score, group by group, and the groups' sizes.

    Parameters
    ----------
    table
        Released.
    truth
        Left out of a private release.
    positive
        Name of the positive class.
    private_name
        What the legend calls the released rates.
    band_names : (str, str)
        Of the band for these records and the one for the population.
    population : bool, default False
        Whether to draw the second band.
    simulated : bool, default True
        Stamps the figure.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.evaluation.calibration.calibration_release import private_calibration
    >>> from dpcore.figures import LIGHT
    >>> scores = np.linspace(0.01, 0.99, 2000)
    >>> label = np.arange(2000) % 7 / 7 < scores
    >>> released = private_calibration(label, scores, epsilon=1, noise=SeededNoise(1))
    >>> picture = calibration_picture(released.table, theme=LIGHT)
    >>> [trace["name"] for trace in picture.data]
    ['privacy band for these records', 'any rate possible', 'private', 'records']
    """
    told = _tells(table)
    at = table.expected[told], table.observed[told]
    wide = interval_bars(band_names[1], *at, table.population_band[:, told], theme, wide=True)
    traces = [
        *([wide] if population else []),
        interval_bars(band_names[0], *at, table.observed_band[:, told], theme),
        _unknown(table, theme),
        *([_true(truth, theme)] if truth is not None else []),
        _private(table, private_name, theme),
        _sizes(table, private_name, theme),
    ]
    return drawn(
        "calibration",
        _words(truth is not None, population, positive),
        traces,
        theme,
        xaxis=axis(theme, "mean score of the group", range=[-0.015, 1.015], dtick=0.2, anchor="y2"),
        yaxis=axis(
            theme,
            f"observed rate of “{literal(positive)}”",
            range=[-0.015, 1.02],
            dtick=0.2,
            domain=[0.24, 1],
        ),
        yaxis2=axis(theme, "records", rangemode="tozero", nticks=3, domain=[0, 0.16]),
        shapes=[rule(theme, width=1.2)],
        bargap=0,
        simulated=simulated,
        legend=below(-0.14, traceorder="reversed"),
        height=560,
        aspect=1.2,
    )


def _words(truth: bool, population: bool, positive: str) -> str:
    return (
        f"Reliability diagram: the observed rate of “{positive}” over the mean score of each group "
        "of scores. Private rates are filled squares on a dashed line, with bars that show where "
        "noise may have moved them; a cross marks a group with too few records to say"
        + ("; longer, paler bars show where the population's rates may lie" if population else "")
        + ("; true rates are hollow circles on a solid line" if truth else "")
        + ". A perfectly calibrated model lies on the dotted diagonal. Bars beneath show the noisy "
        "number of records in each group."
    )


def _private(table: CalibrationTable, name: str, theme: Theme) -> dict[str, Any]:
    told = _tells(table)
    return scatter(
        "lines+markers",
        name,
        numbers(table.expected[told]),
        numbers(table.observed[told]),
        cliponaxis=False,
        line={"color": theme.private, "width": 2, "dash": "dash"},
        marker={"symbol": "square", "size": 9, "color": theme.private},
        customdata=table.n[told].tolist(),
        hovertemplate=_HOVER + f"<br>%{{customdata:,}} records<extra>{name}</extra>",
    )


def _tells(table: CalibrationTable) -> BoolArray:
    """Groups about whose rate something is known, shape (groups,)."""
    width = table.observed_band[1] - table.observed_band[0]
    return np.asarray((width < 1.0) & np.isfinite(table.observed))


def _unknown(table: CalibrationTable, theme: Theme) -> dict[str, Any]:
    """Groups whose band leaves every rate possible: a pale mark, and no part of the line.

    One of which no record was counted has no rate either: its mark stands on the diagonal.
    """
    told = _tells(table)
    rate = np.where(np.isfinite(table.observed), table.observed, table.expected)
    return scatter(
        "markers",
        "any rate possible",
        numbers(table.expected[~told]),
        numbers(rate[~told]),
        marker={"symbol": "x-thin", "size": 8, "line": {"color": theme.private, "width": 1.5}},
        hovertemplate=_HOVER + "<br>too few records: any rate is possible<extra></extra>",
        showlegend=bool((~told).any()),
    )


def _true(truth: TrueRates, theme: Theme) -> dict[str, Any]:
    shown = truth.filled
    return scatter(
        "lines+markers",
        "true",
        numbers(truth.expected[shown]),
        numbers(truth.observed[shown]),
        cliponaxis=False,
        line={"color": theme.true, "width": 2},
        marker={
            "symbol": "circle-open",
            "size": 11,
            "color": theme.true,
            "line": {"width": 2.5, "color": theme.true},
        },
        hovertemplate=_HOVER + "<extra>true</extra>",
    )


def _sizes(table: CalibrationTable, name: str, theme: Theme) -> dict[str, Any]:
    return bar(
        "records",
        numbers((table.lower + table.upper) / 2.0),
        table.n.tolist(),
        width=numbers(table.upper - table.lower),
        yaxis="y2",
        marker={
            "color": translucent(theme.private, 0.3),
            "line": {"color": theme.private, "width": 1},
        },
        customdata=[
            f"{low:.3g} to {high:.3g}" for low, high in zip(table.lower, table.upper, strict=True)
        ],
        hovertemplate="scores %{customdata}<br>%{y:,} records<extra>" + name + "</extra>",
        showlegend=False,
    )
