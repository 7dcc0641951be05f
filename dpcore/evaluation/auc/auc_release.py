"""A private AUC with its intervals, its account and its JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass

from dpcore.errors import DataError
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Charge, Neighbors, charges_as_json, charges_from_json

_PLAIN = ("auc", "negatives", "positives", "way", "confidence", "simulated")
_INTERVALS = ("interval", "population_interval")


@dataclass(frozen=True, kw_only=True)
class AucRelease:
    """A released area under the ROC curve: nothing in it is private.

    Parameters
    ----------
    auc : float
        Chance that a positive scores above a negative, ties one half.
    interval : (float, float)
        For the AUC of these very records: the noise alone.
    population_interval : (float, float)
        For the AUC among all whom they were drawn from, if independently: noise and sampling.
    negatives, positives : float
        Noisy sizes of the classes.
    way : {"pairs", "curve"}
        Whether pairs were counted, or the area was read off a private curve.
    confidence : float
        Of both intervals.
    charges : tuple of Charge
        What the ledger recorded.
    simulated : bool
        True if the noise can be repeated: such an area must never be called private.
    neighbors : Neighbors
    """

    auc: float
    interval: tuple[float, float]
    population_interval: tuple[float, float]
    negatives: float
    positives: float
    way: str
    confidence: float
    charges: tuple[Charge, ...]
    simulated: bool
    neighbors: Neighbors

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any area possible."""
        return leaves_everything(*self.interval)

    def to_json(self) -> str:
        """The release as JSON text."""
        document = {name: getattr(self, name) for name in (*_PLAIN, *_INTERVALS)}
        document |= {
            "neighbors": self.neighbors.value,
            "charges": charges_as_json(self.charges),
        }
        return json.dumps(document, allow_nan=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> AucRelease:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        try:
            document = json.loads(text)
            (low, high), (least, most) = (document[name] for name in _INTERVALS)
            return cls(
                **{name: document[name] for name in _PLAIN},
                interval=(float(low), float(high)),
                population_interval=(float(least), float(most)),
                neighbors=Neighbors.of(document["neighbors"]),
                charges=charges_from_json(document["charges"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                "this is not an exported AUC", remedy="pass the text of AucRelease.to_json()"
            ) from error
