"""Attacks worth watching: a target, a pair, and the story that they tell."""

from dpcore.audit.demonstrations.demonstration import Preset, presets

__all__ = ["Preset", "presets"]
