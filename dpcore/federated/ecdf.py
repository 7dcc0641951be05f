"""Distribution functions, and ROC curves, of records that never meet, whatever the trust model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray, Interval
from dpcore.errors import InvalidArgument
from dpcore.federated.aggregator import Aggregator
from dpcore.federated.key_server import intervals_of
from dpcore.federated.session import Holding, Plan
from dpcore.federated.trust_models import trust_models
from dpcore.noise.seeded import monte_carlo, seed_from
from dpcore.postprocess.monotone import isotonic, monotone_rates
from dpcore.privacy import Charge, Neighbors, Number

# Draws of the noise, for intervals.
_REDRAWS = 400
TRUST_MODELS: Mapping[str, Callable[..., Aggregator]] = {
    name: method.run for name, method in trust_models().items()
}


def federation(
    values: Sequence[ArrayLike],
    *,
    grid: ArrayLike,
    epsilon: Number | None,
    trust: str = "secure-aggregation",
    classes: Sequence[ArrayLike] | None = None,
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    **options: Any,
) -> Aggregator:
    """Form a federation of parties in this process.

    Parameters
    ----------
    values : sequence of array-like
        Private numbers of each party; those beyond an end of the grid are moved to that end. A
        record without a number, or of another class than 0 and 1, is left out; under replace, where
        it counts, it lies in the first cell (see `Holding.as_counted`).
    grid : array-like, shape (points,)
        Public and strictly increasing.
    epsilon : int, float, str, Fraction or None
        Of all evaluations together; None for exact counts, in simulations only.
    trust : str, default "secure-aggregation"
        A key of `TRUST_MODELS`.
    classes : sequence of array-like, optional
        0 or 1 for each value: two distributions, which are counted apart.
    neighbors : Neighbors, default add-remove
    **options
        `noise`, `ledger`, `part` and what else the trust model takes.

    Raises
    ------
    InvalidArgument
        If the grid is not increasing or too long, or the trust model is unknown.
    """
    _check.one_of(TRUST_MODELS, trust=trust)
    known = [*signature(TRUST_MODELS[trust]).parameters][2:]
    _check.known_options("federation", options, known)
    points = _check.rising(grid)
    _check.listed(values=values, classes=[None] if classes is None else classes)
    labels: Sequence[ArrayLike | None] = [None] * len(values) if classes is None else classes
    if len(labels) != len(values):
        raise InvalidArgument("classes", f"{len(labels)} entries", "one list for each of values")
    depth, several = (points.size - 1).bit_length(), 1 if classes is None else 2
    relation = Neighbors.of(neighbors)
    plan = Plan(depth=depth, classes=several, epsilon=epsilon, neighbors=relation)
    parties = zip(values, labels, strict=True)
    holdings = [Holding.of_values(numbers, points, of_class) for numbers, of_class in parties]
    return TRUST_MODELS[trust](holdings, plan, **options)


class FederatedEcdf:
    """The distribution function of one class of records, evaluated wherever it is asked for.

    Parameters
    ----------
    aggregator : Aggregator
    grid : array-like, shape (points,)
        Public; the grid that the aggregator's records were placed on.
    of_class : int, default 0
    records : int, optional
        Public number of records, which replace neighbours know; else it is a noisy count.

    Privacy
        Everything is post-processing of the aggregator's counts, charged when it was formed:
        further evaluations cost nothing, because the noise of an interval never changes.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 4.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> parties, grid = [[0.2, 0.4], [0.4], [0.9]], np.linspace(0, 1, 11)
    >>> exact = federation(parties, grid=grid, epsilon=None, noise=SeededNoise(1))
    >>> ecdf = FederatedEcdf(exact, grid)
    >>> ecdf.evaluate([0.1, 0.45, 2]).tolist(), ecdf.inverse(0.5)
    ([0.0, 0.75, 1.0], 0.4)
    """

    def __init__(
        self,
        aggregator: Aggregator,
        grid: ArrayLike,
        *,
        of_class: int = 0,
        records: int | None = None,
    ) -> None:
        self.aggregator, self.grid = aggregator, _check.rising(grid)
        if (self.grid.size - 1).bit_length() != aggregator.plan.depth:
            raise InvalidArgument("grid", self.grid.size, "the grid of the federation")
        _check.integer_in_range(0, aggregator.plan.classes - 1, of_class=of_class)
        self.of_class, self._records = of_class, records
        self._known: dict[int, IntArray] = {}

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What all evaluations together cost."""
        return self.aggregator.charges

    @property
    def simulated(self) -> bool:
        """Whether the noise can be repeated."""
        return self.aggregator.simulated

    @property
    def total(self) -> float:
        """Public or noisy number of records, at least one so that it can divide."""
        if self._records is not None:
            return float(max(self._records, 1))
        return float(max(self.counts([self.grid.size - 1])[self.of_class, 0], 1))

    def counts(self, points: Sequence[int] | IntArray) -> IntArray:
        """Noisy numbers of records up to grid points, for every class, shape (classes, points).

        What was asked for before is remembered, and causes no message.
        """
        asked = [int(point) for point in points]
        new = sorted(set(asked) - set(self._known))
        if new:
            found = self.aggregator.sums(np.array(new))
            self._known |= {point: found[:, place] for place, point in enumerate(new)}
        return np.stack([self._known[point] for point in asked], axis=1)

    def evaluate(self, x: ArrayLike) -> FloatArray:
        """Noisy shares of the records whose value is at most each x; not yet monotone.

        An x between two grid points has the value of the lower one; below the grid it is zero.
        """
        places = np.searchsorted(self.grid, np.asarray(x, dtype=np.float64), side="right") - 1
        flat = places.reshape(-1)
        shares = np.zeros(flat.size)
        inside = flat >= 0
        if inside.any():
            shares[inside] = self.counts(flat[inside])[self.of_class] / self.total
        return shares.reshape(places.shape)

    def curve(self, points: Sequence[int] | IntArray | None = None) -> FloatArray:
        """The nearest non-decreasing shares in [0, 1], at these grid points or at all of them."""
        asked = np.arange(self.grid.size) if points is None else np.asarray(points)
        total = self.total
        return isotonic(self.counts(asked)[self.of_class], low=0.0, high=total) / total

    def inverse(self, p: float) -> float:
        """The value that a share p of the records does not exceed: Algorithm 1 of the paper.

        The binary search runs over grid points, and every step is one evaluation of the federation.
        Like the paper's, it compares the values that it has evaluated after they were made
        non-decreasing.

        Raises
        ------
        InvalidArgument
            If p is not in [0, 1].
        """
        _check.in_range(0, 1, p=p)
        below, reaching = -1, self.grid.size - 1
        visited: list[int] = []
        while reaching - below > 1:
            middle = (below + reaching) // 2
            visited = sorted([*visited, middle])
            share = self.curve(visited)[visited.index(middle)]
            if share < p:
                below = middle
            else:
                reaching = middle
        return float(self.grid[reaching])


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoClassRates:
    """False and true positive rates and precision at falling thresholds, and the areas below."""

    fpr: FloatArray
    tpr: FloatArray
    precision: FloatArray
    auc: float
    average_precision: float

    @staticmethod
    def of(counts: IntArray) -> TwoClassRates:
        """Of numbers of records up to each grid point, shape (2, points); class 1 is positive.

        Examples
        --------
        >>> found = TwoClassRates.of(np.array([[3, 4, 4], [0, 2, 4]]))
        >>> found.tpr.tolist(), found.auc, round(found.average_precision, 3)
        ([0.0, 0.5, 1.0, 1.0], 0.9375, 0.9)
        """
        fpr, tpr = (1.0 - monotone_rates(row[:-1], float(row[-1]))[::-1] for row in counts)
        precision = _precision(fpr, tpr, counts[:, -1])
        area, average = float(np.trapezoid(tpr, fpr)), float(np.diff(tpr) @ precision[1:])
        return TwoClassRates(
            fpr=fpr, tpr=tpr, precision=precision, auc=area, average_precision=average
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class FederatedRoc(TwoClassRates):
    """A released ROC curve, and the precision at each of its points.

    Parameters
    ----------
    fpr, tpr, precision : float arrays, shape (points + 1,)
        From (0, 0) to (1, 1); recall is another word for `tpr`.
    thresholds : float array, shape (points + 1,)
        Falling; a record counts as positive if its score is above the threshold.
    auc, average_precision : float
    auc_interval : (float, float)
        For the records of these parties: the noise alone.
    confidence : float
    charges : tuple of Charge
    simulated : bool
    """

    thresholds: FloatArray
    auc_interval: Interval
    confidence: float
    charges: tuple[Charge, ...]
    simulated: bool


def _precision(fpr: FloatArray, tpr: FloatArray, sizes: Any) -> FloatArray:
    """Share of positives among the alarms; where there is none, that of the next threshold."""
    false, true = (
        rate * np.maximum(size, 1.0)[..., np.newaxis]
        for rate, size in zip((fpr, tpr), np.moveaxis(np.asarray(sizes), -1, 0), strict=True)
    )
    alarms = false + true
    found = true / np.where(alarms > 0.0, alarms, 1.0)
    first = np.argmax(alarms > 0.0, axis=-1)[..., np.newaxis]
    found = np.where(alarms > 0.0, found, np.take_along_axis(found, first, axis=-1))
    return np.asarray(found, dtype=np.float64)


def federated_roc(ecdf: FederatedEcdf, *, confidence: float = 0.9) -> FederatedRoc:
    """The ROC curve of a federation with two classes: the complements of two ECDFs (Section 5.1).

    Parameters
    ----------
    ecdf : FederatedEcdf
        Of scores on a grid; class 1 is positive.
    confidence : float, default 0.9
        Of the interval of the area, between 0 and 1.

    Raises
    ------
    InvalidArgument
        If the federation does not have two classes, or the confidence is no share.

    Privacy
        Post-processing of the federation's counts. The interval follows from the public law of the
        noise: noise is drawn anew, taken from the counts that were released, and the area that is
        left computed, many times.
    """
    if ecdf.aggregator.plan.classes != 2:
        raise InvalidArgument("classes", ecdf.aggregator.plan.classes, "two")
    _check.in_range(0, 1, confidence=confidence)
    counts = ecdf.counts(np.arange(ecdf.grid.size))
    found = TwoClassRates.of(counts)
    return FederatedRoc(
        **vars(found),
        auc_interval=_possible_area(ecdf, counts, found.auc, confidence),
        thresholds=np.concatenate([ecdf.grid[::-1], [-np.inf]]),
        confidence=confidence,
        charges=ecdf.charges,
        simulated=ecdf.simulated,
    )


def _possible_area(
    ecdf: FederatedEcdf, counts: IntArray, area: float, confidence: float
) -> Interval:
    """The interval of the area, from redrawn noise."""
    plan, generator = ecdf.aggregator.plan, monte_carlo(seed_from(counts))
    # A sum of many discrete noises of known variance is near the normal one.
    spread = np.sqrt(plan.noise_variance * ecdf.aggregator.full_noises)
    noise = spread * generator.normal(size=(_REDRAWS, 2, plan.intervals))
    places = intervals_of(np.arange(counts.shape[1]), plan.depth)
    drawn = counts - noise[:, :, places].sum(axis=3)
    shares = drawn[..., :-1] / np.maximum(drawn[..., -1:], 1.0)
    ends = np.zeros((_REDRAWS, 2, 1))
    fpr, tpr = np.moveaxis(1.0 - np.concatenate([ends, shares, ends + 1.0], axis=2), 1, 0)
    # The area is linear in either curve; a projection of every draw would only move it.
    areas = np.trapezoid(tpr[:, ::-1], fpr[:, ::-1], axis=1)
    tails = (1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0
    low, high = np.clip(np.quantile(areas, tails), 0.0, 1.0).tolist()
    return min(low, area), max(high, area)
