"""Experiments of Barczewski, Mawass and Ramon: one file each, ending in ``EXPERIMENT``."""
