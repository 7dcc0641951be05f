"""Exact one-pass sufficient statistics: what evaluators and models read instead of rows."""

from dpcore.aggregates.class_counts import FeatureCounts
from dpcore.aggregates.feature_histograms import FeatureHistograms
from dpcore.aggregates.moments import Moments
from dpcore.aggregates.score_histogram import ScoreHistogram

__all__ = ["FeatureCounts", "FeatureHistograms", "Moments", "ScoreHistogram"]
