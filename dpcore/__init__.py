"""dpcore: train and evaluate classifiers on private data, and say honestly how private they are."""

from dpcore.noise import SeededNoise, SystemNoise
from dpcore.privacy import Charge, Guarantee, Ledger, Loss, Neighbors, Part

__all__ = [
    "Charge",
    "Guarantee",
    "Ledger",
    "Loss",
    "Neighbors",
    "Part",
    "SeededNoise",
    "SystemNoise",
]

__version__ = "0.1.0"
