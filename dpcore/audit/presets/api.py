"""Finding the presets."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from dpcore.audit.presets.preset import Preset

__all__ = ["presets"]


@cache
def presets() -> dict[str, Preset]:
    """Every module of this package that declares ``PRESET``, by name.

    Examples
    --------
    >>> presets()["laplace"].title
    'Laplace, honest'
    """
    found: dict[str, Preset] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        preset = getattr(
            importlib.import_module(f"dpcore.audit.presets.{module.name}"), "PRESET", None
        )
        if isinstance(preset, Preset):
            found[preset.name] = preset
    return dict(sorted(found.items()))
