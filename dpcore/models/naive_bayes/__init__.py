"""Private naive Bayes: one file per training method."""

from dpcore.models.grid import naive_bayes_edges
from dpcore.models.naive_bayes.estimator import DPNaiveBayes, naive_bayes_methods

__all__ = ["DPNaiveBayes", "naive_bayes_edges", "naive_bayes_methods"]
