"""Exact output probabilities of the sparse vector variants, and what they lose: no noise is drawn.

These are functions of public example scores, for tests, the audit and teaching; none of them is a
release.
"""

from dpcore.selection.exact.comparisons import Asked, Comparisons
from dpcore.selection.exact.counterexamples import Counterexample, counterexample
from dpcore.selection.exact.laws import (
    Law,
    law,
    log_probability,
    loss_between,
    neighbors_of,
    worst_loss,
)
from dpcore.selection.exact.one_round import acceptance, accepted, only_the_second, passing_law

__all__ = [
    "Asked",
    "Comparisons",
    "Counterexample",
    "Law",
    "acceptance",
    "accepted",
    "counterexample",
    "law",
    "log_probability",
    "loss_between",
    "neighbors_of",
    "only_the_second",
    "passing_law",
    "worst_loss",
]
