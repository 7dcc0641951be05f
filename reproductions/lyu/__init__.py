"""Experiments of Lyu, Su and Li 2017: one file each, ending in ``EXPERIMENT``."""
