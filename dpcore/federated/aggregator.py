"""The one operation of a federation, and what every trust model has in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument, NotPrivate
from dpcore.federated.keys import KeySource, SeededKeys, SystemKeys
from dpcore.federated.plan import Plan
from dpcore.federated.traffic import Traffic
from dpcore.federated.words import Words
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Charge, Ledger, Part
from dpcore.release import open_gate

__all__ = ["Account", "Aggregator", "checked_points"]


class Aggregator(Protocol):
    """UStat(phi, X, eta) of Barczewski et al., for phi "lies in a cell up to this one".

    Everything that is built on it inherits its trust model: `TrustedCurator`, `SecureAggregation`
    and `FunctionSecretSharing` are interchangeable.
    """

    @property
    def plan(self) -> Plan:
        """The public terms."""

    @property
    def full_noises(self) -> float:
        """How many times the noise that one curator would add is in every count."""

    @property
    def simulated(self) -> bool:
        """Whether the noise can be repeated."""

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What all evaluations together cost, charged when the federation was formed."""

    @property
    def traffic(self) -> Traffic:
        """Every message so far."""

    @property
    def seen(self) -> dict[str, Words]:
        """What the curious would see: for each role, numbers that it got from others."""

    def sums(self, points: Sequence[int] | IntArray) -> IntArray:
        """Noisy numbers of records in the cells up to each point, shape (classes, points)."""


@dataclass(frozen=True)
class Account:
    """Noise and keys of a federation, opened with its one charge.

    Privacy
        The loss of the plan is charged to the ledger before any role draws; each role then draws
        on an account of its own, of the same size.
    """

    noise: NoiseSource
    keys: KeySource
    charges: tuple[Charge, ...]

    @classmethod
    def opened(
        cls,
        plan: Plan,
        *,
        name: str,
        noise: NoiseSource | None,
        keys: KeySource | None = None,
        ledger: Ledger | None = None,
        part: Part | None = None,
    ) -> Account:
        """Check, charge, and hand out the sources of randomness.

        Raises
        ------
        NotPrivate
            If exact counts or repeatable keys meet real noise.
        BudgetExceeded, NeighborsMismatch, MovablePart
        """
        source = noise if noise is not None else SystemNoise()
        if plan.epsilon is None and not source.simulated:
            raise NotPrivate("exact federated counts", "nothing hides a record")
        if keys is None:
            keys = SeededKeys(source.seed) if isinstance(source, SeededNoise) else SystemKeys()
        if keys.simulated and not source.simulated:
            raise NotPrivate("a federation with repeatable keys", "anyone can take the masks off")
        if plan.epsilon is None:
            return cls(source, keys, ())
        gate = open_gate(
            plan.loss, neighbors=plan.neighbors, noise=source, ledger=ledger, part=part
        )
        charge = Charge("federated counts", name, plan.loss, part)
        gate.ledger.spend(charge)
        return cls(source, keys, (charge,))


def checked_points(points: Sequence[int] | IntArray, plan: Plan) -> IntArray:
    """Points as an array, or `InvalidArgument` unless they are cells of the grid."""
    asked = np.asarray(points)
    whole = np.issubdtype(asked.dtype, np.integer)
    if asked.ndim != 1 or not asked.size or not whole:
        raise InvalidArgument("points", points, "a vector of whole numbers")
    if asked.min() < 0 or asked.max() >= plan.cells:
        raise InvalidArgument("points", points, f"cells from 0 to {plan.cells - 1}")
    return asked.astype(np.int64)
