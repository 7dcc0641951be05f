"""The Hosmer-Lemeshow table: observed and expected rates of each group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.evaluation.calibration.bands import expected_band, observed_band
from dpcore.evaluation.calibration.measurement import Measurement


@dataclass(frozen=True, eq=False)
class CalibrationTable:
    """Groups of scores, lowest first; arrays of shape (groups,), bands of shape (2, groups).

    Parameters
    ----------
    lower, upper : float arrays
        Edges of the group.
    n : int array
        Number of records; never negative.
    observed, expected : float arrays
        Rate of positives and mean score, in [0, 1]. A group of which no record was counted (`n` is
        0) has no rate, NaN; its mean score is given as its middle, which is where to draw it.
    observed_band, expected_band : float arrays
        "Privacy": where the test set's own rate and mean score lie, simultaneously in all groups.
    population_band : float array
        "Sampling + privacy": where the population's rate of positives lies, simultaneously.
    """

    lower: FloatArray
    upper: FloatArray
    n: IntArray
    observed: FloatArray
    expected: FloatArray
    observed_band: FloatArray
    expected_band: FloatArray
    population_band: FloatArray

    @classmethod
    def of(cls, measured: Measurement, confidence: float) -> CalibrationTable:
        """The table of a measurement."""
        groups, size = measured.groups, measured.size
        positives = np.clip(measured.sums.positives, 0, size)
        lower, upper = groups.edges[:-1], groups.edges[1:]
        counted = measured.sums.positives + measured.sums.negatives > 0
        mean = np.clip(groups.middle + measured.sums.offsets / size, lower, upper)
        return cls(
            lower=lower,
            upper=upper,
            n=np.maximum(measured.sums.positives + measured.sums.negatives, 0),
            observed=np.where(counted, positives / size, np.nan),
            expected=np.where(counted, mean, groups.middle),
            observed_band=observed_band(measured, confidence, sampling=False),
            expected_band=expected_band(measured, confidence),
            population_band=observed_band(measured, confidence, sampling=True),
        )

    @property
    def error_by_chance(self) -> float:
        """Calibration error that a perfectly calibrated model shows on so many records.

        The positives of a group then differ from the sum of its scores by sampling alone, on
        average by sqrt(2 V / pi) if they are many, where V is the sum of p (1 - p), and by at most
        twice the number expected if they are few. Computed from released values, so that it costs
        no privacy. Scores are taken to spread within a group as `score_moments` takes them to.
        """
        half_width = np.maximum((self.upper - self.lower) / 2.0, 1e-300)
        position = (self.expected - (self.lower + self.upper) / 2.0) / half_width
        spread = ((1.0 - np.clip(position, -1.0, 1.0) ** 2) * half_width) ** 2 / 3.0
        p = self.expected
        variance = self.n * np.maximum(p * (1.0 - p) - spread, 0.0)
        few = 2.0 * self.n * np.minimum(p, 1.0 - p)
        off = np.minimum(np.sqrt(2.0 * variance / np.pi), few)
        return float(off.sum() / max(int(self.n.sum()), 1))

    def rows(self) -> list[dict[str, float | int | None]]:
        """One flat dictionary per group, for a table or a data frame; None where there is no rate.

        Examples
        --------
        >>> import pandas as pd
        >>> one = np.array([[0.0], [1.0]])
        >>> empty = CalibrationTable(
        ...     lower=one[0],
        ...     upper=one[1],
        ...     n=np.array([0]),
        ...     observed=np.array([np.nan]),
        ...     expected=np.array([0.5]),
        ...     observed_band=one,
        ...     expected_band=one,
        ...     population_band=one,
        ... )
        >>> pd.DataFrame(empty.rows())["observed"].isna().tolist()
        [True]
        """
        columns: dict[str, Any] = {"group": np.arange(1, self.n.size + 1)}
        for field in fields(self):
            values = getattr(self, field.name)
            if values.ndim == 2:
                columns |= {f"{field.name}_lower": values[0], f"{field.name}_upper": values[1]}
            else:
                columns[field.name] = values
        return [
            {name: _plain(values[row].item()) for name, values in columns.items()}
            for row in range(self.n.size)
        ]

    def as_json(self) -> dict[str, list[Any]]:
        """Plain lists by field; null where a group has no rate."""
        columns = {field.name: getattr(self, field.name).tolist() for field in fields(self)}
        return columns | {"observed": [_plain(rate) for rate in columns["observed"]]}

    @classmethod
    def from_json(cls, columns: Mapping[str, list[Any]]) -> CalibrationTable:
        """Read what `as_json` wrote."""
        arrays = {field.name: np.array(columns[field.name]) for field in fields(cls)}
        return cls(**arrays | {"observed": np.array(columns["observed"], dtype=np.float64)})


def _plain(value: Any) -> Any:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else value
