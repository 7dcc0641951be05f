"""What accuracy a request may expect, and which epsilon an accuracy needs; from simulated data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpcore import _check
from dpcore.desk.expectation import Preview, aim, expectation
from dpcore.desk.request import Request
from dpcore.desk.simulate import Assumed, simulated_dataset, simulated_predictions
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.publications.publication import Measured
from dpcore.schema import Schema
from dpcore.study import NoiseChoice, StageCache
from dpcore.study.sources import Records

__all__ = ["epsilon_for", "preview", "rehearse"]

LEAST, MOST = Fraction(1, 1000), Fraction(100)
_REHEARSAL = Assumed(n=400)


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
        What an ROC curve states depends on the scores; so it is simulated for useless ones too.

    Privacy
        No private record is read, so moving sliders costs nothing.

    Examples
    --------
    >>> from dpcore.study import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> expected = preview(None, Request(what="roc", study=study), repeats=5)
    >>> 0.7 < expected.value < 0.9, expected.error < 0.05, expected.unit
    (True, True, 'AUC')
    >>> expected.error < expected.stated < 0.05 < expected.useless
    True
    """
    _check.integer_in_range(2, 1000, repeats=repeats)
    guess = Assumed() if assumed is None else assumed
    runs = _simulation(schema, request, guess)(request, repeats)
    if not request.kind.rests_on_scores:
        return expectation(request, guess, runs)
    useless = _simulation(schema, request, replace(guess, auc=0.5))(request, repeats)
    return expectation(request, guess, runs, of_useless=useless)


def epsilon_for(
    target: float,
    request: Request,
    *,
    schema: Schema | None = None,
    assumed: Assumed | None = None,
    repeats: int = 20,
) -> Fraction:
    """The least total epsilon at which a release is expected to state no more than a target.

    Where a release states nothing, as of features and models, its error is held to the target.

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
    >>> from dpcore.study import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> request = Request(what="roc", study=study)
    >>> epsilon_for(0.01, request, repeats=5) > epsilon_for(0.1, request, repeats=5)
    True
    """
    _check.positive(target=target)
    simulate = _simulation(schema, request, Assumed() if assumed is None else assumed)

    def reached(total: Fraction) -> bool:
        return aim(simulate(request.with_total(total), repeats)) <= target

    if not reached(MOST):
        least = aim(simulate(request.with_total(MOST), repeats))
        requirement = f"at least {least:.3f}, what remains at epsilon {MOST} on so many records"
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
    # The records are encoded and divided once; everything else has another seed in every run.
    cache = StageCache(entries=1)

    def simulate(asked: Request, repeats: int) -> list[Measured]:
        return [
            asked.kind.measure(
                asked.carry_out(records, noise=NoiseChoice(assumed.seed + run), cache=cache)
            )
            for run in range(repeats)
        ]

    return simulate


def _two_digit_steps() -> list[Fraction]:
    steps = [
        Fraction(digits, 10**-power) if power < 0 else Fraction(digits * 10**power)
        for power in range(-4, 1)
        for digits in range(10, 100)
    ]
    return [step for step in steps if step >= LEAST] + [MOST]
