"""Experiments of Zumel 2015 and Dwork et al. 2015: one file each, ending in ``EXPERIMENT``."""
