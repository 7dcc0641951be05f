"""A sparse vector whose published epsilon is too small."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact import exact_loss
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.recipes.sparse_vectors import passes
from dpcore.audit.target import Target, mechanism_target
from dpcore.mechanisms import PublishedSparseVector
from dpcore.privacy import Guarantee, Loss, Neighbors

__all__ = ["PRESET"]

_CUTOFF, _FAILS = 10, 40
_MECHANISM = PublishedSparseVector(
    variant=4, epsilon=1, cutoff=_CUTOFF, threshold=0.0, neighbors=Neighbors.REPLACE
)


def _pair() -> Pair:
    here = np.repeat([0.0, 1.0], [_FAILS, _CUTOFF])
    return Pair(
        here=here,
        there=1.0 - here,
        words=f"{_FAILS} scores rise from 0 to 1, and {_CUTOFF} fall from 1 to 0",
        neighbors=Neighbors.REPLACE,
    )


def _target() -> Target:
    """The mechanism, held to the epsilon of its publication and not to its true loss."""
    own = mechanism_target(_MECHANISM, read=passes(_FAILS + _CUTOFF))
    return Target(
        name="sparse-vector-4 at its published epsilon",
        loss=Loss(1),
        guarantee=Guarantee.broken("its true loss is (1 + 6c)/4 times the published epsilon"),
        neighbors=own.neighbors,
        sample=own.sample,
    )


PRESET = Preset(
    name="sparse-vector-4",
    title="Sparse vector, the variants: noise that ignores the cut-off (Algorithm 4)",
    story=(
        "Its query noise does not grow with the number of answers. Held to the published epsilon "
        "of 1 it fails; this project declares the true loss, (1 + 6c)/4, which is 15.25 here."
    ),
    shows=("sparse-vector-4",),
    target=_target,
    pair=_pair,
    trials=20_000,
    exact=lambda: exact_loss(_MECHANISM, _pair()),
)
