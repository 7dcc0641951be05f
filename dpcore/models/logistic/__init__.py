"""Private logistic regression: one file per training method."""

from dpcore.models.logistic.estimator import DPLogisticRegression, logistic_methods

__all__ = ["DPLogisticRegression", "logistic_methods"]
