"""Finding the presets."""

from __future__ import annotations

from functools import cache

from dpcore.audit.presets.preset import Preset
from dpcore.registry import discover

__all__ = ["presets"]


@cache
def presets() -> dict[str, Preset]:
    """Every module of this package that declares ``PRESET``, by name.

    Examples
    --------
    >>> presets()["laplace"].title
    'Laplace, honest'
    """
    found = {preset.name: preset for preset in discover("dpcore.audit.presets", "PRESET", Preset)}
    return dict(sorted(found.items()))
