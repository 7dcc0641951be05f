"""Sets of selected features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore._typing import IntArray
from dpcore.desk.outcome import Outcome
from dpcore.desk.publication import Measured, Publication
from dpcore.desk.publications.fitted import feature_rows, fitted_as_json
from dpcore.noise import SeededNoise
from dpcore.selection import select_features

__all__ = ["PUBLICATION"]

# So much that the noise changes nothing: the comparison of a simulation with its truth.
_NOISELESS = 10**6
_SHARED = ("score", "top_k", "threshold", "max_nonzeros")


def _load(result: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(result["features"]["selected"])


def _headline(result: Mapping[str, Any]) -> str:
    features = result["features"]
    return f"{len(features['selected'])} of {len(features['all'])} features are selected."


def _exact(outcome: Outcome) -> IntArray:
    """The choice without noise, the best feature first."""
    assert outcome.prepared is not None
    train, told = outcome.prepared.train, outcome.study.selection.parameters
    chosen = select_features(
        train.matrix,
        train.y,
        method="noisy-scores",
        epsilon=_NOISELESS,
        space=train.space,
        neighbors=outcome.study.neighbors,
        noise=SeededNoise(0),
        **{name: told[name] for name in _SHARED if name in told},
    )
    assert chosen.scores is not None
    return chosen.selected[np.argsort(-chosen.scores[chosen.selected], kind="stable")]


def _measure(outcome: Outcome) -> Measured:
    assert outcome.prepared is not None
    assert outcome.selection is not None
    kinds = np.array([feature.kind for feature in outcome.prepared.train.space.features])
    best = _exact(outcome)
    best = best[kinds[best] == "indicator"]
    found = outcome.selection.selected
    found = found[kinds[found] == "indicator"]
    if best.size == 0:
        return Measured(float(found.size == 0), 0.0)
    hits = np.isin(best, found)
    either = np.union1d(best, found).size
    rank = np.arange(1, best.size + 1)
    return Measured(
        value=float(hits.sum()) / either,
        error=1.0 - float(hits.mean()),
        x=rank / best.size,
        y=np.cumsum(hits) / rank,
    )


PUBLICATION = Publication(
    name="features",
    title="Selected features",
    summary="Which features stand out, by the study's selection method.",
    phases=("selection",),
    unit="share of the best features missed",
    quantity="the Jaccard index with the choice without noise",
    result=fitted_as_json,
    load=_load,
    table=feature_rows,
    headline=_headline,
    measure=_measure,
)
