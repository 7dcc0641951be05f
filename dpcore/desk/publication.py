"""What the desk can publish; each kind declares itself in a file of `desk.publications`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dpcore._typing import FloatArray
from dpcore.desk.outcome import Outcome
from dpcore.errors import UnknownMethod
from dpcore.privacy import Neighbors
from dpcore.registry import Method, Parameter

__all__ = ["Cells", "Measured", "Publication", "reach"]

Cells: TypeAlias = Sequence[str | int | float | None]


@dataclass(frozen=True, eq=False)
class Measured:
    """One simulated release beside its truth.

    Parameters
    ----------
    value : float
        What the release says.
    error : float
        How far that is from the truth; zero or positive.
    stated : float, optional
        How far the interval or band that the release states reaches from what it says: the x of
        "AUC ± x". None if it states neither.
    x, y : float arrays of the same shape, optional
        The released curve, at public places that do not change from run to run.
    lower, upper : float arrays of that shape, optional
        The band that the release states around the curve.
    """

    value: float
    error: float
    stated: float | None = None
    x: FloatArray | None = None
    y: FloatArray | None = None
    lower: FloatArray | None = None
    upper: FloatArray | None = None

    @property
    def aim(self) -> float:
        """What its owner is held to: `stated`, or the error of a release that states nothing."""
        return self.error if self.stated is None else self.stated


def reach(value: FloatArray | float, lower: FloatArray | float, upper: FloatArray | float) -> float:
    """How far an interval, or a band where widest, reaches from what it is around.

    Examples
    --------
    >>> round(reach(0.8, 0.79, 0.83), 6)
    0.03
    """
    return float(max(np.max(np.subtract(upper, value)), np.max(np.subtract(value, lower))))


@dataclass(frozen=True, kw_only=True)
class Publication:
    """One kind of release.

    Parameters
    ----------
    name, title, summary : str
    phases : tuple of str
        What it charges for, of "selection", "training" and "evaluation", if the study has it.
    unit : str
        What `Measured.error` is an error of, such as "AUC".
    quantity : str
        What `Measured.value` is, such as "the AUC".
    result : callable
        The public result of an outcome, as JSON types.
    load : callable
        The same result as the object that figures take.
    table : callable
        The result as a header and rows.
    headline : callable
        The result in one sentence.
    measure : callable
        Compare the outcome of a simulation with its truth.
    methods : callable, optional
        The methods of its evaluation by name; None if nothing is evaluated.
    default : str
        The method that is used when a request names none.
    evaluate : callable, optional
        Release from counted scores. Takes the scores, and by keyword epsilon, method, parameters,
        options, confidence, neighbors, noise, ledger and part.
    options : tuple of Parameter
        Public choices besides those of the method.
    rests_on_scores : bool, default False
        Whether what it states of its accuracy depends much on how well the scores tell the classes
        apart: of an ROC curve the step between two scores, which are far apart if all are alike.
    """

    name: str
    title: str
    summary: str
    phases: tuple[str, ...]
    unit: str
    quantity: str
    result: Callable[[Outcome], dict[str, Any]]
    load: Callable[[Mapping[str, Any]], Any]
    table: Callable[[Mapping[str, Any]], tuple[Cells, list[Cells]]]
    headline: Callable[[Mapping[str, Any]], str]
    measure: Callable[[Outcome], Measured]
    methods: Callable[[], Mapping[str, Method]] | None = None
    default: str = ""
    evaluate: Callable[..., Any] | None = None
    options: tuple[Parameter, ...] = ()
    rests_on_scores: bool = False

    def method(self, name: str, neighbors: Neighbors) -> Method | None:
        """The evaluation method of that name; None if nothing is evaluated.

        Raises
        ------
        UnknownMethod, UnsupportedNeighbors
        """
        if self.methods is None:
            return None
        known = self.methods()
        if name not in known:
            raise UnknownMethod(f"{self.name} method", name, known)
        known[name].require(neighbors)
        return known[name]
