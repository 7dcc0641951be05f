"""The exact feature scores, which only a simulation may show."""

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.privacy import Neighbors
from dpcore.schema.encoding import readable_names
from dpcore.selection.scoring import RowBound, scored_records
from dpcore.study import Workflow, WorkflowResult, prepared_records
from dpcore.study.steps import Prepared
from pages.session import open_data, state, study, study_fields

KEPT = "true scores"
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
    config = result.config
    about = score(config), row_bound(config), config.neighbors
    return state.cached(KEPT, _scores, prepared(config), *about)


def score(config: Workflow) -> str:
    """By which score features are judged; the usual one where nothing is selected."""
    return str(config.selection.parameters.get("score", study_fields.SCORE))


def row_bound(config: Workflow) -> RowBound:
    """How far one record may count."""
    told = config.selection.parameters
    return RowBound(
        most=told.get("max_nonzeros"),
        how=str(told.get("row_bound", "truncate")),
        max_rows=told.get("max_rows"),
    )


def prepared(config: Workflow) -> Prepared:
    """The encoded records of a study, which its run has prepared."""
    data = open_data.current().records
    return prepared_records(config, data=data, cache=study.stages())


def digest(config: Workflow) -> str:
    """Names the encoded records of a study to those who keep what is computed from them."""
    return f"{open_data.current().key} {config.split} {config.selection.bins}"


def names(result: WorkflowResult) -> tuple[str, ...]:
    """Names of all features; a bucket of hashed words says which word it mostly stands for."""
    opened = open_data.current().records
    return state.cached(NAMES, readable_names, result.feature_names, opened.frame, opened.schema)


def _scores(prepared_: Prepared, score: str, bound: RowBound, neighbors: Neighbors) -> TrueScores:
    train = prepared_.train
    # All rows, as they are; a score that needs a bound on their number is given the true one.
    free = RowBound(max_rows=max(train.matrix.shape[0], 1))
    found = []
    for one in (bound, free):
        columns, scores, _ = scored_records(
            train.matrix, train.y, score=score, space=train.space, bound=one, neighbors=neighbors
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
