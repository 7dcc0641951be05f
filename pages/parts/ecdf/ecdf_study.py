"""Both classes' distribution functions of one study's test scores: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.aggregates import ScoreHistogram
from dpcore.evaluation.ecdf.api import private_ecdf
from dpcore.evaluation.ecdf.cell_counts import CellCounts
from dpcore.evaluation.ecdf.ecdf_release import EcdfRelease
from dpcore.evaluation.ecdf.grids import log_grid, uniform_grid
from dpcore.figures.ecdf_lines import LOWEST, visible
from dpcore.postprocess.possible import as_share
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Part
from dpcore.studies.workflow import Workflow
from pages.parts.ecdf.ecdf_fields import EcdfChoice

SIDES = ("negatives", "positives")


@dataclass(frozen=True, eq=False)
class ExactClass:
    """The scores of one class (private): on the grid of the release, and as a line to draw."""

    name: str
    cells: CellCounts
    line: tuple[FloatArray, FloatArray] | None

    @classmethod
    def of(
        cls, name: str, scores: ScoreHistogram, side: str, points: int, logarithmic: bool
    ) -> ExactClass:
        """Count the scores of one class between the points of a public grid."""
        grid = grid_of(points, logarithmic)
        counts: IntArray = getattr(scores, side)
        cell = np.minimum(np.searchsorted(grid, scores.centers), grid.size - 1)
        on_grid = np.bincount(cell, weights=counts, minlength=grid.size).astype(np.int64)
        below: IntArray = getattr(scores, f"{side}_below")
        line = visible(scores.edges, below / below[-1], logarithmic) if below[-1] else None
        return cls(name, CellCounts(on_grid, grid), line)

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.cells.counts.sum())


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
    def error(self) -> float | None:
        """Largest distance of the two curves on the grid; None if nobody is in the class."""
        if not self.exact.size:
            return None
        return float(np.abs(self.cdf - self.exact.cells.cdf).max())

    @property
    def cdf(self) -> FloatArray:
        """The released curve as shares that are possible, which one without smoothing is not."""
        return as_share(self.release.cdf)

    @property
    def reach(self) -> float:
        """Largest distance of the band from the curve, which need not run in its middle."""
        (lower, upper), cdf = self.release.band, self.cdf
        return float(np.maximum(upper - cdf, cdf - lower).max())

    def quantile(self, q: float) -> tuple[float, float, float]:
        """Lowest possible, released and highest possible score of that rank."""
        low, high = self.release.inverse_band(q)
        return float(low), float(self.release.inverse(q)), float(high)


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
class EcdfResult:
    """Both classes, and what they cost."""

    choice: EcdfChoice
    classes: tuple[EcdfClass, EcdfClass]
    charges: tuple[Charge, ...]

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
            true = float(abs(negative.exact.cells.cdf[at] - positive.exact.cells.cdf[at]))
        return Separation(
            score=float(negative.release.grid[at]),
            gap=float(gaps[at]),
            lower=float(max(low - high_other, low_other - high, 0.0)),
            upper=float(max(high - low_other, high_other - low)),
            true=true,
        )


def grid_of(points: int, logarithmic: bool) -> FloatArray:
    """The public grid: scores end at 1 whatever the data."""
    if logarithmic:
        return log_grid(LOWEST, 1.0, points)
    return uniform_grid(1.0 / points, 1.0, points)


def run(
    choice: EcdfChoice,
    exact: Sequence[ExactClass],
    *,
    study: Workflow,
    ledger: Ledger,
    part: Part | None,
) -> EcdfResult:
    """Release both curves.

    Privacy
        Add-remove: a record is in one class, so each class has the whole epsilon. Replace: a record
        that changes leaves one class and enters the other (or its own again), which is a removal
        and an addition; so both classes are released at half of epsilon under add-remove, together
        epsilon under replace, and no class size is taken to be public.
    """
    epsilon, account = choice.epsilon, ledger
    charges: tuple[Charge, ...] = ()
    if ledger.neighbors is Neighbors.REPLACE:
        charges = (Charge("score ECDFs", choice.method.name, Loss(epsilon), part),)
        ledger.spend(charges[0])
        epsilon, account = epsilon / 2, Ledger()
    classes = tuple(
        EcdfClass(one, _release(choice, one, side, epsilon, study, account, part))
        for side, one in zip(SIDES, exact, strict=True)
    )
    drawn = tuple(charge for one in classes for charge in one.release.charges)
    negative, positive = classes
    return EcdfResult(choice, (negative, positive), charges or drawn)


def _release(
    choice: EcdfChoice,
    one: ExactClass,
    side: str,
    epsilon: Fraction,
    study: Workflow,
    account: Ledger,
    part: Part | None,
) -> EcdfRelease:
    return private_ecdf(
        one.cells,
        epsilon=epsilon,
        method=choice.method.name,
        smoothing=choice.smoothing,
        noise=study.evaluation_noise.source(f"ecdf/{side}"),
        ledger=account,
        part=Part("class", side, within=part),
        **choice.parameters,
    )
