"""Private evaluation of classifiers: what a curve or a table says, without what it gives away."""

from dpcore.evaluation.auc.api import AucRelease, auc_methods, private_auc
from dpcore.evaluation.calibration.calibration_release import (
    CalibrationRelease,
    calibration_methods,
    private_calibration,
)
from dpcore.evaluation.calibration.table import CalibrationTable
from dpcore.evaluation.decisions.comparison import ComparisonRelease, private_model_comparison
from dpcore.evaluation.decisions.confusion import ConfusionRelease, private_confusion_matrix
from dpcore.evaluation.decisions.group_release import GroupRelease
from dpcore.evaluation.decisions.groups import private_group_evaluation
from dpcore.evaluation.decisions.macro_auc import MacroAucRelease, private_macro_auc
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.evaluation.ecdf.api import private_class_ecdfs, private_ecdf
from dpcore.evaluation.ecdf.cell_counts import CellCounts, ecdf_of_scores
from dpcore.evaluation.ecdf.ecdf_release import EcdfRelease
from dpcore.evaluation.ecdf.hierarchical import log_grid, uniform_grid
from dpcore.evaluation.ecdf.histogram import HistogramRelease, private_histogram
from dpcore.evaluation.exact_scores import ExactScores, TrueCalibration, true_calibration
from dpcore.evaluation.holdout import NaiveReuse, Thresholdout, ZumelHoldout, holdout_methods
from dpcore.evaluation.roc.curve import RocCurve, roc_area_between
from dpcore.evaluation.roc.roc_release import RocRelease, private_roc_curve, roc_methods
from dpcore.evaluation.running_counts.api import (
    RunningCounter,
    RunningCounts,
    private_running_counts,
    running_count_methods,
)

__all__ = ["AucRelease", "CalibrationRelease", "CalibrationTable", "CellCounts"]
__all__ += ["ComparisonRelease", "ConfusionRelease", "EcdfRelease", "ExactScores", "GroupRelease"]
__all__ += ["HistogramRelease", "MacroAucRelease", "NaiveReuse", "RocCurve", "RocRelease"]
__all__ += ["RunningCounter", "RunningCounts", "Thresholdout", "TrueCalibration", "ZumelHoldout"]
__all__ += ["auc_methods", "calibration_methods", "ecdf_methods", "ecdf_of_scores"]
__all__ += ["holdout_methods", "log_grid", "private_auc", "private_calibration"]
__all__ += ["private_class_ecdfs", "private_confusion_matrix", "private_ecdf"]
__all__ += ["private_group_evaluation", "private_histogram", "private_macro_auc"]
__all__ += ["private_model_comparison", "private_roc_curve", "private_running_counts"]
__all__ += ["roc_area_between", "roc_methods", "running_count_methods", "true_calibration"]
__all__ += ["uniform_grid"]
