"""One call from values, or from counts of public cells, to a private distribution function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_histogram import with_left_out
from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.errors import InvalidArgument, MovablePart
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.evaluation.ecdf.ecdf_release import EcdfRelease
from dpcore.evaluation.ecdf.hierarchical import checked_grid, uniform_grid
from dpcore.evaluation.scores_of import positive_loss
from dpcore.noise import NoiseSource
from dpcore.postprocess.monotone import isotonic
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2
from dpcore.privacy import Charge, Ledger, Neighbors, Number, Part
from dpcore.registry import Method
from dpcore.release import open_gate
from dpcore.schema.cell_arrays import numbers_of


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Number of records in each cell (private) of a grid (public).

    Parameters
    ----------
    counts : int array, shape (points,)
        ``counts[i]`` records lie above ``grid[i - 1]`` and at most at ``grid[i]``. The first cell
        has no lower end.
    grid : float array, shape (points,)
        Strictly increasing.
    part : str, default "all"
        Which records were counted, if not all, such as "positives". Their number is private under
        *both* relations, because a replaced record can leave the part.
    left_out : int, default 0
        Number of records without a usable value (private): in no cell. Under replace, where the
        number of all records is public, `private_ecdf` counts them in the first one.

    Sensitivity
        L1: add-remove 1, because a record lies in one cell; replace 2.

    Examples
    --------
    >>> CellCounts.from_values([0.2, 0.5, 0.9, 7.0], [0.25, 0.5, 1.0]).counts.tolist()
    [1, 1, 2]
    """

    counts: IntArray
    grid: FloatArray
    part: str = "all"
    left_out: int = 0

    def __post_init__(self) -> None:
        grid, counts = checked_grid(self.grid), np.asarray(self.counts)
        integers = np.issubdtype(counts.dtype, np.integer)
        if counts.shape != grid.shape or not integers or (counts < 0).any():
            required = f"{grid.size} whole numbers of zero or more"
            raise InvalidArgument("counts", f"{counts.dtype} {counts.shape}", required)
        object.__setattr__(self, "grid", grid)
        object.__setattr__(self, "counts", counts.astype(np.int64))

    @classmethod
    def from_values(cls, values: ArrayLike, grid: ArrayLike) -> CellCounts:
        """Count values; those beyond an end of the grid are moved to that end.

        What is missing or no number is left out, and makes no error.

        Raises
        ------
        InvalidArgument
            If `values` is not a vector, or of a type that holds no numbers.
        """
        points = checked_grid(grid)
        numbers = numbers_of(values, "values")
        present = numbers[~np.isnan(numbers)]
        cell = np.minimum(np.searchsorted(points, present), points.size - 1)
        counts = np.bincount(cell, minlength=points.size)
        return cls(counts, points, left_out=numbers.size - present.size)

    def as_counted(self, neighbors: Neighbors) -> IntArray:
        """The counts that a method reads; see `ScoreHistogram.as_counted`."""
        return with_left_out(self.counts, self.left_out, neighbors)

    @property
    def cdf(self) -> FloatArray:
        """The exact distribution function (private): the truth, for simulations only."""
        below = np.cumsum(self.counts)
        return np.asarray(below / max(below[-1], 1), dtype=np.float64)


def require_numbers(values: ArrayLike) -> None:
    """Name the first missing value, which with real noise would be left out in silence.

    Raises
    ------
    InvalidArgument
        If a value is missing or no number.

    Examples
    --------
    >>> require_numbers([0.5, 7.0])
    """
    missing = np.isnan(numbers_of(values, "values"))
    if missing.any():
        row = int(np.argmax(missing))
        raise InvalidArgument(f"values[{row}]", "NaN", "a number; fill missing values first")


def ecdf_of_scores(
    histogram: ScoreHistogram,
    part: str = "all",
    *,
    points: int | None = None,
    grid: ArrayLike | None = None,
) -> CellCounts:
    """The scores of one class, or of all records, ready for `private_ecdf`.

    Parameters
    ----------
    histogram : ScoreHistogram
    part : str, default "all"
        "positives", "negatives" or "all".
    points : int, optional
        Merge the histogram's cells, in even steps, to this many; all of them if left out.
    grid : array-like, shape (m,), optional
        Public and increasing: count between these scores, and not by steps of cells.

    Returns
    -------
    CellCounts
        On the grid; or on the upper edges of the histogram's cells, so the last grid point is 1.

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> cells = ecdf_of_scores(scores, "negatives", points=4)
    >>> cells.counts.tolist(), cells.grid.round(4).tolist()
    ([0, 1, 1, 0], [0.0, 0.5, 1.0, 1.0])
    """
    _check.one_of(("positives", "negatives", "all"), part=part)
    sides = ("positives", "negatives") if part == "all" else (part,)
    cells = histogram.edges.size - 1
    if grid is None:
        wanted = cells if points is None else points
        _check.integer_in_range(2, cells, points=wanted)
        marks = np.linspace(0, cells, wanted + 1).round().astype(np.int64)
        below = sum(getattr(histogram, f"{side}_below") for side in sides)
        counts, ends = np.diff(below[marks]), histogram.edges[marks[1:]]
    elif points is not None:
        raise InvalidArgument("points", points, "left out beside a grid")
    else:
        ends = checked_grid(grid)
        cell = np.minimum(np.searchsorted(ends, histogram.centers), ends.size - 1)
        each = sum(getattr(histogram, side) for side in sides)
        counts = np.bincount(cell, weights=each, minlength=ends.size).astype(np.int64)
    # A record that was left out counts as a negative one, and never as a positive one.
    left_out = 0 if part == "positives" else histogram.left_out
    return CellCounts(counts, ends, part, left_out=left_out)


SMOOTHINGS = ("isotonic", "p1", "p2", None)


def smooth(noisy: FloatArray, total: float, smoothing: str | None) -> FloatArray:
    """Shares of the records up to each grid point.

    Parameters
    ----------
    noisy : float array, shape (points,)
        Noisy numbers of records.
    total
        Positive number of all records, public or noisy.
    smoothing
        "isotonic": nearest in L2. "p1", "p2": Eq. 3 of Barczewski et al., nearest in the metric of
        tree noise; made for the method "tree", usable with all. None: only divide.

    Returns
    -------
    float array, shape (points,)
        Unless smoothing is None: non-decreasing, in [0, 1], and 1 at the end, because values
        beyond the last grid point were moved to it.
    """
    _check.one_of(SMOOTHINGS, smoothing=smoothing)
    if smoothing is None:
        return noisy / total
    if smoothing == "isotonic":
        counts = isotonic(noisy, low=0.0, high=total)
    else:
        counts = (smooth_p1 if smoothing == "p1" else smooth_p2)(noisy, total)
    shares = np.minimum(counts / total, 1.0)
    shares[-1] = 1.0
    return shares


SIDES = ("negatives", "positives")

_POINTS = 1025


def private_ecdf(
    values: ArrayLike | CellCounts,
    *,
    grid: ArrayLike | None = None,
    epsilon: Number,
    method: str = "hierarchical",
    smoothing: str | None = "isotonic",
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    confidence: float = 0.9,
    scale: ScoreScale | str | None = None,
    bounds: tuple[float, float] | None = None,
    **method_parameters: Any,
) -> EcdfRelease:
    """Release a differentially private empirical distribution function.

    Parameters
    ----------
    values : array-like, shape (n,), or CellCounts
        One value for each record. Values beyond an end of the grid are moved to that end. Counts
        bring their grid along; see `ecdf_of_scores`.
    grid : array-like, shape (points,)
        Public, strictly increasing; see `uniform_grid` and `log_grid`. Left out with counts; with a
        scale, 1,025 even points over all of it if left out.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole curve; positive.
    method : str, default "hierarchical"
        A name from `ecdf_methods`.
    smoothing : {"isotonic", "p1", "p2", None}, default "isotonic"
        How the noisy curve is made monotone, at no privacy cost.
    neighbors : Neighbors or str, default "add-remove"
        Under "replace" the number of records is public.
    noise : NoiseSource, optional
        `SystemNoise` by default; `SeededNoise` makes a simulation.
    ledger : Ledger, optional
        Where the loss is charged; a new one of just this loss by default.
    part : Part, optional
        The disjoint share of the records that these are, such as the positives of a test set.
    confidence : float, default 0.9
        Of the bands, from 0.5 to 0.99.
    scale : {"probability", "percent", "log-odds", "any"}, optional
        What the values are, if they are scores: all but "any" become probabilities.
    bounds : (float, float), optional
        Public ends of the scale "any".
    **method_parameters
        As declared by the method.

    Returns
    -------
    EcdfRelease

    Raises
    ------
    InvalidArgument
        If an argument is out of range; in a simulation also if a value is missing.
    UnknownMethod
        If no method has that name.
    MovablePart
        If one class is evaluated under "replace": a record that changes class changes how many
        there are. Evaluate it under "add-remove" at half of epsilon, which covers a replacement.
    PrivacyError
        If the ledger cannot afford epsilon, or its neighbour relation is another. Nothing is
        charged or drawn then.

    Privacy
        epsilon-DP in the given relation, by the guarantee of the method; one charge. With real
        noise a missing value makes no error, which would tell of it for nothing: its record is left
        out, or under "replace", where it counts, put into the first cell.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> ages = [25, 31, 31, 44, 58, 67] * 500
    >>> curve = private_ecdf(ages, grid=range(18, 96), epsilon=1, noise=SeededNoise(1))
    >>> curve.inverse([0.4, 0.6]).tolist(), curve.simulated, str(curve.charges[0].loss)
    ([31.0, 44.0], True, 'epsilon 1')
    """
    loss = positive_loss(epsilon)
    declared = ecdf_methods.get(method)
    parameters = _checked(declared, smoothing, confidence, method_parameters)
    if scale is not None and not isinstance(values, CellCounts):
        values, grid = _on_scale(values, grid, ScoreScale.of(scale, bounds))
    elif scale is not None or bounds is not None:
        name, given = ("scale", scale) if scale is not None else ("bounds", bounds)
        raise InvalidArgument(name, given, "left out beside CellCounts, and bounds without a scale")
    _require_form(values, grid)
    if (
        isinstance(values, CellCounts)
        and values.part != "all"
        and Neighbors.of(neighbors) is Neighbors.REPLACE
    ):
        raise MovablePart(values.part)
    opened = open_gate(
        loss, neighbors=neighbors, noise=noise, ledger=ledger, part=part, method=declared
    )
    with opened.before_reading("ECDF", method) as gate:
        cells = _cells(values, grid, simulated=gate.simulated)
        counts = cells.as_counted(gate.neighbors)
        noisy = declared.run(counts, loss=loss, gate=gate, **parameters)
    total_is_public = gate.neighbors is Neighbors.REPLACE
    total = float(counts.sum() if total_is_public else noisy[-1])
    return EcdfRelease(
        grid=cells.grid,
        cdf=smooth(noisy, max(total, 1.0), smoothing),
        noisy=noisy,
        total=total,
        epsilon=loss.epsilon,
        charges=gate.charges,
        simulated=gate.simulated,
        method=method,
        smoothing=smoothing,
        parameters=parameters,
        neighbors=gate.neighbors,
        confidence=float(confidence),
    )


def private_class_ecdfs(
    cells: tuple[CellCounts, CellCounts],
    *,
    epsilon: Number,
    method: str = "hierarchical",
    smoothing: str | None = "isotonic",
    confidence: float = 0.9,
    noises: tuple[NoiseSource, NoiseSource],
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    ledger: Ledger | None = None,
    part: Part | None = None,
    **method_parameters: Any,
) -> tuple[EcdfRelease, EcdfRelease, tuple[Charge, ...]]:
    """Release the distribution functions of negatives and of positives, for one charge.

    Parameters
    ----------
    cells : (CellCounts, CellCounts)
        Of negatives and of positives.
    noises : (NoiseSource, NoiseSource)
        One for each.
    epsilon, method, smoothing, confidence, neighbors, ledger, part, **method_parameters
        See `private_ecdf`.

    Returns
    -------
    charges : tuple of Charge
        What the ledger was charged for both; each release says how its noise was drawn.

    Privacy
        Add-remove: a record is in one class, so each class has the whole epsilon. Replace: a record
        that changes may leave one class and enter the other, so both are released at half of it
        under add-remove (`Gate.for_classes`), and no class size is taken to be public.
    """
    loss, declared = positive_loss(epsilon), ecdf_methods.get(method)
    # Refused now, and not by the first of the curves once both are charged.
    _checked(declared, smoothing, confidence, method_parameters)
    gate = open_gate(
        loss, neighbors=neighbors, noise=noises[0], ledger=ledger, part=part, method=declared
    )
    inner, each = gate.for_classes(loss, label="ECDFs of both classes")
    # By the relation of the caller: the classes themselves are released under add-remove.
    counted = [replace(one, counts=one.as_counted(gate.neighbors), left_out=0) for one in cells]
    negatives, positives = (
        private_ecdf(
            one,
            epsilon=each.epsilon,
            method=method,
            smoothing=smoothing,
            confidence=confidence,
            neighbors=inner.neighbors,
            noise=noise,
            ledger=inner.ledger,
            part=Part("class", side, within=part),
            **method_parameters,
        )
        for one, side, noise in zip(counted, SIDES, noises, strict=True)
    )
    return negatives, positives, gate.charges


def _on_scale(
    values: ArrayLike, grid: ArrayLike | None, scale: ScoreScale
) -> tuple[ArrayLike, ArrayLike]:
    """Scores as probabilities, or as they are on a scale of their own, and a grid over all of it.

    A score that is on no scale becomes NaN, each by itself.
    """
    low, high = scale.bounds or (0.0, 1.0)
    scores = numbers_of(values, "values")
    own = scores if scale.bounds else scale.unit(scores)
    return own, uniform_grid(low, high, _POINTS) if grid is None else grid


def _checked(
    method: Method, smoothing: str | None, confidence: float, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    _check.in_range(0.5, 0.99, confidence=confidence)
    _check.one_of(SMOOTHINGS, smoothing=smoothing)
    return method.check(parameters)


def _require_form(values: ArrayLike | CellCounts, grid: ArrayLike | None) -> None:
    """Refuse a grid that is missing, or no grid, before anything is charged."""
    nobody: ArrayLike | CellCounts = values if isinstance(values, CellCounts) else []
    _cells(nobody, grid, simulated=False)


def _cells(
    values: ArrayLike | CellCounts, grid: ArrayLike | None, *, simulated: bool
) -> CellCounts:
    if isinstance(values, CellCounts):
        if grid is not None:
            raise InvalidArgument("grid", "an array", "left out beside CellCounts")
        return values
    if grid is None:
        raise InvalidArgument(
            "grid", None, "public and given, for example uniform_grid(0, 1, 1025)"
        )
    if simulated:
        require_numbers(values)
    return CellCounts.from_values(values, grid)


@dataclass(frozen=True, eq=False)
class HistogramRelease:
    """A released histogram: nothing in it is private.

    Parameters
    ----------
    ecdf : EcdfRelease
        The distribution function at the upper edges of the bins.
    """

    ecdf: EcdfRelease

    @property
    def edges(self) -> FloatArray:
        """Upper edge of each bin, which belongs to it, shape (bins,); the first has no lower."""
        return self.ecdf.grid

    @property
    def counts(self) -> FloatArray:
        """Numbers of records, shape (bins,): non-negative if smoothed; they add up to the total."""
        return self.ecdf.histogram(self.edges.size)[1]

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What the ledger recorded."""
        return self.ecdf.charges

    @property
    def simulated(self) -> bool:
        """True if the noise can be repeated: such a histogram must never be called private."""
        return self.ecdf.simulated

    def share_between(self, first: int, last: int) -> tuple[float, float, float]:
        """Lowest possible, released and highest possible share of the records in adjacent bins.

        Parameters
        ----------
        first, last : int
            Positions of bins; both belong to the range.

        Returns
        -------
        lower, share, upper : float
            From the privacy band: true of all ranges at once, with its confidence.

        Raises
        ------
        InvalidArgument
            If there are no such bins.
        """
        _check.integer_in_range(0, self.edges.size - 1, last=last)
        _check.integer_in_range(0, last, first=first)
        lower, upper = (np.append(0.0, side) for side in self.ecdf.band)
        cdf = np.append(0.0, self.ecdf.cdf)
        low = max(float(lower[last + 1] - upper[first]), 0.0)
        high = min(float(upper[last + 1] - lower[first]), 1.0)
        return low, float(cdf[last + 1] - cdf[first]), high


def private_histogram(
    values: ArrayLike,
    *,
    edges: ArrayLike,
    epsilon: Number,
    method: str = "hierarchical",
    **options: Any,
) -> HistogramRelease:
    """Release a histogram as differences of a private distribution function.

    The noise of a bin is that at its upper edge less that at its lower edge: noise at an edge
    shifts records from one bin to the next one and leaves all others alone. So the error of a range
    of adjacent bins is that of two sums, however many bins it has, and grows with the logarithm of
    the number of all bins. With independent noise on every bin (the method "flat") it grows with
    the square root of the number of bins in the range.

    Parameters
    ----------
    values : array-like, shape (n,)
        One value for each record; values beyond the last edge are moved to it.
    edges : array-like, shape (bins,)
        Public upper edges of the bins, strictly increasing.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole histogram; positive.
    method : str, default "hierarchical"
        A name from `ecdf_methods`; "tree" is the paper's, "flat" the usual independent noise.
    **options
        As for `private_ecdf`: smoothing, neighbors, noise, ledger, part, confidence, and parameters
        of the method.

    Returns
    -------
    HistogramRelease

    Raises
    ------
    InvalidArgument, UnknownMethod, MovablePart, PrivacyError
        As `private_ecdf` does.

    Sensitivity
        That of the counts of the bins: add-remove 1, replace 2; the method divides it up.
    Privacy
        epsilon-DP in the given relation; one charge. Differences are post-processing.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 7.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> incomes = [12_000, 27_000, 31_000, 44_000, 44_500] * 400
    >>> steps = range(5_000, 105_000, 5_000)
    >>> found = private_histogram(incomes, edges=steps, epsilon=1, noise=SeededNoise(1))
    >>> bool(abs(found.counts[8] - 800) < 50), len(found.charges)
    (True, 1)
    """
    return HistogramRelease(
        private_ecdf(values, grid=edges, epsilon=epsilon, method=method, **options)
    )
