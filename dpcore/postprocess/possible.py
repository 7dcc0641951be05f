"""What noise leaves possible: a share stays one, and an interval of everything is no result.

Whatever states a share with an interval (an AUC, a distribution function, a calibration error) asks
here whether it states anything, and says it in the one sentence that is written here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray

__all__ = ["as_share", "leaves_everything", "nothing_said"]


def leaves_everything(low: float, high: float) -> bool:
    """Whether an interval for a share holds all from 0 to 1, as two decimals write them.

    An interval that is not a number holds everything too.

    Examples
    --------
    >>> leaves_everything(0.004, 0.996), leaves_everything(0.1, 1.0), leaves_everything(-3, 7)
    (True, False, True)
    """
    return not (float(f"{low:.2f}") > 0.0 or float(f"{high:.2f}") < 1.0)


def nothing_said(what: str, possible: str, epsilon: str = "") -> str:
    """The sentence in place of a number that could be any number; at this epsilon if none is told.

    Examples
    --------
    >>> nothing_said("this curve", "any AUC", "0.01")
    'At epsilon 0.01 this curve says nothing: the noise leaves any AUC possible.'
    """
    where = f"At epsilon {epsilon}" if epsilon else "At this epsilon"
    return f"{where} {what} says nothing: the noise leaves {possible} possible."


def as_share(values: ArrayLike | Sequence[float]) -> FloatArray:
    """Estimates of shares, each moved to the nearest that is possible: into [0, 1].

    Noise may push an estimate that is not smoothed out of it. A share that is written is possible.

    Examples
    --------
    >>> as_share([-7195.6, 0.4, 1.2]).tolist()
    [0.0, 0.4, 1.0]
    """
    return np.clip(np.asarray(values, dtype=np.float64), 0.0, 1.0)
