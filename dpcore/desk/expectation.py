"""What simulated releases let one expect of a real one: its error, what it will state, its band."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray
from dpcore.desk.request import Request
from dpcore.desk.simulate import Assumed
from dpcore.publications.publication import Measured

__all__ = ["Preview", "aim", "expectation"]

_CONFIDENCE = 0.9
_QUANTILES = (0.05, 0.5, 0.95)


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
        How far what they say is from the truth, in nine of ten releases at most.
    unit : str
        Of the error.
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
    repeats: int
    value: float
    spread: tuple[float, float]
    error: float
    unit: str
    stated: float | None = None
    stated_spread: tuple[float, float] | None = None
    useless: float | None = None
    x: FloatArray | None = None
    y: FloatArray | None = None
    lower: FloatArray | None = None
    upper: FloatArray | None = None

    @property
    def sentence(self) -> str:
        """What its owner will be held to, in words."""
        expected = (
            f"expect an error of at most {self.error:.3f} ({self.unit})"
            if self.stated is None
            else f"expect the release to state ± {self.stated:.3f} ({self.unit}) or less"
        )
        return (
            f"At {self.request.cost}, {expected} in nine of ten cases{self._otherwise}, on "
            f"{self.assumed.n:,} simulated records."
        )

    @property
    def _otherwise(self) -> str:
        if self.useless is None:
            return ""
        return (
            f" if the scores are as good as an AUC of {self.assumed.auc:g}, but up to "
            f"± {self.useless:.3f} if they tell nothing"
        )

    @property
    def spread_sentence(self) -> str:
        """What the releases say and how far off they are, in words."""
        low, high = self.spread
        said = (
            f"The median of {self.request.kind.quantity} is {self.value:.3f}, and nine in ten "
            f"releases lie between {low:.3f} and {high:.3f}."
        )
        if self.stated is None:
            return said
        return (
            f"{said} What they say is off by at most {self.error:.3f} in nine of ten cases; what "
            "they state is wider, because it has to hold whatever the data are."
        )

    @property
    def band_name(self) -> str:
        """What the projected band is."""
        return "nine in ten releases" if self.stated is None else "band that it will state"


def expectation(
    request: Request,
    assumed: Assumed,
    runs: Sequence[Measured],
    *,
    of_useless: Sequence[Measured] = (),
) -> Preview:
    """Sum simulated releases up.

    Parameters
    ----------
    request : Request
    assumed : Assumed
    runs : sequence of Measured, not empty
    of_useless : sequence of Measured, default ()
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
        repeats=len(runs),
        value=median,
        spread=(low, high),
        error=_worst(run.error for run in runs),
        unit=request.kind.unit,
        stated=_worst(stated) if stated else None,
        stated_spread=_ends(stated) if stated else None,
        useless=_worst(useless) if useless else None,
        x=runs[0].x,
        y=middle,
        lower=lower,
        upper=upper,
    )


def aim(runs: Sequence[Measured]) -> float:
    """What nine in ten releases do not exceed of what their owner is held to."""
    return _worst(run.aim for run in runs)


def _worst(values: Iterable[float]) -> float:
    return float(np.quantile(list(values), _CONFIDENCE))


def _ends(values: Iterable[float]) -> tuple[float, float]:
    low, _, high = _quantiles(values)
    return low, high


def _quantiles(values: Iterable[float]) -> tuple[float, float, float]:
    low, median, high = np.quantile(list(values), _QUANTILES)
    return float(low), float(median), float(high)


_Curves = tuple[FloatArray | None, FloatArray | None, FloatArray | None]


def _projected(runs: Sequence[Measured]) -> _Curves:
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
