"""Running counts with Gaussian noise along dyadic intervals (Theorem 0.A.1, zCDP)."""

from __future__ import annotations

from dpcore._typing import IntArray
from dpcore.mechanisms import GaussianPrefixes
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def run(counts: IntArray, *, loss: Loss, gate: Gate) -> IntArray:
    """Add up, and give every sum the noise of all dyadic intervals that hold its step.

    Parameters
    ----------
    counts : int array, shape (steps,)
    loss
        With a positive delta.

    Returns
    -------
    int array, shape (steps,)

    Raises
    ------
    InvalidArgument
        If there is no delta.

    Sensitivity
        See `GaussianPrefixes`: one event more or less moves ceil((L + 1) / 2) noise variables by
        one, which is the square root of that in L2.
    Privacy
        One charge, "running counts", of the whole loss.
    """
    mechanism = GaussianPrefixes(epsilon=loss.epsilon, delta=loss.delta, neighbors=gate.neighbors)
    return gate.release(mechanism, counts, label="running counts")


METHOD = Method(
    name="gaussian",
    title="Gaussian noise",
    summary="Epsilon and a small delta: Gaussian noise shared along dyadic intervals of time.",
    run=run,
    guarantee=GaussianPrefixes.guarantee,
    reference="Barczewski, Mawass and Ramon, Theorem 0.A.1",
)
