"""The public terms of a federation of processes, as one JSON file that all of them read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.errors import DataError
from dpcore.federated.keys import KeySource, SeededKeys, SystemKeys
from dpcore.federated.session import Plan
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Neighbors

__all__ = ["PROTOCOLS", "Setup"]

PROTOCOLS = {"secure-aggregation": 1, "function-secret-sharing": 2}


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What every process knows.

    Parameters
    ----------
    protocol : str
        "secure-aggregation", with one server, or "function-secret-sharing", with two.
    parties : int
    low, high : float
        Public bounds of the values.
    points : int
        Of the grid between them.
    epsilon : str or None
        Exact decimal; None for exact counts, which need a seed.
    neighbors : str, default "add-remove"
    threshold : int
        Of secure aggregation.
    colluders : int, default 0
    capacity : int
        Of function secret sharing: no party has more records.
    seed : int or None
        Of simulated noise and keys; None for the system's.
    patience : float, default 10
        Seconds to wait for a message.
    """

    protocol: str
    parties: int
    low: float
    high: float
    points: int
    epsilon: str | None
    threshold: int
    capacity: int
    seed: int | None
    neighbors: str = Neighbors.ADD_REMOVE.value
    colluders: int = 0
    patience: float = 10.0

    def __post_init__(self) -> None:
        _check.one_of(PROTOCOLS, protocol=self.protocol)
        _check.integer_in_range(2, 10_000, parties=self.parties)
        _check.integer_in_range(2, self.parties, threshold=self.threshold)
        _check.integer_in_range(0, self.threshold - 1, colluders=self.colluders)
        _check.integer_in_range(2, 2**20, points=self.points)
        _check.integer_in_range(0, None, capacity=self.capacity)
        _check.finite(low=self.low, high=self.high)
        _check.positive(width=self.high - self.low, patience=self.patience)
        if self.epsilon is None and self.seed is None:
            # Real noise that is left out is no noise: only a simulation may do that.
            _check.integer_in_range(0, None, seed=self.seed)  # type: ignore[arg-type]
        self.plan()

    @property
    def servers(self) -> int:
        """How many servers the protocol has."""
        return PROTOCOLS[self.protocol]

    @property
    def grid(self) -> FloatArray:
        """The public grid."""
        return np.linspace(self.low, self.high, self.points)

    def plan(self) -> Plan:
        """The terms that all roles share."""
        return Plan(
            depth=(self.points - 1).bit_length(),
            epsilon=self.epsilon,
            neighbors=Neighbors.of(self.neighbors),
        )

    def noise(self, owner: str) -> NoiseSource:
        """A role's noise."""
        return SystemNoise() if self.seed is None else SeededNoise(self.seed).child(owner)

    def keys(self, owner: str) -> KeySource:
        """A role's key material."""
        return SystemKeys() if self.seed is None else SeededKeys(self.seed).child(owner)

    def to_json(self) -> str:
        """The file's text."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Setup:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise DataError(
                f"this is not the setup of a federation ({error})",
                remedy="print one with `python -m examples.federation setup`",
            ) from error
