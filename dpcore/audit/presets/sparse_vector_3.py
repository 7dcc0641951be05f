"""A sparse vector that answers with the noisy score itself."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact import exact_loss
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.recipes.sparse_vectors import passes
from dpcore.audit.target import mechanism_target
from dpcore.mechanisms import PublishedSparseVector
from dpcore.privacy import Neighbors

__all__ = ["PRESET"]

_FAILS = 30
_MECHANISM = PublishedSparseVector(
    variant=3, epsilon=1, cutoff=1, threshold=0.0, neighbors=Neighbors.REPLACE
)


def _pair() -> Pair:
    here = np.concatenate([np.zeros(_FAILS), [1.0]])
    return Pair(
        here=here,
        there=1.0 - here,
        words=f"{_FAILS} scores of 0 rise to 1, and one of 1 falls to 0",
        neighbors=Neighbors.REPLACE,
    )


PRESET = Preset(
    name="sparse-vector-3",
    title="Sparse vector, the variants: numeric answers (Algorithm 3)",
    story=(
        "The score that passed is answered with the noise that let it pass, so the noisy threshold "
        "lies below it. The breach is in rare answers: the exact loss shows it, draws hardly do."
    ),
    shows=("sparse-vector-3",),
    target=lambda: mechanism_target(_MECHANISM, name="sparse-vector-3", read=passes(_FAILS + 1)),
    pair=_pair,
    trials=20_000,
    drawn=False,
    exact=lambda: exact_loss(_MECHANISM, _pair()),
)
