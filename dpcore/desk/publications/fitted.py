"""What comes along with every release that trains: features and model, which cost nothing more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dpcore.desk.outcome import Outcome
from dpcore.desk.publication import Cells

__all__ = ["feature_rows", "fitted_as_json"]


def fitted_as_json(outcome: Outcome) -> dict[str, Any]:
    """Features and model as JSON types; empty for predictions."""
    found: dict[str, Any] = {}
    if outcome.selection is not None:
        found["features"] = {
            "all": list(outcome.feature_names),
            "selected": list(outcome.selected_names),
            "scores": json.loads(outcome.selection.to_json())["scores"],
        }
    if outcome.model is not None:
        found["model"] = json.loads(outcome.model.to_json())
    return found


def feature_rows(result: Mapping[str, Any]) -> tuple[Cells, list[Cells]]:
    """Every feature, whether it was selected, and its noisy score if that was released."""
    features = result["features"]
    selected, scores = set(features["selected"]), features["scores"]
    rows: list[Cells] = [
        (name, str(name in selected).lower(), scores[index] if scores else None)
        for index, name in enumerate(features["all"])
    ]
    return ("feature", "selected", "noisy_score"), rows
