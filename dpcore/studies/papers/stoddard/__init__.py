"""Experiments of Stoddard, Chen and Machanavajjhala 2014: one file each, ending in ``EXPERIMENT``."""
