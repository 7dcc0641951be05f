"""Expected accuracy of a request, and which epsilon an accuracy needs; from simulated data."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from dpcore import _check
from dpcore._numbers import limit, percent, rate, telling_digits
from dpcore._typing import FloatArray
from dpcore.desk.request import Request
from dpcore.desk.simulate import Assumed, simulated_dataset, simulated_predictions
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.figures import Picture, Theme
from dpcore.figures.roc import expected_picture, roc_picture
from dpcore.publications.publication import Measured
from dpcore.schema import Schema
from dpcore.study import NoiseChoice, StageCache
from dpcore.study.sources import StudyData

_CONFIDENCE = 0.9

Runs: TypeAlias = Sequence[Measured]

_QUANTILES = (0.05, 0.5, 0.95)


@dataclass(frozen=True, kw_only=True, eq=False)
class Preview(Measured):
    """Expected accuracy of a request on records like the assumed ones; a simulation.

    Parameters
    ----------
    request : Request
    assumed : Assumed
    value : float
        Their median, such as an AUC.
    spread : (float, float)
        Between which nine in ten of them are.
    error : float
        How far what they say is from the truth, in nine of ten releases at most.
    stated : float, optional
        The x of "AUC ± x" as the release itself will state it, in nine of ten releases at most; its
        interval holds whatever the data are, so it is wider than the error. None if it states none.
    stated_spread : (float, float), optional
        Between which nine in ten of the stated numbers are.
    useless : float, optional
        The same as `stated` if the scores tell nothing. None if that makes little difference.
    x, y, lower, upper : float arrays, or None
        Median curve and projected band: the median of the bands that the releases state or, if they
        state none, what holds nine in ten curves at each place.
    """

    request: Request
    assumed: Assumed
    spread: tuple[float, float]
    stated_spread: tuple[float, float] | None = None
    useless: float | None = None

    @property
    def sentence(self) -> str:
        """What its owner will be held to, in words."""
        unit = self.request.kind.unit
        if self._says_nothing(self.stated):
            nothing = f"the noise leaves any value possible ({unit})"
            return f"At {self.request.cost}, expect the release to say nothing: {nothing}."
        expected = f"expect an error of at most {_bound(self.error)} ({unit})"
        if self.stated is not None:
            expected = f"expect the release to state ± {_bound(self.stated)} ({unit}) or less"
        over = f"in nine of ten simulated releases of {self.assumed.n:,} records"
        return f"At {self.request.cost}, {expected} {over}."

    def _says_nothing(self, stated: float | None) -> bool:
        """Whether an interval that reaches so far leaves all that its number can be."""
        # A difference lies between -1 and 1, all else that is stated between 0 and 1.
        return stated is not None and stated >= (1.0 if self.request.what == "compare" else 0.5)

    @property
    def _even(self) -> str:
        kind, positive = self.request.kind, percent(self.assumed.prevalence, digits=0)
        told = "" if kind.takes == "classes" else f", {positive} of them positive"
        return f"{told}, {kind.made_up}" if kind.made_up else told

    @property
    def _otherwise(self) -> str:
        if self.useless is None:
            return ""
        expected = "nothing that helps"
        if not self._says_nothing(self.useless):
            expected = f"up to ± {_bound(self.useless)}"
        good = f", with scores as good as an AUC of {self.assumed.auc:g}"
        return f"{good}; if they are no better than chance, expect {expected}"

    @property
    def spread_sentence(self) -> str:
        """What was simulated, what the releases say and how far off they are, in words."""
        digits = telling_digits(*self.spread)
        median, low, high = (rate(one, digits=digits) for one in (self.value, *self.spread))
        said = f"Simulated are {self.assumed.n:,} records{self._even}{self._otherwise}. The median"
        said += f" of {self.request.kind.quantity} is {median}, and nine in ten releases"
        said += f" lie between {low} and {high}."
        if self.stated is None or self._says_nothing(self.stated):
            return said
        off = f"What they say is off by at most {_bound(self.error)} in nine of ten cases; what"
        return f"{said} {off} they state is wider, because it has to hold whatever the data are."

    def picture(self, theme: Theme) -> Picture | None:
        """Median and projected band; None if there is nothing to find."""
        if self.x is None or self.y is None or self.lower is None or self.upper is None:
            return None
        name = "nine in ten releases" if self.stated is None else "band that it will state"
        told: dict[str, Any] = {"theme": theme, "band_name": name}
        if self.request.what == "roc":
            band = self.x, self.lower, self.upper
            return roc_picture(self.x, self.y, band=band, private_name="median release", **told)
        told["axes"] = self.request.kind.axes
        return expected_picture(self.x, self.y, (self.lower, self.upper), **told)


def expectation(
    request: Request, assumed: Assumed, runs: Runs, *, of_useless: Runs = ()
) -> Preview:
    """Sum simulated releases up.

    Parameters
    ----------
    runs : sequence of Measured, not empty
    of_useless
        The same request where the scores tell nothing.

    Examples
    --------
    >>> from dpcore.study import DataSource, Workflow
    >>> study = Workflow(data=DataSource(predictions="scores.csv", positive="1"))
    >>> runs = [Measured(0.8, 0.001, stated=0.02), Measured(0.82, 0.002, stated=0.02)]
    >>> expectation(Request(what="roc", study=study), Assumed(), runs).stated
    0.02
    """
    lower, middle, upper = _projected(runs)
    stated = [run.stated for run in runs if run.stated is not None]
    useless = [run.stated for run in of_useless if run.stated is not None]
    low, median, high = _quantiles(run.value for run in runs)
    return Preview(
        request=request,
        assumed=assumed,
        value=median,
        spread=(low, high),
        error=_worst(run.error for run in runs),
        stated=_worst(stated) if stated else None,
        stated_spread=_quantiles(stated)[::2] if stated else None,
        useless=_worst(useless) if useless else None,
        x=runs[0].x,
        y=middle,
        lower=lower,
        upper=upper,
    )


def _bound(value: float) -> str:
    return rate(limit(value))


def aim(runs: Runs) -> float:
    """What nine in ten releases do not exceed of what their owner is held to."""
    return _worst(run.aim for run in runs)


def _worst(values: Iterable[float]) -> float:
    return float(np.quantile(list(values), _CONFIDENCE))


def _quantiles(values: Iterable[float]) -> tuple[float, float, float]:
    low, median, high = np.quantile(list(values), _QUANTILES)
    return float(low), float(median), float(high)


def _projected(runs: Runs) -> tuple[FloatArray | None, FloatArray | None, FloatArray | None]:
    """Lower edge, median curve and upper edge."""
    curves = [run.y for run in runs if run.y is not None]
    if not curves:
        return None, None, None
    lower, middle, upper = np.quantile(np.stack(curves), _QUANTILES, axis=0)
    below = [run.lower for run in runs if run.lower is not None]
    above = [run.upper for run in runs if run.upper is not None]
    if not below or not above:
        return lower, middle, upper
    return np.median(np.stack(below), axis=0), middle, np.median(np.stack(above), axis=0)


MOST = Fraction(100)


def preview(
    schema: Schema | None, request: Request, *, assumed: Assumed | None = None, repeats: int = 20
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
    >>> 0.7 < expected.value < 0.9, expected.error < 0.05
    (True, True)
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

    if (least := aim(simulate(request.with_total(MOST), repeats))) > target:
        requirement = f"at least {_bound(least)}, what remains at epsilon {MOST} on so many records"
        raise InvalidArgument("target", target, requirement)
    # Steps of two digits, so that the answer is one of them: 0.0010, 0.0011, ... 99, 100.
    powers = [Fraction(10) ** power for power in range(-4, 1)]
    steps = [digits * power for power in powers for digits in range(10, 100)] + [MOST]
    return steps[bisect_left(steps, True, hi=len(steps) - 1, key=reached)]


def rehearse(request: Request, schema: Schema | None) -> None:
    """Carry a request out on a few simulated records, so that what must fail does so for free.

    Raises
    ------
    DpcoreError
        Whatever the request would raise because of its public choices.
    """
    _simulation(schema, request, Assumed(n=400))(request, 1)


_Simulate = Callable[[Request, int], list[Measured]]


def _simulation(schema: Schema | None, request: Request, assumed: Assumed) -> _Simulate:
    """Make records up once, and return what releases from them again and again."""
    if request.study.trains and schema is None:
        what = "a request that trains needs the schema of its table"
        raise SchemaError(what, remedy="pass the public schema")
    records: StudyData
    if schema is not None and request.study.trains:
        records = simulated_dataset(schema, assumed)
    else:
        told = request.study.data
        names = {"levels": told.levels or (), "classes": told.classes or ()}
        records = simulated_predictions(assumed, two=told.score_b is not None, **names)
    # The records are encoded and divided once; everything else has another seed in every run.
    cache = StageCache(entries=1)

    def simulate(asked: Request, repeats: int) -> list[Measured]:
        noises = (NoiseChoice(assumed.seed + run) for run in range(repeats))
        runs = (asked.carry_out(records, noise=noise, cache=cache) for noise in noises)
        return [asked.kind.measure(run) for run in runs]

    return simulate
