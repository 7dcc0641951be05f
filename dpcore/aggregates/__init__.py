"""Exact one-pass sufficient statistics: what evaluators and models read instead of rows."""

from dpcore.aggregates.score_histogram import ScoreHistogram

__all__ = ["ScoreHistogram"]
