"""Distribution functions, and ROC curves, of records that never meet, whatever the trust model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray, Interval
from dpcore.errors import InvalidArgument
from dpcore.evaluation.estimates import EstimateRelease, around, ends
from dpcore.evaluation.roc import bands
from dpcore.exported import floats
from dpcore.federated.aggregator import Aggregator
from dpcore.federated.key_server import intervals_of
from dpcore.federated.session import Holding, Plan
from dpcore.federated.trust_models import trust_models
from dpcore.noise.seeded import monte_carlo, seed_from
from dpcore.postprocess.monotone import isotonic, monotone_rates
from dpcore.privacy import Charge, Neighbors, Number

# Draws of the noise, for bands and intervals.
_REDRAWS = 400
# Noise in whole numbers may be just as large as a band allows, but for the last digits.
_ROUNDING = 1.0 + 1e-9
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
        Public number of records of this class, known where neighbours replace records and there is
        one class only; else it is a noisy count.

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
    def account(self) -> dict[str, Any]:
        """What every release of these counts says of how it came about, by name."""
        neighbors = self.aggregator.plan.neighbors
        return {"charges": self.charges, "simulated": self.simulated, "neighbors": neighbors}

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

    def band(self, confidence: float = 0.9) -> FloatArray:
        """Lowest and highest shares at all grid points at once, shape (2, points).

        For these very records: the noise alone, drawn anew by its public law. See `federated_roc`.
        """
        _check.inside(0, 1, confidence=confidence)
        one = slice(self.of_class, self.of_class + 1)
        counts, curve = self.counts(np.arange(self.grid.size))[one], self.curve()
        noise = _redrawn(self.aggregator, counts)[:, one]
        told = counts, noise, curve[np.newaxis], confidence, self._records
        return bands.stretched(_possible_shares(*told)[0][:, 1:], curve)

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


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FederatedRoc(TwoClassRates, EstimateRelease):
    """A released ROC curve, and the precision at each of its points.

    Parameters
    ----------
    fpr, tpr, precision : float arrays, shape (points + 1,)
        From (0, 0) to (1, 1); recall is another word for `tpr`.
    thresholds : float array, shape (points + 1,)
        Falling; a record counts as positive if its score is above the threshold.
    fpr_band, tpr_band : float arrays, shape (2, points + 1)
        Lowest and highest rates, which hold at all thresholds of both classes together.
    auc, average_precision : float
    auc_interval : (float, float)
        Like the bands for the records of these parties: the noise alone.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`.
    """

    KIND: ClassVar[str] = "federated ROC curve"
    # The threshold that all records are above is null.
    READ: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "thresholds": lambda told: np.nan_to_num(floats(told), nan=-np.inf, neginf=-np.inf)
    }

    thresholds: FloatArray
    fpr_band: FloatArray
    tpr_band: FloatArray
    auc_interval: Interval

    @property
    def envelope(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The bands as one region: fpr, lower and upper tpr, shape (m,) each, for drawing."""
        # Between two thresholds the curve is a line from one box to the next.
        knots = 2 * np.arange(self.fpr.size)
        return bands.envelope(
            bands.Band(*(bands.along(b, knots) for b in (self.fpr_band, self.tpr_band)))
        )


def _precision(fpr: FloatArray, tpr: FloatArray, sizes: IntArray) -> FloatArray:
    """Share of positives among the alarms; where there is none, that of the next threshold."""
    false, true = fpr * max(sizes[0], 1), tpr * max(sizes[1], 1)
    alarms = false + true
    first = np.argmax(alarms > 0.0)
    found: FloatArray = true / np.where(alarms > 0.0, alarms, 1.0)
    return found[np.maximum(np.arange(found.size), first)]


def federated_roc(ecdf: FederatedEcdf, *, confidence: float = 0.9) -> FederatedRoc:
    """The ROC curve of a federation with two classes: the complements of two ECDFs (Section 5.1).

    Parameters
    ----------
    ecdf : FederatedEcdf
        Of scores on a grid; class 1 is positive.
    confidence : float, default 0.9
        Of the bands and of the interval of the area, above 0 and below 1.

    Raises
    ------
    InvalidArgument
        If the federation does not have two classes, or the confidence is no share.

    Privacy
        Post-processing of the federation's counts. Bands and interval follow from the public law of
        the noise, which is drawn anew many times.

    Notes
    -----
    *Area.* Drawn noise is taken from the counts that were released, and the area that is left
    computed. *Bands.* A share t of a class of n records up to a point is possible if the noise that
    it implies, the noisy count less t times the noisy n, is no more than c of its deviations: a
    quadratic inequality in t (`share_sets`). In no more than a share 1 - confidence of the draws is
    the noise larger than that at any point of either class.
    """
    if ecdf.aggregator.plan.classes != 2:
        raise InvalidArgument("classes", ecdf.aggregator.plan.classes, "two")
    _check.inside(0, 1, confidence=confidence)
    counts = ecdf.counts(np.arange(ecdf.grid.size))
    found, noise = TwoClassRates.of(counts), _redrawn(ecdf.aggregator, counts)
    rates = found.fpr, found.tpr
    shares = np.stack([1.0 - rate[-2::-1] for rate in rates])
    sets = (1.0 - one[::-1, ::-1] for one in _possible_shares(counts, noise, shares, confidence))
    fpr_band, tpr_band = (bands.stretched(*both) for both in zip(sets, rates, strict=True))
    return FederatedRoc(
        **vars(found),
        fpr_band=fpr_band,
        tpr_band=tpr_band,
        auc_interval=_possible_area(counts - noise, found.auc, confidence),
        thresholds=np.concatenate([ecdf.grid[::-1], [-np.inf]]),
        confidence=confidence,
        **ecdf.account,
    )


def _redrawn(aggregator: Aggregator, counts: IntArray) -> IntArray:
    """Noise of the counts up to all grid points, shape (redraws, classes, points)."""
    generator, points = monte_carlo(seed_from(counts)), np.arange(counts.shape[1])
    return aggregator.plan.redrawn(_REDRAWS, points, aggregator.full_noises, generator)


def _possible_shares(
    counts: IntArray,
    noise: IntArray,
    shares: FloatArray,
    confidence: float,
    records: int | None = None,
) -> list[FloatArray]:
    """Lowest and highest shares from below the grid on, shape (2, points + 1), of each class.

    They hold everywhere, in all classes. A public number of records has no noise.
    """
    points = np.arange(counts.shape[1])
    places = intervals_of(points, (points.size - 1).bit_length())
    own, shared = np.full(points.size, places.shape[1]), (places == places[-1]).sum(axis=1)
    if records is not None:
        counts[:, -1], noise[..., -1], own[-1], shared = records, 0, 0, np.zeros_like(shared)
    spread = np.sqrt(own + shares**2 * own[-1] - 2.0 * shares * shared)[:, :-1]
    ratios = np.abs(noise - shares * noise[..., -1:])[..., :-1] / spread
    most = np.quantile(ratios.max(axis=(1, 2)), confidence, method="higher") * _ROUNDING
    told = most**2, np.append(0, own), np.append(0, shared)
    return [bands.share_sets(row, *told) for row in counts]


def _possible_area(left: IntArray, area: float, confidence: float) -> Interval:
    """The interval of the area, from counts with redrawn noise taken from them."""
    shares = left[..., :-1] / np.maximum(left[..., -1:], 1.0)
    nobody = np.zeros((left.shape[0], 2, 1))
    fpr, tpr = np.moveaxis(1.0 - np.concatenate([nobody, shares, nobody + 1.0], axis=2), 1, 0)
    # The area is linear in either curve; a projection of every draw would only move it.
    areas = np.trapezoid(tpr[:, ::-1], fpr[:, ::-1], axis=1)
    return around(area, ends(areas, confidence))
