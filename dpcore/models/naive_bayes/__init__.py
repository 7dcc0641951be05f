"""Private naive Bayes: one file per training method."""

from dpcore.models.naive_bayes.estimator import DPNaiveBayes, naive_bayes_methods
from dpcore.models.naive_bayes.numeric_cells import naive_bayes_edges

__all__ = ["DPNaiveBayes", "naive_bayes_edges", "naive_bayes_methods"]
