"""Scores of features: one file each."""

from dpcore.registry import Registry

SCORES = Registry("dpcore.selection.scores", "score")
