"""What a sparse vector variant draws and compares, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import _check
from dpcore.mechanisms import PublishedSparseVector, SparseVector
from dpcore.privacy import Number


@dataclass(frozen=True)
class Asked:
    """The same question and answer, so many times in a row.

    Parameters
    ----------
    score : float
        The exact score, less the threshold before noise.
    passed : bool
        The answer.
    times : int, default 1
    value : float, optional
        The number that is released with a success by a variant with numeric answers, less the
        threshold; the success alone if left out.
    """

    score: float
    passed: bool
    times: int = 1
    value: float | None = None


@dataclass(frozen=True, kw_only=True)
class Comparisons:
    """One of the algorithms 1 to 7 for scores of sensitivity 1 and a public threshold.

    Parameters
    ----------
    algorithm : int
        As Lyu, Su and Li number them.
    threshold_scale, query_scale : float
        Of the Laplace noise; a query scale of 0 is no noise.
    cutoff : int
    stops : bool
        Whether it stops after `cutoff` successes.
    refresh : bool
        Whether the threshold noise is drawn again after every success.
    numeric : bool
        Whether a success is answered by the noisy score.
    declared : float
        The epsilon that the project charges for it; what was claimed if it is BROKEN.

    Examples
    --------
    >>> one = Comparisons.of(1, epsilon=1, cutoff=3)
    >>> round(one.threshold_scale, 6), round(one.query_scale, 6), one.declared
    (2.0, 12.0, 1.0)
    """

    algorithm: int
    threshold_scale: float
    query_scale: float
    cutoff: int
    stops: bool
    refresh: bool
    numeric: bool
    declared: float

    @classmethod
    def of(
        cls,
        algorithm: int,
        *,
        epsilon: Number,
        cutoff: int = 1,
        monotone: bool = False,
        ratio: str = "1:1",
    ) -> Comparisons:
        """Read the scales off the mechanism that is really run.

        Parameters
        ----------
        algorithm : int
            1 to 7.
        epsilon : int, float, str or Fraction
            The published one.
        cutoff : int, default 1
            The c.
        monotone : bool, default False
            Algorithm 7 then needs half of the query noise, and Algorithm 4 declares less.
        ratio : str, default "1:1"
            Of Algorithm 7, see `dpcore.mechanisms.RATIOS`.
        """
        _check.integer_in_range(1, 7, algorithm=algorithm)
        if algorithm == 7:
            return cls.of_mechanism(
                SparseVector(
                    epsilon=epsilon,
                    k=cutoff,
                    threshold=0.0,
                    ratio=ratio,
                    monotone=monotone,
                    whole=True,
                )
            )
        return cls.of_mechanism(
            PublishedSparseVector(
                variant=algorithm,
                epsilon=epsilon,
                cutoff=cutoff,
                threshold=0.0,
                monotone=monotone,
                whole=True,
            )
        )

    @classmethod
    def of_mechanism(cls, mechanism: SparseVector | PublishedSparseVector) -> Comparisons:
        """Read the scales, in units of the scores, off a mechanism with a public threshold."""
        cell = mechanism.grid.cell
        if isinstance(mechanism, SparseVector):
            algorithm, cutoff = 7, mechanism.k
            stops, refresh, numeric = True, False, False
        else:
            algorithm, cutoff, table = mechanism.variant, mechanism.cutoff, mechanism.table
            stops, refresh, numeric = table.stops, table.refresh, table.numeric
        return cls(
            algorithm=algorithm,
            threshold_scale=float(mechanism.threshold_scale) * cell,
            query_scale=mechanism.query_scale * cell,
            cutoff=cutoff,
            stops=stops,
            refresh=refresh,
            numeric=numeric,
            declared=float(mechanism.loss.epsilon),
        )
