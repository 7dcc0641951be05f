"""dpcore: train and evaluate classifiers on private data, and say honestly how private they are."""

from dpcore.noise import SeededNoise, SystemNoise
from dpcore.privacy import Charge, Guarantee, Ledger, Loss, Neighbors, Part
from dpcore.schema import Schema
from dpcore.store import LedgerStore

__all__ = [
    "Charge",
    "Guarantee",
    "Ledger",
    "LedgerStore",
    "Loss",
    "Neighbors",
    "Part",
    "Schema",
    "SeededNoise",
    "SystemNoise",
]

__version__ = "0.1.0"
