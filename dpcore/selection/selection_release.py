"""The public result of a selection."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import DataError
from dpcore.privacy import Charge, charges_as_json, charges_from_json

__all__ = ["SelectionRelease"]


@dataclass(frozen=True)
class SelectionRelease:
    """Which features were selected, and what that cost.

    Parameters
    ----------
    selected : int array
        Column indices, increasing.
    scores : float array, shape (features,), or None
        The noisy scores if the method releases them; NaN where a feature was not scored.
    charges : tuple of Charge
    simulated : bool
        True if the noise can be repeated: such a selection must never be called private.
    method : str

    Examples
    --------
    >>> release = SelectionRelease(np.array([0, 2]), None, (), True, "best")
    >>> SelectionRelease.from_json(release.to_json()).selected.tolist()
    [0, 2]
    """

    selected: IntArray
    scores: FloatArray | None
    charges: tuple[Charge, ...]
    simulated: bool
    method: str

    def to_json(self) -> str:
        """The release as JSON text; a feature that was not scored has null."""
        scores = None
        if self.scores is not None:
            scores = [None if np.isnan(score) else float(score) for score in self.scores]
        return json.dumps(
            {
                "method": self.method,
                "selected": self.selected.tolist(),
                "scores": scores,
                "charges": charges_as_json(self.charges),
                "simulated": self.simulated,
            },
            sort_keys=True,
        )

    @classmethod
    def from_json(cls, text: str) -> SelectionRelease:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        try:
            document = json.loads(text)
            scores = document["scores"]
            return cls(
                selected=np.array(document["selected"], dtype=np.int64),
                # As a float, null is NaN.
                scores=None if scores is None else np.array(scores, dtype=np.float64),
                charges=charges_from_json(document["charges"]),
                simulated=bool(document["simulated"]),
                method=str(document["method"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                "this is not an exported selection",
                remedy="pass the text of SelectionRelease.to_json()",
            ) from error
