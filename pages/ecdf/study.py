"""Both classes' distribution functions of one study's test scores: no Streamlit in here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation.ecdf.api import SIDES, private_class_ecdfs
from dpcore.evaluation.ecdf.cell_counts import CellCounts
from dpcore.evaluation.ecdf.ecdf_release import EcdfRelease
from dpcore.figures.ecdf_lines import visible
from dpcore.postprocess.possible import as_share
from dpcore.privacy import Charge, Ledger, Part
from dpcore.publications.ecdf import cells_between, grid_of
from dpcore.publications.publication import half_width
from dpcore.study import Performance, Workflow
from pages.ecdf.choices import EcdfChoice


@dataclass(frozen=True, eq=False)
class ExactClass:
    """The scores of one class (private).

    `cells` are what a release reads: counts of the public cells, on its grid. The rest is exact:
    the share of the class up to each grid point, a line to draw, and the scores in order.
    """

    name: str
    cells: CellCounts
    shares: FloatArray
    line: tuple[FloatArray, FloatArray] | None
    ordered: FloatArray

    @classmethod
    def of(
        cls, name: str, tested: Performance, side: str, points: int, logarithmic: bool
    ) -> ExactClass:
        """Count the scores of one class between the points of a public grid."""
        grid, scores, exact = grid_of(points, logarithmic), tested.scores, tested.exact
        cells = cells_between(scores, side, grid)
        ordered = exact.side(side)
        line = None
        if ordered.size:
            line = visible(scores.edges, exact.share_up_to(side, scores.edges), logarithmic)
        return cls(name, cells, exact.share_up_to(side, grid), line, ordered)

    @property
    def size(self) -> int:
        """Number of records."""
        return self.ordered.size

    def quantile(self, q: float) -> float:
        """Least score that this share of the class does not exceed."""
        place = max(math.ceil(q * self.ordered.size - 1e-9), 1)
        return float(self.ordered[place - 1])


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
        return float(np.abs(self.cdf - self.exact.shares).max())

    @property
    def cdf(self) -> FloatArray:
        """The released curve as shares that are possible, which one without smoothing is not."""
        return as_share(self.release.cdf)

    @property
    def reach(self) -> float:
        """Largest distance of the band from the curve, which need not run in its middle."""
        return half_width(self.cdf, *self.release.band)

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
    noise: str

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


def run(
    choice: EcdfChoice,
    exact: Sequence[ExactClass],
    *,
    study: Workflow,
    ledger: Ledger,
    part: Part | None,
) -> EcdfResult:
    """Release both curves; see `private_class_ecdfs`."""
    negative, positive = exact
    *released, charges = private_class_ecdfs(
        (negative.cells, positive.cells),
        epsilon=choice.epsilon,
        method=choice.method.name,
        smoothing=choice.smoothing,
        noises=(
            study.evaluation_noise.source(f"ecdf/{SIDES[0]}"),
            study.evaluation_noise.source(f"ecdf/{SIDES[1]}"),
        ),
        neighbors=ledger.neighbors,
        ledger=ledger,
        part=part,
        **choice.parameters,
    )
    classes = (EcdfClass(negative, released[0]), EcdfClass(positive, released[1]))
    return EcdfResult(choice, classes, charges, str(study.evaluation_noise))
