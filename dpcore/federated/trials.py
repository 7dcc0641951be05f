"""Before a federation is formed: how far off it is over many draws, and how much is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.federated.ecdf import TwoClassRates
from dpcore.federated.key_server import child_noise, intervals_of
from dpcore.federated.session import Holding, Plan
from dpcore.federated.trust_models import trust_models
from dpcore.mechanisms import Mechanism
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.postprocess import isotonic
from dpcore.privacy import Ledger
from dpcore.release import release

# Draws of the noise.
REDRAWS = 100


def federated_errors(
    stayed: Sequence[Holding],
    plan: Plan,
    points: int,
    *,
    honest: int,
    records: int | None = None,
    noise: NoiseSource,
) -> Mapping[str, FloatArray]:
    """Error of each redraw, sorted, by trust model: the largest of the curve, or that of the AUC.

    For simulations: the errors are exact.

    Parameters
    ----------
    stayed : sequence of Holding
        The parties that are there to the end.
    plan : Plan
        Of two classes for an ROC curve.
    points : int
        Of the grid.
    honest : int
        Parties of a masked sum that stay at least and keep what they know to themselves.
    records : int, optional
        The public number of records; else it is a noisy count.
    noise : NoiseSource
        Simulated.
    """
    cells, classes = ([getattr(one, name) for one in stayed] for name in ("cells", "classes"))
    joined = Holding(np.concatenate(cells), np.concatenate(classes))
    counts = joined.counts_up_to(np.arange(points), replace(plan, classes=2))
    counts = counts if plan.classes == 2 else counts.sum(axis=0, keepdims=True)
    found = {}
    roles_of: dict[str, tuple[Mechanism[IntArray, IntArray], int]] = {
        "trusted-curator": (plan.whole_noise(), 1),
        "secure-aggregation": (plan.share_of_noise(honest), len(stayed)),
        "function-secret-sharing": (plan.whole_noise(), 2),
    }
    for name, (mechanism, roles) in roles_of.items():
        owners = (f"redraws of {name}, role {role}" for role in range(roles))
        numbers = sum(_drawn(mechanism, plan, child_noise(noise, owner)) for owner in owners)
        places = intervals_of(np.arange(counts.shape[1]), plan.depth)
        noisy = counts + np.asarray(numbers)[:, :, places].sum(axis=3)
        if plan.classes == 2:
            area = TwoClassRates.of(counts).auc
            found[name] = np.sort([abs(TwoClassRates.of(one).auc - area) for one in noisy])
            continue
        truth = counts[0] / max(int(counts[0, -1]), 1)
        found[name] = np.sort([_error(row[0], truth, records) for row in noisy])
    return found


def _drawn(mechanism: Mechanism[IntArray, IntArray], plan: Plan, noise: NoiseSource) -> IntArray:
    """One role's noise of every interval, a row for each redraw."""
    zeros = np.zeros((REDRAWS, plan.classes, plan.intervals), dtype=np.int64)
    ledger = Ledger(plan.loss, plan.neighbors)
    return release(mechanism, zeros, label="simulated redraws", ledger=ledger, noise=noise).value


def _error(noisy: IntArray, truth: FloatArray, records: int | None) -> float:
    total = float(max(int(noisy[-1]) if records is None else records, 1))
    return float(np.abs(isotonic(noisy, low=0.0, high=total) / total - truth).max())


@dataclass(frozen=True)
class TrafficCost:
    """Messages and bytes between all roles, before the first evaluation and for each."""

    messages: int
    size: int
    each_messages: int
    each_size: int

    def total(self, evaluations: IntArray | int) -> Any:
        """Bytes for so many evaluations."""
        return self.size + self.each_size * evaluations


@lru_cache(maxsize=16)
def federated_costs(
    parties: int, capacity: int, depth: int, threshold: int, classes: int = 1
) -> Mapping[str, TrafficCost]:
    """Messages and bytes of each trust model, measured on records that are all alike."""
    alike = Holding(np.zeros(capacity, dtype=np.int64), np.zeros(capacity, dtype=np.int64))
    plan = Plan(depth=depth, classes=classes, epsilon=None)
    found = {}
    for name, method in trust_models().items():
        options = {"threshold": threshold} if name == "secure-aggregation" else {}
        formed = method.run([alike] * parties, plan, noise=SeededNoise(0), **options)
        before = len(formed.traffic.sent), sum(one.size for one in formed.traffic)
        formed.sums([0])
        after = len(formed.traffic.sent), sum(one.size for one in formed.traffic)
        found[name] = TrafficCost(*before, after[0] - before[0], after[1] - before[1])
    return found
