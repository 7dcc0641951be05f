"""The computations behind the pages on feature selection: simulations, and nothing is released."""

from dpcore.curves.selection.accuracy import (
    AccuracyCell,
    Variation,
    accuracies,
    by_number,
    by_row_bound,
    by_share,
    by_total,
    without_selection,
)
from dpcore.curves.selection.free_selection import FreeCurve, free_curve
from dpcore.curves.selection.score_errors import (
    Contender,
    ErrorPlan,
    ItemCounts,
    contenders,
    read_item_counts,
    score_errors,
    zipf,
)
from dpcore.curves.selection.threshold_agreement import Agreement, AgreementPlan, agreements
from dpcore.curves.selection.variants import ClusterOdds, Series, cluster_odds, losses

__all__ = [
    "AccuracyCell",
    "Agreement",
    "AgreementPlan",
    "ClusterOdds",
    "Contender",
    "ErrorPlan",
    "FreeCurve",
    "ItemCounts",
    "Series",
    "Variation",
    "accuracies",
    "agreements",
    "by_number",
    "by_row_bound",
    "by_share",
    "by_total",
    "cluster_odds",
    "contenders",
    "free_curve",
    "losses",
    "read_item_counts",
    "score_errors",
    "without_selection",
    "zipf",
]
