"""Running counts with noise along dyadic intervals (Theorem 0.A.1): Laplace, or Gaussian (zCDP)."""

from collections.abc import Callable

from dpcore._typing import IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import DyadicPrefixes, GaussianPrefixes
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate


def prefixes_of(method: str, loss: Loss, neighbors: Neighbors) -> DyadicPrefixes | GaussianPrefixes:
    """What a method draws with.

    Raises
    ------
    InvalidArgument
        If Laplace noise is given a delta, which it has no use for, or Gaussian noise none.
    """
    if method == "gaussian":
        return GaussianPrefixes(epsilon=loss.epsilon, delta=loss.delta, neighbors=neighbors)
    if loss.delta:
        raise InvalidArgument("delta", float(loss.delta), "0 for Laplace noise")
    return DyadicPrefixes(epsilon=loss.epsilon, neighbors=neighbors)


def _with(method: str) -> Callable[..., IntArray]:
    """Add up, and give every sum the noise of all dyadic intervals that hold its step.

    Parameters
    ----------
    counts : int array, shape (steps,)

    Returns
    -------
    int array, shape (steps,)

    Sensitivity
        See `DyadicPrefixes`: one event more or less moves ceil((L + 1) / 2) noise variables by one;
        for `GaussianPrefixes` that is the square root of it in L2.
    Privacy
        One charge, "running counts", of the whole loss.
    """

    def run(counts: IntArray, *, loss: Loss, gate: Gate) -> IntArray:
        mechanism = prefixes_of(method, loss, gate.neighbors)
        return gate.release(mechanism, counts, label="running counts")

    return run


METHOD = (
    Method.told("gaussian", __file__, run=_with("gaussian"), guarantee=GaussianPrefixes.guarantee),
    Method.told("laplace", __file__, run=_with("laplace"), guarantee=DyadicPrefixes.guarantee),
)
