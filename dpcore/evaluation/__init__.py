"""Private evaluation of classifiers: what a ROC curve says, without what it gives away."""

from dpcore.evaluation.roc.api import private_roc_curve, roc_methods
from dpcore.evaluation.roc.compare import roc_area_between
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.evaluation.roc.roc_release import RocRelease

__all__ = ["RocCurve", "RocRelease", "private_roc_curve", "roc_area_between", "roc_methods"]
