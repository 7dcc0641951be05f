"""The public result of a private calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dpcore._notebook import Shown
from dpcore.evaluation.calibration.table import CalibrationTable
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Charge, Neighbors
from dpcore.release import Exported


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationRelease(Exported, Shown):
    """How well the scores of a model match the outcomes, and what it cost to say so.

    Parameters
    ----------
    trend_statistic, trend_p_value : float
        Test of a shift and a slope of the scores' logit, two degrees of freedom: the one to read
        first. P-values account for the noise.
    statistic, p_value : float
        Test of any deviation, one degree of freedom per group.
    statistic_naive, p_value_naive : float
        The Hosmer-Lemeshow statistic of the noisy counts and its chi-square p-value. Not valid:
        noise makes it reject models that are perfectly calibrated. For comparison only.
    calibration_error : float
        Expected calibration error: mean of abs(observed - expected), weighted by group size.
    calibration_error_interval : pair of float
        Where the test set's own value lies (privacy only), at `confidence`: it describes these
        records, not the model. A perfectly calibrated model shows `table.error_by_chance`.
    table : CalibrationTable
        One row per group.
    confidence : float
        Of the interval, and of each band in all groups at once.
    charges : tuple of Charge
    simulated : bool
        True if the noise can be repeated: such a release must never be called private.
    method : str
    parameters : mapping
        Public: number and kind of groups, and what the method takes.
    neighbors : Neighbors
    """

    KIND: ClassVar[str] = "calibration"
    READ: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "CalibrationTable": CalibrationTable.from_json,
    }

    trend_statistic: float
    trend_p_value: float
    statistic: float
    p_value: float
    statistic_naive: float
    p_value_naive: float
    calibration_error: float
    calibration_error_interval: tuple[float, float]
    table: CalibrationTable
    confidence: float
    charges: tuple[Charge, ...]
    simulated: bool
    method: str
    parameters: Mapping[str, Any]
    neighbors: Neighbors

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any calibration error possible."""
        return leaves_everything(*self.calibration_error_interval)

    def beside(self) -> dict[str, Any]:
        """The calibration error that chance alone makes."""
        return {"calibration_error_by_chance": self.table.error_by_chance}
