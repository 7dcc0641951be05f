"""Holdout methods: values of holdout records for a few questions in, answers out."""

from __future__ import annotations

from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.kinds.kind import EPSILON, Kind, ledger_target
from dpcore.audit.mechanism_cases.score_cases import holdout_pair
from dpcore.audit.outputs import numbers
from dpcore.audit.pair import Pair
from dpcore.audit.target import Target
from dpcore.evaluation.holdout import holdout_methods
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors
from dpcore.registry import Method

__all__ = ["KIND"]

_QUESTIONS, _RECORDS = 4, 10
# One correction and noise of twice a record's share: epsilon is 1, as it is for the others' noise.
_SIGMA = Fraction(1, 5)
_CHOSEN = {"budget": 1, "questions": _QUESTIONS, "tolerance": "0.8"}


def _target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    taken = signature(method.run).parameters
    known = _CHOSEN | {"sigma": _SIGMA / epsilon}
    chosen = {name: value for name, value in known.items() if name in taken}

    def call(holdout: Any, noise: NoiseSource, ledger: Ledger) -> FloatArray:
        # What publishes exact values has nothing to charge.
        account = {"ledger": ledger} if "ledger" in taken else {}
        values = np.asarray(holdout, dtype=np.float64)
        records = np.arange(values.shape[1])
        opened = method.run(records, records, noise=noise, **account, **chosen)
        return numbers(opened.answers(np.zeros_like(values), values))

    return ledger_target(method, neighbors, call, _pairs(method, neighbors)[0].here)


def _pairs(method: Method, neighbors: Neighbors) -> tuple[Pair, ...]:
    return (holdout_pair(_QUESTIONS, _RECORDS),)


KIND = Kind(
    name="holdout method",
    package="dpcore.evaluation.holdout",
    methods=holdout_methods,
    target=_target,
    pairs=_pairs,
)
