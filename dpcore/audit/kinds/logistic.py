"""Logistic method training."""

from __future__ import annotations

from dpcore.audit.kinds.kind import Kind
from dpcore.audit.kinds.models import odd_training_pairs, training_pairs, training_target
from dpcore.models import logistic_methods

__all__ = ["KIND"]

KIND = Kind(
    name="logistic method",
    package="dpcore.models.logistic",
    methods=logistic_methods,
    target=training_target,
    pairs=training_pairs,
    odd_pairs=odd_training_pairs,
)
