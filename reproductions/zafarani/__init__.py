"""Experiments of Zafarani and Clifton 2020: one file each, ending in ``EXPERIMENT``."""
