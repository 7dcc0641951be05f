"""Private feature selection: one file per selector, one file per score."""

from dpcore.selection.binning import bin_numeric, bins_of_equal_width
from dpcore.selection.features import select_features
from dpcore.selection.metrics import (
    f1,
    false_negative_rate,
    jaccard,
    precision,
    recall,
    score_error_rate,
)
from dpcore.selection.run import selectors
from dpcore.selection.selection_release import SelectionRelease
from dpcore.selection.top_k import select_top_k
from dpcore.selection.trace import SparseVectorTrace, TracedQuery, trace_sparse_vector

__all__ = [
    "SelectionRelease",
    "SparseVectorTrace",
    "TracedQuery",
    "bin_numeric",
    "bins_of_equal_width",
    "f1",
    "false_negative_rate",
    "jaccard",
    "precision",
    "recall",
    "score_error_rate",
    "select_features",
    "select_top_k",
    "selectors",
    "trace_sparse_vector",
]
