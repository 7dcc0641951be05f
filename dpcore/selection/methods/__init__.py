"""Selection methods: one file each."""

from dpcore.registry import Registry

SELECTORS = Registry("dpcore.selection.methods", "selection method")
