"""The reliability diagram: observed rates against scores, private against true."""

import numpy as np

from dpcore._numbers import ANY, BANDS
from dpcore._typing import Json
from dpcore.evaluation.calibration.table import CalibrationTable
from dpcore.evaluation.exact_scores import TrueCalibration
from dpcore.figures import picture
from dpcore.figures.picture import Picture, bar, drawn, interval_bars, scatter, stroke, tick
from dpcore.figures.theme import Theme, translucent

_HOVER = "mean score %{x:.3f}<br>observed %{y:.3f}"


def calibration_picture(
    table: CalibrationTable,
    *,
    theme: Theme,
    truth: TrueCalibration | None = None,
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
    band_names
        Of the band for these records and the one for the population.
    population
        Whether to draw the second band.
    simulated
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
    ['privacy band for these records', 'any possible', 'private', 'records']
    """
    told = table.tells
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
    alt = _words(truth is not None, population, positive)
    layout: Json = {"yaxis": {"title": f"observed rate of “{picture.shortened(positive, 16)}”"}}
    layout["shapes"] = [picture.rule(theme, width=1.2)]
    return drawn("calibration", alt, traces, theme, simulated=simulated, **layout)


def _words(truth: bool, population: bool, positive: str) -> str:
    return (
        f"Reliability diagram: the observed rate of “{positive}” over the mean score of each group "
        "of scores. Private rates are filled squares on a dashed line, with bars that show where "
        f"noise may have moved them; a cross means {ANY}"
        + ("; longer, paler bars show where the population's rates may lie" if population else "")
        + ("; true rates are hollow circles on a solid line" if truth else "")
        + ". A perfectly calibrated model lies on the dotted diagonal. Bars beneath show the noisy "
        "number of records in each group."
    )


def _private(table: CalibrationTable, name: str, theme: Theme) -> Json:
    told = table.tells
    style = {
        "line": stroke(theme.private, 2, "dash"),
        "cliponaxis": False,
        "marker": {"symbol": "square", "size": 9, "color": theme.private},
        "customdata": table.n[told].tolist(),
    }
    hover = f"{_HOVER}<br>%{{customdata:,}} records<extra>{name}</extra>"
    at = table.expected[told], table.observed[told]
    return scatter("lines+markers", name, *at, hover, **style)


def _unknown(table: CalibrationTable, theme: Theme) -> Json:
    """Groups whose band leaves every rate possible: a pale mark, and no part of the line.

    One of which no record was counted has no rate either: its mark stands on the diagonal.
    """
    told = table.tells
    rate = np.where(np.isfinite(table.observed), table.observed, table.expected)
    hover = f"{_HOVER}<br>too few records: {ANY}"
    style = {"marker": tick(theme.private, 8, 1.5, "x-thin"), "showlegend": bool((~told).any())}
    at = table.expected[~told], rate[~told]
    return scatter("markers", ANY, *at, hover, **style)


def _true(truth: TrueCalibration, theme: Theme) -> Json:
    shown = truth.n > 0
    marker = tick(theme.true, 11, 2.5, "circle-open") | {"color": theme.true}
    style = {"cliponaxis": False, "line": stroke(theme.true, 2), "marker": marker}
    at = truth.expected[shown], truth.observed[shown]
    return scatter("lines+markers", "true", *at, f"{_HOVER}<extra>true</extra>", **style)


def _sizes(table: CalibrationTable, name: str, theme: Theme) -> Json:
    ends = zip(table.lower, table.upper, strict=True)
    marker = {"color": translucent(theme.private, 0.3), "line": stroke(theme.private, 1)}
    widths = picture.numbers(table.upper - table.lower)
    style = {"yaxis": "y2", "showlegend": False, "width": widths}
    style |= {"marker": marker, "customdata": [f"{low:.3g} to {high:.3g}" for low, high in ends]}
    hover = f"scores %{{customdata}}<br>%{{y:,}} records<extra>{name}</extra>"
    return bar("records", (table.lower + table.upper) / 2.0, table.n, hover, **style)
