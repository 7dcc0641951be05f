"""How far off a federation's curve is over many draws of its noise: no Streamlit in here.

One draw says little: a curator may be unlucky where secure aggregation is not. The protocols are
not run again for each draw; their noise is drawn as their roles draw it, and added up.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.federated import Plan
from dpcore.federated.interval_noise import child_noise, intervals_of
from dpcore.mechanisms import Mechanism
from dpcore.noise import NoiseSource
from dpcore.postprocess import isotonic
from dpcore.privacy import Ledger
from dpcore.release import release
from pages.federated_ecdf.choices import FederatedChoice

REDRAWS = 100


def errors(
    choice: FederatedChoice,
    counts: IntArray,
    plan: Plan,
    *,
    records: int | None,
    noise: NoiseSource,
) -> Mapping[str, FloatArray]:
    """Largest error of each redraw, sorted, by trust model.

    Parameters
    ----------
    choice : FederatedChoice
    counts : int array, shape (points,)
        Exact numbers of records up to each grid point.
    plan : Plan
    records : int, optional
        The public number of records; else it is a noisy count.
    noise : NoiseSource
        Simulated.
    """
    found = {}
    for name, (mechanism, roles) in _roles(choice, plan).items():
        numbers = sum(
            _drawn(mechanism, plan, child_noise(noise, f"redraws of {name}, role {role}"))
            for role in range(roles)
        )
        places = intervals_of(np.arange(counts.size), plan.depth)
        noisy = counts + np.asarray(numbers)[:, places].sum(axis=2)
        truth = counts / max(int(counts[-1]), 1)
        found[name] = np.sort([_error(row, truth, records) for row in noisy])
    return found


def _roles(
    choice: FederatedChoice, plan: Plan
) -> dict[str, tuple[Mechanism[IntArray, IntArray], int]]:
    """What draws the noise in each trust model, and how many draw it."""
    masked = choice.trust.name == "secure-aggregation"
    honest = choice.threshold - (choice.colluders if masked else 0)
    stayed = choice.parties - (choice.lost if masked else 0)
    return {
        "trusted-curator": (plan.whole_noise(), 1),
        "secure-aggregation": (plan.share_of_noise(honest), stayed),
        "function-secret-sharing": (plan.whole_noise(), 2),
    }


def _drawn(mechanism: Mechanism[IntArray, IntArray], plan: Plan, noise: NoiseSource) -> IntArray:
    """One role's noise of every interval, a row for each redraw."""
    zeros = np.zeros((REDRAWS, plan.intervals), dtype=np.int64)
    ledger = Ledger(plan.loss, plan.neighbors)
    return release(mechanism, zeros, label="simulated redraws", ledger=ledger, noise=noise).value


def _error(noisy: IntArray, truth: FloatArray, records: int | None) -> float:
    total = float(max(int(noisy[-1]) if records is None else records, 1))
    curve = isotonic(noisy, low=0.0, high=total) / total
    return float(np.abs(curve - truth).max())
