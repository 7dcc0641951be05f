"""Holdout sets that are asked again and again: what may be asked, and what it costs."""

from dpcore.evaluation.holdout.naive_reuse import NaiveReuse
from dpcore.evaluation.holdout.thresholdout import Thresholdout
from dpcore.evaluation.holdout.zumel_published import ZumelHoldout
from dpcore.registry import Registry

__all__ = ["NaiveReuse", "Thresholdout", "ZumelHoldout", "holdout_methods"]

holdout_methods = Registry("dpcore.evaluation.holdout", "holdout method")
