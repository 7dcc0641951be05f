"""Selection methods: one file each, and their words in ``words.toml``."""

from collections.abc import Callable
from typing import Any

from dpcore.registry import Registry, parameters_of
from dpcore.selection.problem import Selected, Selector

selectors = Registry("dpcore.selection.methods", "selection method")

# One of these rules tells a selector what to select: where none is given, its own first one.
RULES = {rule.name: rule for rule in parameters_of(__file__, "top_k", "threshold")}


def declared(name: str, run: Callable[..., Selected], **more: Any) -> Selector:
    """A selector whose title, summary and reference are those of ``words.toml``."""
    return Selector.told(name, __file__, run=run, **more)
