"""The ECDF figure, its words and its table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import streamlit as st

from dpcore._numbers import ANY, percent
from dpcore._typing import FloatArray
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation import CellCounts, EcdfRelease, ecdf_of_scores
from dpcore.evaluation.ecdf.api import SIDES, private_class_ecdfs
from dpcore.figures import Picture, Theme
from dpcore.figures.thin import visible
from dpcore.postprocess.monotone import as_share, leaves_everything
from dpcore.privacy import Charge
from dpcore.publications import ecdf
from dpcore.publications.ecdf import ClassCurves, grid_arguments, grid_of
from dpcore.study import Performance, Workflow, WorkflowResult
from dpcore.study.python import Expression, Script, shortened
from pages.ecdf.choices import EcdfChoice
from pages.session import state
from pages.session.text import piece
from pages.widgets import cards, python_code, score_pages

# Name the streams of their noise.
STAGES = tuple(f"ecdf/{side}" for side in SIDES)


@dataclass(frozen=True, eq=False)
class ExactClass:
    """The scores of one class (private).

    `cells` are what a release reads: counts of the public cells, on its grid. The rest is exact:
    the share of the class up to each grid point, a line as it is drawn, and the scores in order.
    """

    name: str
    cells: CellCounts
    shares: FloatArray
    line: tuple[FloatArray, FloatArray] | None
    ordered: FloatArray

    @classmethod
    def of(
        cls,
        name: str,
        tested: Performance,
        side: str,
        points: int,
        logarithmic: bool,
        own: ScoreScale = PROBABILITY,
    ) -> Self:
        """Count the scores of one class between the points of a public grid."""
        grid, scores, exact = grid_of(points, logarithmic), tested.scores, tested.exact
        cells = ecdf_of_scores(scores, side, grid=grid)
        ordered = exact.side(side)
        line = None
        if ordered.size:
            place, _ = ecdf.placed(own, points)
            shares = exact.share_up_to(side, scores.edges)
            line = visible(place(scores.edges), shares, logarithmic)
        # Of the same cells, so that a score on a grid point is on one side of it for both.
        return cls(name, cells, cells.cdf, line, ordered)

    @property
    def size(self) -> int:
        """Number of records."""
        return self.ordered.size

    def quantile(self, q: float) -> float:
        """Least score that this share of the class does not exceed."""
        return float(self.ordered[max(math.ceil(q * self.ordered.size - 1e-9), 1) - 1])


@dataclass(frozen=True, eq=False)
class EcdfClass:
    """One class: what was released, beside the truth."""

    exact: ExactClass
    release: EcdfRelease

    @property
    def name(self) -> str:
        """Of the class."""
        return self.exact.name

    @property
    def cdf(self) -> FloatArray:
        """The released curve as shares that are possible, which one without smoothing is not."""
        return as_share(self.release.cdf)

    def within_a_cell(self, q: float) -> bool:
        """Whether the score of that rank is known as well as the grid allows."""
        low, high = self.release.inverse_band(q)
        return bool(np.sum((self.release.grid > low) & (self.release.grid <= high)) == 1)


@dataclass(frozen=True)
class Separation:
    """The gap between the curves of both classes at one score.

    `lower` and `upper` follow from the two bands; `true` is None if a class is empty.
    """

    score: float
    gap: float
    lower: float
    upper: float
    true: float | None


@dataclass(frozen=True, eq=False)
class EcdfResult(score_pages.Result[EcdfChoice]):
    """Both classes, and what they cost; it is about both as they are."""

    charges: tuple[Charge, ...] = ()

    @property
    def classes(self) -> tuple[EcdfClass, EcdfClass]:
        """What was released of each class, beside the truth."""
        negative, positive = self.records
        curves = self.release
        return EcdfClass(negative, curves.negatives), EcdfClass(positive, curves.positives)

    @property
    def own(self) -> ScoreScale:
        """On which scores are told."""
        return ecdf.own_scale(self.found.scale, logarithmic=self.choice.logarithmic)

    @property
    def separation(self) -> Separation:
        """Where the two released curves lie farthest apart, and how far."""
        negative, positive = self.classes
        gaps = np.abs(negative.cdf - positive.cdf)
        at = int(np.argmax(gaps))
        (low, high), (low_other, high_other) = (
            (one.release.band[0][at], one.release.band[1][at]) for one in self.classes
        )
        true = None
        if all(one.exact.size for one in self.classes):
            true = float(abs(negative.exact.shares[at] - positive.exact.shares[at]))
        return Separation(
            score=float(negative.release.grid[at]),
            gap=float(gaps[at]),
            lower=float(max(low - high_other, low_other - high, 0.0)),
            upper=float(max(high - low_other, high_other - low)),
            true=true,
        )


# What is asked of `private_class_ecdfs`, without the parameters of the method.
ASKED = ("epsilon", "method", "smoothing")


def code(result: EcdfResult, study: Workflow) -> Script:
    """The lines that release both curves."""
    choice, script = result.choice, python_code.of_study(study)
    asked = score_pages.asked(choice, study, *ASKED) | {"noises": Expression("noises")}
    asked = {**shortened(choice.method, choice.parameters), **asked}
    told = {
        "grid": script.call(*grid_arguments(choice.points, choice.logarithmic)),
        "curves": script.call(private_class_ecdfs, Expression("cells"), **asked),
        "q": choice.q,
    }
    name = "quantiles" if result.own == PROBABILITY else "quantiles as in the file"
    return python_code.written(name, python_code.written("distributions", script, **told), **told)


def run(
    choice: EcdfChoice, exact: Sequence[ExactClass], *, study: Workflow, **account: Any
) -> EcdfResult:
    """Release both curves, charged to an account; see `private_class_ecdfs`."""
    *released, charges = private_class_ecdfs(
        tuple(one.cells for one in exact),
        noises=tuple(study.evaluation_noise.source(stage) for stage in STAGES),
        **account,
        **score_pages.asked(choice, study, *ASKED),
        **choice.parameters,
    )
    told = {
        "proven": choice.method.guarantee.holds,
        "classes": tuple(one.name for one in exact),
        "options": {"grid": choice.grid},
        "scale": score_pages.scale(),
    }
    truth = tuple(one.shares if one.size else None for one in exact)
    result = EcdfResult.of(choice, ClassCurves(*released), truth, study, tuple(exact), **told)
    return replace(result, charges=charges)


KEPT = "exact ecdfs"

SCORES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

SMALL_SCORES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 0.9)


def result_of(choice: EcdfChoice, study: WorkflowResult) -> tuple[EcdfResult, WorkflowResult]:
    """Release the curves of the study's test scores."""
    tested, names = study.truth.model, score_pages.class_names()
    # Counted once: they stay while only the noise moves.
    own = ecdf.own_scale(score_pages.scale(), logarithmic=choice.logarithmic)
    told = tested, names, choice.points, choice.logarithmic, own
    exact = state.cached(KEPT, _counted, *told)
    result = score_pages.released(run, study)(choice, exact)
    _simulate_reach(result)
    return result, study


def _simulate_reach(result: EcdfResult) -> None:
    """The first band of a method on a grid takes a second; later ones have it ready."""
    choice = result.choice
    place = choice.method.name, choice.points, *sorted(choice.parameters.items())
    reached = st.session_state.setdefault("simulated reaches", set())
    if place not in reached:
        with st.spinner("Simulating how far the noise reaches, once for this method and grid"):
            for one in result.classes:
                # A release works its band out when it is asked for it.
                _ = one.release.band
        reached.add(place)


def _counted(tested: Performance, names: tuple[str, str], *grid: Any) -> list[ExactClass]:
    return [
        ExactClass.of(name, tested, side, *grid) for side, name in zip(SIDES, names, strict=True)
    ]


def figures(result: EcdfResult) -> list[tuple[str, str, str]]:
    """Quantiles and gap: label, value, explanation."""
    q, own = result.choice.q, result.own
    boxes = []
    for one in result.classes:
        low, estimate, high = (_score(end, own) for end in ecdf.quantile(one.release, q))
        known = f"for these records {low} to {high}"
        if one.within_a_cell(q):
            known += ", one cell of the grid"
        true = f"; true {_score(one.exact.quantile(q), own)}" if one.exact.size else ""
        # As the headline says of its curve.
        estimate = ANY if one.release.says_nothing else estimate
        boxes.append((f"{100 * q:g} % of “{one.name}” score at most", estimate, known + true))
    apart = result.separation
    within = f"{percent(apart.lower)} to {percent(apart.upper)}"
    words = f"at score {_score(apart.score, own)}: for these records {within}"
    true = "" if apart.true is None else f"; true {percent(apart.true)}"
    gap = ANY if leaves_everything(apart.lower, apart.upper) else percent(apart.gap)
    boxes.append(("Classes farthest apart", gap, words + true))
    return boxes


def _score(value: float, own: ScoreScale) -> str:
    if own != PROBABILITY:
        return score_pages.written(value)
    return f"{value:.3f}" if value >= 0.01 else f"{value:.2g}"


def picture(result: EcdfResult, theme: Theme) -> Picture:
    """Both classes with their bands."""
    choice, lines = result.choice, [one.exact.line for one in result.classes]
    told = {"at": choice.q, "sampling": choice.sampling}
    return ecdf.picture(result.found, theme, lines=tuple(lines), **told)


def table(result: EcdfResult) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: shares of both classes up to a few scores."""
    own = result.own
    header = [ecdf.score_name(own)]
    for one in result.classes:
        kind = f"{one.name}: {result.choice.method.guarantee.adjective}"
        header += [kind, "band for these records", "true"]
    wanted = SMALL_SCORES if result.choice.logarithmic else SCORES
    at = on_grid(result.classes[0].release.grid, wanted)
    names = [_score(one, own) for one in at.tolist()]
    columns = zip(*(_shares(one, at) for one in result.classes), strict=True)
    rows = [(name, *one, *other) for name, (one, other) in zip(names, columns, strict=True)]
    return tuple(header), rows


def on_grid(grid: FloatArray, scores: Sequence[float]) -> FloatArray:
    """The points of the grid nearest to these scores, each once: nothing is known between points.

    Examples
    --------
    >>> on_grid(np.array([0.25, 0.5, 0.75, 1.0]), [0.05, 0.1, 0.4, 0.8])
    array([0.25, 0.5 , 0.75])
    """
    return np.unique(grid[np.abs(np.subtract.outer(scores, grid)).argmin(axis=1)])


def _shares(one: EcdfClass, at: FloatArray) -> list[tuple[str, str, str]]:
    places = np.searchsorted(one.release.grid, at)
    lower, upper = (end[places] for end in one.release.band)
    columns = zip(one.cdf[places], lower, upper, one.exact.shares[places], strict=True)
    some = one.exact.size > 0
    return [
        (percent(p), f"{100 * low:.1f} to {percent(high)}", percent(t) if some else "none")
        for p, low, high, t in columns
    ]


def tables(result: EcdfResult) -> str:
    """A table of each class for the page: side by side, or one below the other."""
    header, rows = table(result)
    found = []
    for place, one in enumerate(result.classes):
        mine = slice(1 + 3 * place, 4 + 3 * place)
        caption = f"Share of “{one.name}” up to a score; the CSV has every grid point"
        names = (header[0], header[mine][0].removeprefix(f"{one.name}: "), *header[mine][1:])
        shares = [(row[0], *row[mine]) for row in rows]
        found.append(cards.table(names, shares, caption=caption))
    return piece("side by side", parts="".join(found))


def files(result: EcdfResult, whole: WorkflowResult) -> list[score_pages.File]:
    """What can be taken away, stamped as a simulation."""
    classes = zip(SIDES, result.classes, strict=True)
    truth = {side: one.exact.shares.tolist() for side, one in classes}
    told = result, whole, picture, {"Share of each class up to a score": table(result)}, truth
    return score_pages.files_of("ecdf", "Distribution of the scores", *told)
