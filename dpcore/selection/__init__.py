"""Private feature selection: one file per selector, one file per score."""

from typing import TYPE_CHECKING, Any

from dpcore.mechanisms.threshold.sparse_vector_trace import SparseVectorTrace, TracedQuery
from dpcore.schema.bins import bin_numeric, bins_of_equal_width
from dpcore.selection.features import select_features, select_top_k
from dpcore.selection.methods import selectors
from dpcore.selection.problem import (
    f1,
    false_negative_rate,
    jaccard,
    precision,
    recall,
    score_error_rate,
)
from dpcore.selection.run import SelectionRelease, trace_sparse_vector
from dpcore.selection.scoring import RowBound, scored_records

if TYPE_CHECKING:
    from dpcore.selection.feature_selector import DPFeatureSelector
else:

    def __getattr__(name: str) -> Any:
        """Import the transformer when it is asked for: scikit-learn's selectors take a while."""
        if name != "DPFeatureSelector":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from dpcore.selection.feature_selector import DPFeatureSelector

        return DPFeatureSelector


__all__ = ["DPFeatureSelector", "RowBound", "SelectionRelease", "SparseVectorTrace", "TracedQuery"]
__all__ += ["bin_numeric", "bins_of_equal_width", "f1", "false_negative_rate", "jaccard"]
__all__ += ["precision", "recall", "score_error_rate", "scored_records", "select_features"]
__all__ += ["select_top_k", "selectors", "trace_sparse_vector"]
