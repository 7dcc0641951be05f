"""Holdout methods as targets."""

from __future__ import annotations

import numpy as np

from dpcore import SeededNoise
from dpcore.audit import kinds
from dpcore.privacy import Loss, Neighbors


def test_every_method_answers_and_declares_what_it_charges() -> None:
    kind = kinds()["holdout method"]
    losses = {}
    for method in kind.methods().values():
        target = kind.target(method, Neighbors.REPLACE)
        (pair,) = kind.pairs(method, Neighbors.REPLACE)
        losses[method.name] = target.loss
        for data in (pair.here, pair.there):
            rows = target.sample(data, 3, SeededNoise(0))
            assert rows.shape[0] == 3
            assert np.isfinite(rows).all()
    assert losses["thresholdout"] == Loss(1)
    assert losses["naive-reuse"] == Loss(0)
