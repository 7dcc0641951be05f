"""Selection methods: one file each."""

from dpcore.registry import Registry

selectors = Registry("dpcore.selection.methods", "selection method")
