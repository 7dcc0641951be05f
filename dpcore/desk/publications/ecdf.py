"""Distribution functions of the scores of both classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.data.counting import ScoreHistogram
from dpcore.desk.outcome import Outcome
from dpcore.desk.publication import Cells, Measured, Publication, reach
from dpcore.desk.publications.fitted import fitted_as_json
from dpcore.evaluation import (
    CellCounts,
    EcdfRelease,
    ecdf_methods,
    log_grid,
    uniform_grid,
)
from dpcore.evaluation.ecdf.api import SIDES, private_class_ecdfs
from dpcore.noise import NoiseSource
from dpcore.postprocess.monotone import as_share, nothing_said
from dpcore.privacy import Ledger, Neighbors, Part
from dpcore.registry import Parameter

__all__ = ["PUBLICATION", "ClassCurves"]

# The least score that a logarithmic axis shows.
_LOWEST = 1e-4
_OPTIONS = (
    Parameter(
        name="points",
        kind=int,
        default=256,
        minimum=4,
        maximum=2**14,
        log=True,
        label="Points of the grid",
    ),
    Parameter(
        name="grid",
        kind=str,
        default="uniform",
        choices=("uniform", "logarithmic"),
        label="Spacing of the grid",
    ),
    Parameter(
        name="smoothing",
        kind=str,
        default="isotonic",
        choices=("none", "isotonic", "p1", "p2"),
        label="Smoothing",
        help="Makes the noisy curve monotone, at no privacy cost.",
    ),
)


@dataclass(frozen=True, eq=False)
class ClassCurves:
    """The released curve of each class."""

    negatives: EcdfRelease
    positives: EcdfRelease


def _grid(options: Mapping[str, Any]) -> FloatArray:
    points = int(options["points"])
    if options["grid"] == "logarithmic":
        return log_grid(_LOWEST, 1.0, points)
    return uniform_grid(1.0 / points, 1.0, points)


def _cells(scores: ScoreHistogram, side: str, grid: FloatArray) -> CellCounts:
    """Scores of one class between the points of a public grid."""
    cell = np.minimum(np.searchsorted(grid, scores.centers), grid.size - 1)
    counts = np.bincount(cell, weights=getattr(scores, side), minlength=grid.size)
    # A record that was left out counts as a negative one, and never as a positive one.
    left_out = scores.left_out if side == SIDES[0] else 0
    return CellCounts(counts.astype(np.int64), grid, side, left_out=left_out)


def _evaluate(
    scores: ScoreHistogram,
    *,
    epsilon: Fraction,
    method: str,
    parameters: Mapping[str, Any],
    options: Mapping[str, Any],
    confidence: float,
    neighbors: Neighbors,
    noise: NoiseSource,
    ledger: Ledger,
    part: Part | None,
) -> ClassCurves:
    """Release both curves; see `private_class_ecdfs`."""
    smoothing = None if options["smoothing"] == "none" else str(options["smoothing"])
    grid = _grid(options)
    negatives, positives, _ = private_class_ecdfs(
        (_cells(scores, SIDES[0], grid), _cells(scores, SIDES[1], grid)),
        epsilon=epsilon,
        method=method,
        smoothing=smoothing,
        neighbors=neighbors,
        noises=(noise, noise),
        ledger=ledger,
        part=part,
        confidence=confidence,
        **parameters,
    )
    return ClassCurves(negatives, positives)


def _result(outcome: Outcome) -> dict[str, Any]:
    curves = {side: json.loads(getattr(outcome.evaluated, side).to_json()) for side in SIDES}
    return {"ecdf": curves, **fitted_as_json(outcome)}


def _load(result: Mapping[str, Any]) -> ClassCurves:
    curves = (EcdfRelease.from_json(json.dumps(result["ecdf"][side])) for side in SIDES)
    return ClassCurves(*curves)


def _table(result: Mapping[str, Any]) -> tuple[Cells, list[Cells]]:
    rows: list[Cells] = []
    for side in SIDES:
        curve = result["ecdf"][side]
        columns = (curve["grid"], curve["cdf"], *curve["bands"]["privacy"])
        rows += [(side, *point) for point in zip(*columns, strict=True)]
    return ("class", "score", "share", "band_lower", "band_upper"), rows


def _gap(curves: ClassCurves) -> float:
    return float(np.abs(as_share(curves.negatives.cdf) - as_share(curves.positives.cdf)).max())


def _reach(curves: ClassCurves) -> float:
    """How far the band of a class reaches from its curve, where farthest."""
    both = (curves.negatives, curves.positives)
    return max(reach(as_share(curve.cdf), *curve.band) for curve in both)


def _headline(result: Mapping[str, Any]) -> str:
    curves = _load(result)
    if curves.negatives.says_nothing or curves.positives.says_nothing:
        return nothing_said("one of these curves", "any curve")
    return (
        "The largest gap between the private distribution functions of the two classes is "
        f"{_gap(curves):.3f}; with {curves.positives.confidence:.0%} confidence each curve is "
        f"nowhere off from that of these records by more than {_reach(curves):.3f}."
    )


def _measure(outcome: Outcome) -> Measured:
    assert outcome.scores is not None
    curves: ClassCurves = outcome.evaluated
    grid = curves.positives.grid
    errors = [
        np.abs(as_share(getattr(curves, side).cdf) - _cells(outcome.scores, side, grid).cdf).max()
        for side in SIDES
    ]
    lower, upper = curves.positives.band
    return Measured(
        _gap(curves),
        float(max(errors)),
        stated=_reach(curves),
        x=grid,
        y=curves.positives.cdf,
        lower=lower,
        upper=upper,
    )


PUBLICATION = Publication(
    name="ecdf",
    title="Score distributions",
    summary="Share of each class up to every score.",
    phases=("selection", "training", "evaluation"),
    unit="share of a class",
    quantity="the largest gap between the classes",
    result=_result,
    load=_load,
    table=_table,
    headline=_headline,
    measure=_measure,
    methods=ecdf_methods,
    default="hierarchical",
    evaluate=_evaluate,
    options=_OPTIONS,
)
