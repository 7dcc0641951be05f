"""Exact one-pass sufficient statistics: what evaluators and models read instead of rows."""

from dpcore.data.counting.feature_aggregates import FeatureCounts, FeatureHistograms, Moments
from dpcore.data.counting.score_histogram import ScoreHistogram

__all__ = ["FeatureCounts", "FeatureHistograms", "Moments", "ScoreHistogram"]
