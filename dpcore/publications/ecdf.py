"""Distribution functions of the scores of both classes."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._numbers import band_names, level, limit, percent
from dpcore._typing import FloatArray, Json
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation import EcdfRelease, ecdf_methods, ecdf_of_scores, log_grid, uniform_grid
from dpcore.evaluation.ecdf.api import SIDES, private_class_ecdfs
from dpcore.exported import as_plain
from dpcore.figures import Picture, Theme
from dpcore.figures.ecdf import EcdfCurve, Written, ecdf_picture
from dpcore.figures.thin import LOWEST
from dpcore.noise import NoiseSource
from dpcore.postprocess.monotone import as_share, nothing_said
from dpcore.privacy import shown
from dpcore.publications.publication import (
    Found,
    Measured,
    Publication,
    Row,
    fitted_as_json,
    half_width,
)
from dpcore.study import WorkflowResult


@dataclass(frozen=True, eq=False)
class ClassCurves:
    """The released curve of each class."""

    negatives: EcdfRelease
    positives: EcdfRelease


def grid_of(points: int, logarithmic: bool) -> FloatArray:
    """The public grid: scores end at 1 whatever the data."""
    make, low, high, many = grid_arguments(points, logarithmic)
    return make(low, high, many)


def grid_arguments(
    points: int, logarithmic: bool
) -> tuple[Callable[[float, float, int], FloatArray], float, float, int]:
    """What makes the grid, its ends and its points."""
    if logarithmic:
        return log_grid, LOWEST, 1.0, points
    return uniform_grid, 1.0 / points, 1.0, points


def _evaluate(
    scores: ScoreHistogram, *, parameters: Json, options: Json, noise: NoiseSource, **account: Any
) -> ClassCurves:
    """Release both curves; see `private_class_ecdfs`."""
    smoothing = None if options["smoothing"] == "none" else str(options["smoothing"])
    grid = grid_of(int(options["points"]), options["grid"] == "logarithmic")
    negatives, positives = (ecdf_of_scores(scores, side, grid=grid) for side in SIDES)
    told = {"smoothing": smoothing, "noises": (noise, noise), **account, **parameters}
    return ClassCurves(*private_class_ecdfs((negatives, positives), **told)[:2])


def _result(outcome: WorkflowResult) -> dict[str, Any]:
    curves = {side: getattr(outcome.evaluated, side).as_json() for side in SIDES}
    return {"ecdf": curves, **fitted_as_json(outcome)}


def _load(result: Mapping[str, Any]) -> ClassCurves:
    curves = (EcdfRelease.from_json(json.dumps(result["ecdf"][side])) for side in SIDES)
    return ClassCurves(*curves)


def _table(found: Found) -> tuple[Row, list[Row]]:
    """Both curves at every point of the grid, and the exact shares where they are known."""
    rows: list[Row] = []
    own = own_scale(found.scale, logarithmic=found.options.get("grid") == "logarithmic")
    sides = zip(_sides(found), found.truth or (None, None), strict=True)
    for (name, curve), exact in sides:
        columns = [
            as_plain(own.written(curve.grid)),
            curve.cdf.tolist(),
            *(end.tolist() for end in curve.band),
        ]
        if found.truth is not None:
            columns.append([""] * curve.grid.size if exact is None else exact.tolist())
        rows += [(name, *point) for point in zip(*columns, strict=True)]
    header = ("class", "score", "share", "band_lower", "band_upper")
    return (*header, "true") if found.truth is not None else header, rows


def own_scale(scale: ScoreScale, *, logarithmic: bool) -> ScoreScale:
    """On which scale scores are drawn and told: as the file has them, as a threshold of theirs is.

    On a logarithmic grid all scores lie between 0 and 1.

    Examples
    --------
    >>> own_scale(ScoreScale("log-odds"), logarithmic=False).name
    'log-odds'
    """
    return PROBABILITY if logarithmic else scale


def score_name(own: ScoreScale) -> str:
    """What an axis and a column call the scores: those in units of their own say which.

    Examples
    --------
    >>> score_name(ScoreScale("log-odds")), score_name(ScoreScale())
    ('score, in log-odds', 'score')
    """
    return f"score, in {own.name}" if own.name in ("log-odds", "percent") else "score"


def placed(own: ScoreScale, points: int) -> tuple[Written, Written]:
    """Where a score lies on an axis from 0 to 1, and what is written at a place of a linear one.

    Log-odds have no ends: half a cell of the grid is left to either side, and what lies farther out
    is drawn at the edge.

    Examples
    --------
    >>> place, written = placed(ScoreScale("log-odds"), 4)
    >>> place(np.array([0.0, 0.5, 1.0])).tolist(), written(np.array([0.5, 1.0])).round(3).tolist()
    ([0.0, 0.5, 1.0], [0.0, 1.946])
    """
    if own.name != "log-odds":
        return np.asarray, own.written
    end = float(own.written(np.array(1.0 - 0.5 / points)))
    place = lambda score: np.clip((own.written(score) / end + 1.0) / 2.0, 0.0, 1.0)  # noqa: E731
    return place, lambda at: end * (2.0 * at - 1.0)


def quantile(curve: EcdfRelease, q: float) -> tuple[float, float, float]:
    """Lowest possible, released and highest possible score of that rank; none is below 0.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.evaluation import private_ecdf
    >>> halves = private_ecdf([0.1] * 900, grid=[0.5, 1.0], epsilon=1, noise=SeededNoise(1))
    >>> quantile(halves, 0.5)
    (0.0, 0.5, 0.5)
    """
    low, high = curve.inverse_band(q).tolist()
    return max(low, 0.0), float(curve.inverse(q)), high


def _sides(found: Found) -> tuple[tuple[str, EcdfRelease], tuple[str, EcdfRelease]]:
    negative, positive = found.classes
    return (negative, found.release.negatives), (positive, found.release.positives)


def _gap(curves: ClassCurves) -> float:
    return float(np.abs(as_share(curves.negatives.cdf) - as_share(curves.positives.cdf)).max())


def _half_width(curves: ClassCurves) -> float:
    """How far the band of a class reaches from its curve, where farthest."""
    both = (curves.negatives, curves.positives)
    return max(half_width(as_share(curve.cdf), *curve.band) for curve in both)


def _headline(found: Found) -> str:
    curves: ClassCurves = found.release
    truth, epsilon = found.truth, shown(found.epsilon)
    exact_of = zip(found.classes, truth or ("", ""), strict=True)
    empty = [f"“{name}”" for name, exact in exact_of if exact is None]
    alone = f" Nobody is in {' or '.join(empty)}: what is drawn there is noise." if empty else ""
    if len(empty) == len(found.classes):
        return f"At epsilon {epsilon} there is nothing to see.{alone}"
    mute = [f"the curve of “{name}”" for name, curve in _sides(found) if curve.says_nothing]
    if mute:
        which = mute[0] if len(mute) == 1 else "each curve"
        return f"{nothing_said(which, 'any curve', epsilon)}{alone}"
    if truth is None:
        return (
            f"At epsilon {epsilon} the largest gap between the {found.adjective} distribution "
            f"functions of the two classes is {_gap(curves):.3f}; with "
            f"{level(curves.positives.confidence)} confidence each curve is nowhere off from that "
            f"of these records by more than {_half_width(curves):.3f}."
        )
    both = zip((curves.negatives, curves.positives), truth, strict=True)
    known = ((curve, exact) for curve, exact in both if exact is not None)
    off = max(float(np.abs(as_share(curve.cdf) - exact).max()) for curve, exact in known)
    return (
        f"At epsilon {epsilon} no point of the {found.adjective} curves is off by more than "
        f"{percent(limit(off))} of its class; the band for these records allows for "
        f"{percent(limit(_half_width(curves)))}.{alone}"
    )


Line = tuple[FloatArray, FloatArray]


def picture(
    found: Found,
    theme: Theme,
    *,
    lines: tuple[Line | None, Line | None] | None = None,
    at: float | None = None,
    sampling: bool = False,
) -> Picture:
    """Both classes with their bands, and the exact curves where a simulation has them.

    `lines` are these in more detail than the grid has, where they are `placed`; at the share `at`
    the scores are marked that it does not exceed.
    """
    curves, logarithmic = [], found.options.get("grid") == "logarithmic"
    own = own_scale(found.scale, logarithmic=logarithmic)
    place, written = placed(own, found.release.positives.grid.size)
    for (name, curve), exact, detailed in zip(
        _sides(found), found.truth or (None, None), lines or (None, None), strict=True
    ):
        told: dict[str, Any] = {"grid": place(curve.grid), "truth": detailed}
        if lines is None and exact is not None:
            told["truth"] = told["grid"], exact
        told["quantile"] = None if at is None else place(np.array(quantile(curve, at)))
        curves.append(EcdfCurve.of(name, curve, sampling=sampling, **told))
    return ecdf_picture(
        *curves,
        theme=theme,
        level=at,
        logarithmic=logarithmic,
        written=written,
        score_name=score_name(own),
        private_name=found.adjective,
        band_names=band_names(found.release.positives.confidence),
        simulated=found.simulated,
    )


def _measure(outcome: WorkflowResult) -> Measured:
    curves: ClassCurves = outcome.evaluated
    grid, scores = curves.positives.grid, outcome.performance.scores
    errors = []
    for side in SIDES:
        exact = ecdf_of_scores(scores, side, grid=grid).cdf
        errors.append(float(np.abs(as_share(getattr(curves, side).cdf) - exact).max()))
    lower, upper = curves.positives.band
    told = {"x": grid, "y": curves.positives.cdf, "lower": lower, "upper": upper}
    return Measured(_gap(curves), max(errors), stated=_half_width(curves), **told)


_MADE = {"released": EcdfRelease, "result": _result, "load": _load, "evaluate": _evaluate}

PUBLICATION = Publication.told(
    "ecdf", _table, _headline, _measure, picture, methods=ecdf_methods, **_MADE
)
