"""The public result of a private calibration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dpcore._notebook import Shown
from dpcore.errors import DataError
from dpcore.evaluation.calibration.table import CalibrationTable
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Charge, Neighbors, charges_as_json, charges_from_json


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationRelease(Shown):
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

    def to_json(self) -> str:
        """The release as JSON text."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        return json.dumps(
            plain
            | {
                "calibration_error_interval": list(self.calibration_error_interval),
                "calibration_error_by_chance": self.table.error_by_chance,
                "neighbors": self.neighbors.value,
                "parameters": dict(self.parameters),
                "table": self.table.as_json(),
                "charges": charges_as_json(self.charges),
            },
            allow_nan=False,
            sort_keys=True,
        )

    @classmethod
    def from_json(cls, text: str) -> CalibrationRelease:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        try:
            document = json.loads(text)
            low, high = document["calibration_error_interval"]
            return cls(
                **{name: document[name] for name in _PLAIN},
                calibration_error_interval=(float(low), float(high)),
                neighbors=Neighbors.of(document["neighbors"]),
                parameters=dict(document["parameters"]),
                table=CalibrationTable.from_json(document["table"]),
                charges=charges_from_json(document["charges"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                "this is not an exported calibration",
                remedy="pass the text of CalibrationRelease.to_json()",
            ) from error


_OTHERWISE = {"calibration_error_interval", "charges", "neighbors", "parameters", "table"}

# What JSON has a type for.
_PLAIN = tuple(one.name for one in fields(CalibrationRelease) if one.name not in _OTHERWISE)
