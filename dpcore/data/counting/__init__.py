"""Exact one-pass sufficient statistics: what evaluators and models read instead of rows."""

from dpcore.data.counting.class_counts import FeatureCounts
from dpcore.data.counting.feature_histograms import FeatureHistograms
from dpcore.data.counting.moments import Moments
from dpcore.data.counting.score_histogram import ScoreHistogram

__all__ = ["FeatureCounts", "FeatureHistograms", "Moments", "ScoreHistogram"]
