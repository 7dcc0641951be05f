"""The exact feature scores, which only a simulation may show."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore._typing import FloatArray, IntArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.selection.scores import SCORES
from dpcore.studies.workflow import Workflow, WorkflowResult
from dpcore.studies.workflow.sources import open_records
from dpcore.studies.workflow.steps import prepare
from pages.shared import records

KEPT = "true scores"


def of(result: WorkflowResult) -> FloatArray:
    """Score of every feature on the training records; NaN for numbers, which are not scored."""
    opened = records.current().records
    score = str(result.config.selection.parameters.get("score", "total-count"))
    place = (records.current().key, result.config.split, score)
    kept = st.session_state.get(KEPT)
    if kept is None or kept[0] != place:
        prepared = prepare(open_records(opened), split=result.config.split, simulated=True)
        train = prepared.train
        scores = np.full(len(train.space.features), np.nan)
        kinds = np.array([feature.kind for feature in train.space.features])
        indicators = BoundedRows.of(train.matrix, train.space).indicators
        scores[kinds == "indicator"] = SCORES.get(score).run(indicators, train.y)
        kept = st.session_state[KEPT] = place, scores
    found: FloatArray = kept[1]
    return found


def best(scores: FloatArray, config: Workflow) -> IntArray:
    """What the rule of the selection would choose from the true scores."""
    rule = config.selection.parameters
    scored = np.flatnonzero(~np.isnan(scores))
    if "threshold" in rule:
        return scored[scores[scored] > float(rule["threshold"])]
    if "top_k" in rule:
        order = np.argsort(-scores[scored], kind="stable")
        return np.sort(scored[order[: int(rule["top_k"])]])
    return scored
