"""The exact feature scores, which only a simulation may show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpcore._typing import FloatArray, IntArray
from dpcore.selection.scoring import RowBound, scored_records
from dpcore.studies.selection.bucket_words import readable_names
from dpcore.studies.workflow import Dataset, Workflow, WorkflowResult
from dpcore.studies.workflow.sources import open_records
from dpcore.studies.workflow.steps import Prepared, prepare
from pages.shared import records

KEPT = "true scores"
PREPARED = "prepared records"
NAMES = "readable names"


@dataclass(frozen=True, eq=False)
class TrueScores:
    """Exact scores on the training records; NaN for numbers, which are not scored.

    `bounded` are those that the method sees, each row cut or weighted to the row bound; `whole` are
    those of the rows as they are, by which the true set is judged.
    """

    bounded: FloatArray
    whole: FloatArray


def of(result: WorkflowResult) -> TrueScores:
    """Both kinds of exact scores."""
    told = result.config.selection.parameters
    config = result.config
    place = (
        records.current().key,
        config.split,
        config.selection.bins,
        config.neighbors,
        str(told),
    )
    kept = st.session_state.get(KEPT)
    if kept is None or kept[0] != place:
        kept = st.session_state[KEPT] = place, _scores(result.config, prepared(result.config))
    found: TrueScores = kept[1]
    return found


def prepared(config: Workflow) -> Prepared:
    """The encoded records of a study, kept while its split stays."""
    opened = records.current()
    split, bins = config.split, config.selection.bins
    place = opened.key, split, bins
    kept = st.session_state.get(PREPARED)
    if kept is None or kept[0] != place:
        made = prepare(open_records(opened.records), split=split, simulated=True, bins=bins)
        kept = st.session_state[PREPARED] = place, made
    found: Prepared = kept[1]
    return found


def names(result: WorkflowResult) -> tuple[str, ...]:
    """Names of all features; a bucket of hashed words says which word it mostly stands for."""
    opened = records.current().records
    assert isinstance(opened, Dataset)
    kept = st.session_state.get(NAMES)
    if kept is None or kept[0] != opened.key:
        found = readable_names(result.feature_names, opened.frame, opened.schema)
        kept = st.session_state[NAMES] = opened.key, found
    named: tuple[str, ...] = kept[1]
    return named


def _scores(config: Workflow, records_: Prepared) -> TrueScores:
    train, told = records_.train, config.selection.parameters
    bound = RowBound(
        most=told.get("max_nonzeros"),
        how=str(told.get("row_bound", "truncate")),
        max_rows=told.get("max_rows"),
    )
    # All rows, as they are; a score that needs a bound on their number is given the true one.
    free = RowBound(max_rows=max(train.matrix.shape[0], 1))
    found = []
    for one in (bound, free):
        columns, scores, _ = scored_records(
            train.matrix,
            train.y,
            score=str(told.get("score", "total-count")),
            space=train.space,
            bound=one,
            neighbors=config.neighbors,
        )
        found.append(columns.spread(scores))
    return TrueScores(*found)


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
