"""Sets of selected features."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore._typing import IntArray
from dpcore.data.reading.problems import count_of
from dpcore.figures import Picture, Theme, features_picture
from dpcore.noise import SeededNoise
from dpcore.publications.publication import Found, Measured, Publication, Row, fitted_as_json
from dpcore.selection import select_features
from dpcore.study import WorkflowResult

# So much that the noise changes nothing: the comparison of a simulation with its truth.
_NOISELESS = 10**6
_SHARED = ("score", "top_k", "threshold", "max_nonzeros")


def of_study(result: WorkflowResult) -> Found:
    """The choice of a study."""
    assert result.selection is not None
    return Found(
        epsilon=result.config.epsilon.selection,
        noise=str(result.config.noise),
        features=result.feature_names,
        selected=result.selected_names,
        scores=json.loads(result.selection.to_json())["scores"],
    )


def _load(result: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(result["features"]["selected"])


def _table(found: Found) -> tuple[Row, list[Row]]:
    """Every feature, whether it was selected, and its noisy score if that was released."""
    selected, scores = set(found.selected), found.scores
    rows: list[Row] = [
        (name, str(name in selected).lower(), scores[index] if scores else None)
        for index, name in enumerate(found.features)
    ]
    return ("feature", "selected", "noisy_score"), rows


def _headline(found: Found) -> str:
    kept = len(found.numbers)
    comes = "comes" if kept == 1 else "come"
    besides = f"; {count_of(kept, 'number')}, which no selection leaves out, {comes} besides"
    chosen, every = len(found.selected) - kept, len(found.features) - kept
    return f"{chosen} of {every} features are selected{besides if kept else ''}."


def picture(found: Found, theme: Theme, *, score_name: str = "noisy score") -> Picture | None:
    """The features that score highest; None if their scores were not released."""
    if found.scores is None:
        return None
    scores = np.array([np.nan if score is None else score for score in found.scores], dtype=float)
    # Numeric features are kept without a score.
    scored = np.flatnonzero(np.isfinite(scores))
    names = [found.features[index] for index in scored]
    chosen = np.flatnonzero(np.isin(names, found.selected))
    return features_picture(
        names, scores[scored], chosen, theme=theme, score_name=score_name, simulated=found.simulated
    )


def _exact(outcome: WorkflowResult) -> IntArray:
    """The choice without noise, the best feature first."""
    assert outcome.prepared is not None
    train, told = outcome.prepared.train, outcome.config.selection.parameters
    chosen = select_features(
        train.matrix,
        train.y,
        method="noisy-scores",
        epsilon=_NOISELESS,
        space=train.space,
        neighbors=outcome.config.neighbors,
        noise=SeededNoise(0),
        **{name: told[name] for name in _SHARED if name in told},
    )
    assert chosen.scores is not None
    return chosen.selected[np.argsort(-chosen.scores[chosen.selected], kind="stable")]


def _measure(outcome: WorkflowResult) -> Measured:
    assert outcome.prepared is not None
    assert outcome.selection is not None
    kinds = np.array([feature.kind for feature in outcome.prepared.train.space.features])
    best = _exact(outcome)
    best = best[kinds[best] == "indicator"]
    found = outcome.selection.selected
    found = found[kinds[found] == "indicator"]
    if best.size == 0:
        return Measured(float(found.size == 0), float(found.size > 0))
    hits = np.isin(best, found)
    either = np.union1d(best, found).size
    rank = np.arange(1, best.size + 1)
    curve = {"x": rank / best.size, "y": np.cumsum(hits) / rank}
    return Measured(float(hits.sum()) / either, 1.0 - float(hits.mean()), **curve)


PUBLICATION = Publication.told(
    "features", _table, _headline, _measure, picture, result=fitted_as_json, load=_load
)
