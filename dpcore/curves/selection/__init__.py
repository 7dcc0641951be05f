"""The computations behind the pages on feature selection: simulations, and nothing is released."""

from dpcore.curves.selection.accuracy import (
    accuracies,
    by_number,
    by_row_bound,
    by_share,
    by_total,
    without_selection,
)
from dpcore.curves.selection.free_selection import free_curve
from dpcore.curves.selection.score_errors import (
    ErrorPlan,
    contenders,
    read_item_counts,
    score_errors,
    zipf,
)
from dpcore.curves.selection.threshold_agreement import AgreementPlan, agreements
from dpcore.curves.selection.variants import cluster_odds, losses

__all__ = ["AgreementPlan", "ErrorPlan", "accuracies", "agreements", "by_number", "by_row_bound"]
__all__ += ["by_share", "by_total", "cluster_odds", "contenders", "free_curve", "losses"]
__all__ += ["read_item_counts", "score_errors", "without_selection", "zipf"]
