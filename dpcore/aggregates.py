"""Exact one-pass counts: the public name of `dpcore.data.counting`."""

from dpcore.data.counting import FeatureCounts, FeatureHistograms, Moments, ScoreHistogram

__all__ = ["FeatureCounts", "FeatureHistograms", "Moments", "ScoreHistogram"]
