"""Noisy medians with the printed noise."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact import exact_loss
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import mechanism_target
from dpcore.mechanisms import PublishedSmoothMedians
from dpcore.privacy import Neighbors

__all__ = ["PRESET"]

_LEVELS = 10
_MECHANISM = PublishedSmoothMedians(
    epsilon=1,
    selection_epsilon=_LEVELS,
    positions=np.linspace(0.0, 1.0, 9),
    cuts=np.array([0, 8]),
    neighbors=Neighbors.REPLACE,
)


def _pair() -> Pair:
    """Records in the cells 1 and 6, and then both in cell 6."""
    here = np.concatenate([[0], np.cumsum([1, 0, 0, 0, 0, 1, 0, 0])])
    there = np.concatenate([[0], np.cumsum([0, 0, 0, 0, 0, 2, 0, 0])])
    return Pair(
        here=here,
        there=there,
        words="one of two scores moves from 0.06 to 0.69, beside the other",
        neighbors=Neighbors.REPLACE,
    )


PRESET = Preset(
    name="recursive-medians",
    title="Cauchy noise at the published scale: medians",
    story=(
        "The noise follows the data so closely that its width alone says which data set it was; "
        "with ten levels the printed factor is too small besides."
    ),
    shows=("recursive-medians-published", "PublishedSmoothMedians"),
    target=lambda: mechanism_target(_MECHANISM),
    pair=_pair,
    trials=4000,
    exact=lambda: exact_loss(_MECHANISM, _pair()),
)
