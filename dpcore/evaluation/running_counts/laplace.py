"""Running counts with Laplace noise along dyadic intervals (Theorem 0.A.1)."""

from __future__ import annotations

from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import DyadicPrefixes
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def run(counts: IntArray, *, loss: Loss, gate: Gate) -> IntArray:
    """Add up, and give every sum the noise of all dyadic intervals that hold its step.

    Parameters
    ----------
    counts : int array, shape (steps,)
    loss
        Without delta.

    Returns
    -------
    int array, shape (steps,)

    Raises
    ------
    InvalidArgument
        If a delta is given: this noise has no use for it.

    Sensitivity
        See `DyadicPrefixes`: one event more or less moves ceil((L + 1) / 2) noise variables.
    Privacy
        One charge, "running counts", of the whole loss.
    """
    if loss.delta:
        raise InvalidArgument("delta", float(loss.delta), "0 for Laplace noise")
    mechanism = DyadicPrefixes(epsilon=loss.epsilon, neighbors=gate.neighbors)
    return gate.release(mechanism, counts, label="running counts")


METHOD = Method(
    name="laplace",
    title="Laplace noise",
    summary="Pure epsilon: Laplace noise shared along dyadic intervals of time.",
    run=run,
    guarantee=DyadicPrefixes.guarantee,
    reference="Barczewski, Mawass and Ramon, Theorem 0.A.1",
)
