"""Haar wavelets (Privelet): noise on the coefficients of the counts."""

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import HaarCounts
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def run(counts: IntArray, *, loss: Loss, gate: Gate) -> FloatArray:
    """Noise the wavelet coefficients of the counts, transform back, and add up.

    Sensitivity
        L1 of the counts: add-remove 1, replace 2; of the coefficients see `HaarCounts`. Under
        replace the sum of all counts is public and its coefficient superfluous; Privelet has it.
    Privacy
        One charge, "wavelet coefficients", of the whole loss.

    References
    ----------
    X. Xiao, G. Wang, J. Gehrke (2011), Differential privacy via wavelet transforms, IEEE TKDE
    23(8). doi:10.1109/TKDE.2010.247
    """
    mechanism = HaarCounts(l1_sensitivity=gate.neighbors.steps, **gate.terms(loss))
    noisy = gate.release(mechanism, counts[np.newaxis], label="wavelet coefficients")
    return np.cumsum(noisy[0])


METHOD = Method.told("haar", __file__, run=run, guarantee=HaarCounts.guarantee)
