"""Standard deviations with Cauchy noise at the printed scale."""

from __future__ import annotations

import numpy as np

from dpcore.audit.exact import exact_loss
from dpcore.audit.pair import Pair
from dpcore.audit.presets.preset import Preset
from dpcore.audit.target import mechanism_target
from dpcore.mechanisms.smooth.cauchy import PublishedSmoothCauchy
from dpcore.mechanisms.smooth.noise import Grouped
from dpcore.mechanisms.smooth.spread import Deviation

__all__ = ["PRESET"]

_LOW = 5 * (-1.0,)
_MECHANISM = PublishedSmoothCauchy(epsilon=0.1, statistic=Deviation())


def _grouped(*values: float) -> Grouped:
    return Grouped(np.array(values).reshape(-1, 1), np.zeros(len(values), dtype=np.int64))


def _pair() -> Pair:
    return Pair(
        here=_grouped(*_LOW),
        there=_grouped(*_LOW, 1.0),
        words="five numbers at the lower bound, and one at the upper bound more",
    )


PRESET = Preset(
    name="smooth-published",
    title="Cauchy noise at the published scale",
    story=(
        "With beta = epsilon no Cauchy noise is private, whatever its factor. The breach is a few "
        "per cent of epsilon: the exact loss proves it, where draws would need many millions."
    ),
    shows=("smooth-published", "PublishedSmoothCauchy"),
    target=lambda: mechanism_target(_MECHANISM),
    pair=_pair,
    trials=20_000,
    drawn=False,
    exact=lambda: exact_loss(_MECHANISM, _pair()),
)
