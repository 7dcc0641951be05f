"""Attacks worth watching: a target, a pair, and the story that they tell."""

from dpcore.audit.presets.api import presets
from dpcore.audit.presets.preset import Preset

__all__ = ["Preset", "presets"]
