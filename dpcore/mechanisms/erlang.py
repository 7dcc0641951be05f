"""Waiting times: Gamma variables of whole shape."""

from __future__ import annotations

import numpy as np

from dpcore.noise import NoiseSource


def erlang(shape: int, noise: NoiseSource) -> float:
    """Draw from the Gamma law of a whole shape and unit rate: a sum of exponential variables.

    Notes
    -----
    Each of the variables is cut at -log(2^-53), about 36.7, by the resolution of uniform numbers.
    The cut has probability below 2^-52 per variable, and is the same on every data set.

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> erlang(5, SeededNoise(0)) > 0
    True
    """
    return float(-np.log(noise.uniform(shape)).sum())
