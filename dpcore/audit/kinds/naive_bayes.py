"""Naive Bayes method training."""

from __future__ import annotations

from dpcore.audit.kinds.kind import Kind
from dpcore.audit.kinds.models import odd_training_pairs, training_pairs, training_target
from dpcore.models import naive_bayes_methods

__all__ = ["KIND"]

KIND = Kind(
    name="naive Bayes method",
    package="dpcore.models.naive_bayes",
    methods=naive_bayes_methods,
    target=training_target,
    pairs=training_pairs,
    odd_pairs=odd_training_pairs,
)
