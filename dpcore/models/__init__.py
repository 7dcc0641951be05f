"""Private classifiers with scikit-learn's interface: one folder per model, one file per method."""

from dpcore.models.classifier import DPClassifier, classifier_methods
from dpcore.models.logistic import DPLogisticRegression, logistic_methods
from dpcore.models.naive_bayes import DPNaiveBayes, naive_bayes_edges, naive_bayes_methods

__all__ = ["DPClassifier", "DPLogisticRegression", "DPNaiveBayes", "classifier_methods"]
__all__ += ["logistic_methods", "naive_bayes_edges", "naive_bayes_methods"]
