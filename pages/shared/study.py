"""Running the chosen study: only what a change touches runs again."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import streamlit as st

from dpcore.intake import Predictions
from dpcore.privacy import Charge, Ledger, Loss
from dpcore.schema import Numeric
from dpcore.studies.workflow import (
    DataSource,
    Epsilons,
    Evaluation,
    Selection,
    StageCache,
    Workflow,
    WorkflowResult,
    run_workflow,
)
from dpcore.studies.workflow.steps import TEST, TRAIN
from pages.shared import records, state

STAGES = {
    "prepare": "Reading and encoding the records",
    "select": "Choosing features",
    "train": "Training the private model",
    "score": "Scoring the test records",
    "peer": "Training the non-private model, to compare",
    "tally": "Counting the scores",
    "evaluate": "Drawing the private curve",
    "done": "Done",
}
# Records times columns from which a first run may take longer than half a second.
SLOW = 100_000


def config() -> Workflow:
    """The study, with the data that are open, and nothing asked of them that they do not have."""
    opened = records.current()
    chosen = state.config()
    if isinstance(opened.records, Predictions):
        return replace(chosen, data=DataSource(predictions=opened.title))
    if chosen.selects and not has_indicators():
        chosen = replace(chosen, selection=Selection())
    if opened.edited:
        stem = opened.title.rpartition(".")[0] or opened.title
        return replace(chosen, data=DataSource(file=opened.title, schema=f"{stem}.toml"))
    return chosen


def has_indicators() -> bool:
    """Whether the records have features to choose from; numbers are always kept."""
    opened = records.current().records
    if isinstance(opened, Predictions):
        return False
    return any(not isinstance(column, Numeric) for column in opened.schema.features)


def run(chosen: Workflow | None = None) -> WorkflowResult:
    """The result of the chosen study, with a progress bar if it takes a while."""
    study = chosen if chosen is not None else config()
    opened = records.current()
    upstream = _upstream(study), opened.key
    place = None if st.session_state.get("upstream") == upstream else st.empty()
    began = monotonic()

    def report(stage: str, share: float) -> None:
        if place is not None and (_is_large(opened.records) or monotonic() - began > 0.3):
            place.progress(share, text=STAGES.get(stage, stage))

    cache = st.session_state.setdefault("stages", StageCache())
    result = run_workflow(study, data=opened.records, cache=cache, progress=report)
    st.session_state["upstream"] = upstream
    if place is not None:
        place.empty()
    return result


def planned(study: Workflow) -> Ledger:
    """What the study will charge; known before it runs, because budgets are public."""
    ledger = Ledger(neighbors=study.neighbors)
    if study.selects:
        ledger.spend(Charge("selection", "", Loss(study.epsilon.selection), TRAIN))
    if study.trains:
        ledger.spend(Charge("training", "", Loss(study.epsilon.training), TRAIN))
    part = TEST if study.trains else None
    ledger.spend(Charge("evaluation", "", Loss(study.epsilon.evaluation), part))
    return ledger


def _upstream(study: Workflow) -> Workflow:
    """The study without what only the last stage reads."""
    kept = Epsilons(
        selection=study.epsilon.selection, training=study.epsilon.training, evaluation=1
    )
    return replace(study, evaluation=Evaluation(), epsilon=kept)


def _is_large(opened: records.Records) -> bool:
    size = opened.y_score.size if isinstance(opened, Predictions) else opened.frame.size
    return bool(size > SLOW)
