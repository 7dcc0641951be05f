"""One call from values to a private distribution function."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray, Interval
from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.errors import InvalidArgument, MovablePart
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.evaluation.ecdf.cell_counts import CellCounts, require_numbers
from dpcore.evaluation.ecdf.ecdf_release import EcdfRelease
from dpcore.evaluation.ecdf.hierarchical import uniform_grid
from dpcore.evaluation.scores_of import account_of, evaluation_loss, paid_first
from dpcore.noise import NoiseSource
from dpcore.postprocess.monotone import isotonic
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Number, Part
from dpcore.registry import Method
from dpcore.release import Gate, open_gate
from dpcore.schema.cell_arrays import numbers_of, require_vector

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
    bounds: Interval | None = None,
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
    with paid_first(
        "ECDF", declared, epsilon, confidence,
        neighbors=neighbors, noise=noise, ledger=ledger, part=part,
    ) as (loss, gate):  # fmt: skip
        cells = _held(values, grid, simulated=gate.simulated)
        counts = cells.as_counted(gate.neighbors)
        noisy = declared.run(counts, loss=loss, gate=gate, **parameters)
    told = {"method": method, "smoothing": smoothing, "parameters": parameters}
    return _release(cells.grid, counts, noisy, loss, **told, **account_of(gate, confidence))


def _release(
    grid: FloatArray, counts: IntArray, noisy: FloatArray, loss: Loss, **told: Any
) -> EcdfRelease:
    """The curve of noisy sums; under replace the sum of the counts is public."""
    total = float(counts.sum() if told["neighbors"] is Neighbors.REPLACE else noisy[-1])
    cdf = smooth(noisy, max(total, 1.0), told["smoothing"])
    return EcdfRelease(grid=grid, cdf=cdf, noisy=noisy, total=total, epsilon=loss.epsilon, **told)


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
    loss, declared = evaluation_loss(epsilon), ecdf_methods.get(method)
    parameters = _checked(declared, smoothing, confidence, method_parameters)
    told = {"method": method, "smoothing": smoothing, "parameters": parameters}
    gate = open_gate(
        loss, neighbors=neighbors, noise=noises[0], ledger=ledger, part=part, method=declared
    )
    inner, each = gate.for_classes(loss, label="ECDFs of both classes")
    curves = []
    for one, side, noise in zip(cells, SIDES, noises, strict=True):
        own = Gate(inner.ledger, noise, Part("class", side, within=part), each)
        # By the relation of the caller: the classes themselves are released under add-remove.
        counts = one.as_counted(gate.neighbors)
        noisy = declared.run(counts, loss=each, gate=own, **parameters)
        about = told | account_of(own, confidence)
        curves.append(_release(one.grid, counts, noisy, each, **about))
    negatives, positives = curves
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
    return own, uniform_grid(low, high, 1025) if grid is None else grid


def _checked(
    method: Method, smoothing: str | None, confidence: float, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    _check.in_range(0.5, 0.99, confidence=confidence)
    _check.one_of(SMOOTHINGS, smoothing=smoothing)
    return method.check(parameters)


def _require_form(values: ArrayLike | CellCounts, grid: ArrayLike | None) -> None:
    """Refuse a grid that is missing, or no grid, before anything is charged."""
    if not isinstance(values, CellCounts):
        require_vector(values, "values")
        values = []
    _held(values, grid, simulated=False)


def _held(values: ArrayLike | CellCounts, grid: ArrayLike | None, *, simulated: bool) -> CellCounts:
    if isinstance(values, CellCounts):
        if grid is not None:
            raise InvalidArgument("grid", "an array", "left out beside CellCounts")
        return values
    if grid is None:
        wanted = "public and given, for example uniform_grid(0, 1, 1025)"
        raise InvalidArgument("grid", None, wanted)
    if simulated:
        require_numbers(values)
    return CellCounts.from_values(values, grid)
