"""Experiments of Stoddard et al. 2014: one file each, ending in ``EXPERIMENT``."""
