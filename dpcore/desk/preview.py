"""What accuracy a request may expect, and which epsilon an accuracy needs; from simulated data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.desk.pipeline import carry_out, prepare
from dpcore.desk.publication import Measured
from dpcore.desk.request import Request
from dpcore.desk.simulate import Assumed, simulated_dataset, simulated_predictions
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.schema import Schema
from dpcore.studies.workflow import NoiseChoice
from dpcore.studies.workflow.sources import Records
from dpcore.studies.workflow.steps import Prepared

__all__ = ["Preview", "epsilon_for", "preview", "rehearse"]

LEAST, MOST = Fraction(1, 1000), Fraction(100)
_CONFIDENCE = 0.9
_QUANTILES = (0.05, 0.5, 0.95)
_REHEARSAL = Assumed(n=400)


@dataclass(frozen=True, kw_only=True, eq=False)
class Preview:
    """Expected accuracy of a request on records like the assumed ones; a simulation.

    Parameters
    ----------
    request : Request
    assumed : Assumed
    repeats : int
        Number of simulated releases.
    value : float
        Their median, such as an AUC.
    spread : (float, float)
        Between which nine in ten of them are.
    error : float
        What nine in ten of them do not exceed: the x of "AUC ± x".
    unit : str
        Of the error.
    x, y, lower, upper : float arrays, or None
        Median curve and projected band, which holds nine in ten curves at each place.
    """

    request: Request
    assumed: Assumed
    repeats: int
    value: float
    spread: tuple[float, float]
    error: float
    unit: str
    x: FloatArray | None = None
    y: FloatArray | None = None
    lower: FloatArray | None = None
    upper: FloatArray | None = None

    @property
    def sentence(self) -> str:
        """The expectation in words."""
        return (
            f"At {self.request.cost}, expect an error of at most {self.error:.3f} ({self.unit}) in "
            f"nine of ten releases, on {self.assumed.n:,} simulated records."
        )

    @property
    def spread_sentence(self) -> str:
        """What the releases say, in words."""
        low, high = self.spread
        return (
            f"The median of {self.request.kind.quantity} is {self.value:.3f}, and nine in ten "
            f"releases lie between {low:.3f} and {high:.3f}."
        )


def preview(
    schema: Schema | None,
    request: Request,
    *,
    assumed: Assumed | None = None,
    repeats: int = 20,
) -> Preview:
    """Simulate a request on records made up to the same public schema.

    Parameters
    ----------
    schema : Schema or None
        None for predictions, whose form is public anyway.
    request : Request
    assumed : Assumed, optional
        Guesses of the reader: number of records, prevalence, AUC.
    repeats : int, default 20

    Returns
    -------
    Preview

    Privacy
        No private record is read, so moving sliders costs nothing.

    Examples
    --------
    >>> from dpcore.studies.workflow import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> expected = preview(None, Request(what="roc", study=study), repeats=5)
    >>> 0.7 < expected.value < 0.9, expected.error < 0.05, expected.unit
    (True, True, 'AUC')
    """
    _check.integer_in_range(2, 1000, repeats=repeats)
    guess = Assumed() if assumed is None else assumed
    runs = _simulation(schema, request, guess)(request, repeats)
    curves = [run.y for run in runs if run.y is not None]
    lower, middle, upper = (
        np.quantile(np.stack(curves), _QUANTILES, axis=0) if curves else (None, None, None)
    )
    low, median, high = np.quantile([run.value for run in runs], _QUANTILES)
    return Preview(
        request=request,
        assumed=guess,
        repeats=repeats,
        value=float(median),
        spread=(float(low), float(high)),
        error=_error(runs),
        unit=request.kind.unit,
        x=runs[0].x,
        y=middle,
        lower=lower,
        upper=upper,
    )


def epsilon_for(
    target: float,
    request: Request,
    *,
    schema: Schema | None = None,
    assumed: Assumed | None = None,
    repeats: int = 20,
) -> Fraction:
    """The least total epsilon at which the simulated error is within a target.

    Parameters
    ----------
    target : float
        Such as 0.03, for "AUC ± 0.03"; positive.
    request : Request
        Its phases keep their proportions.
    schema, assumed, repeats
        See `preview`. The same simulated records and noise serve every epsilon.

    Returns
    -------
    Fraction
        Two digits, rounded up; for `Request.with_total`.

    Raises
    ------
    InvalidArgument
        If no epsilon up to 100 is enough: then the records are too few, not the budget too small.

    Examples
    --------
    >>> from dpcore.studies.workflow import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> request = Request(what="roc", study=study)
    >>> epsilon_for(0.01, request, repeats=5) > epsilon_for(0.1, request, repeats=5)
    True
    """
    _check.positive(target=target)
    simulate = _simulation(schema, request, Assumed() if assumed is None else assumed)

    def reached(total: Fraction) -> bool:
        return _error(simulate(request.with_total(total), repeats)) <= target

    if not reached(MOST):
        error = _error(simulate(request.with_total(MOST), repeats))
        requirement = f"at least {error:.3f}, what remains at epsilon {MOST} on so many records"
        raise InvalidArgument("target", target, requirement)
    # Steps of two digits, so that the answer is one of them: 0.0010, 0.0011, ... 99, 100.
    steps = _two_digit_steps()
    low, high = 0, len(steps) - 1
    while low < high:
        middle = (low + high) // 2
        if reached(steps[middle]):
            high = middle
        else:
            low = middle + 1
    return steps[low]


def rehearse(request: Request, schema: Schema | None) -> None:
    """Carry a request out on a few simulated records, so that what must fail does so for free.

    Raises
    ------
    DpcoreError
        Whatever the request would raise because of its public choices.
    """
    _simulation(schema, request, _REHEARSAL)(request, 1)


_Simulate = Callable[[Request, int], list[Measured]]


def _simulation(schema: Schema | None, request: Request, assumed: Assumed) -> _Simulate:
    """Make records up once, and return what releases from them again and again."""
    if request.study.trains and schema is None:
        raise SchemaError(
            "a request that trains needs the schema of its table", remedy="pass the public schema"
        )
    records: Records = (
        simulated_dataset(schema, assumed)
        if schema is not None and request.study.trains
        else simulated_predictions(assumed)
    )
    prepared = prepare(request, records, noise=NoiseChoice(assumed.seed))

    def simulate(asked: Request, repeats: int) -> list[Measured]:
        return [_measured(asked, records, prepared, assumed.seed + run) for run in range(repeats)]

    return simulate


def _measured(request: Request, records: Records, prepared: Prepared | None, seed: int) -> Measured:
    outcome = carry_out(request, records, prepared, noise=NoiseChoice(seed))
    return request.kind.measure(outcome)


def _error(runs: list[Measured]) -> float:
    return float(np.quantile([run.error for run in runs], _CONFIDENCE))


def _two_digit_steps() -> list[Fraction]:
    steps = [
        Fraction(digits, 10**-power) if power < 0 else Fraction(digits * 10**power)
        for power in range(-4, 1)
        for digits in range(10, 100)
    ]
    return [step for step in steps if step >= LEAST] + [MOST]
