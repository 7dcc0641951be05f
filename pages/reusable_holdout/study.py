"""Running the study of test-set reuse on what the visitor chose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from dpcore.curves.holdout import (
    HoldoutProblem,
    HoldoutResult,
    HoldoutSettings,
    divided,
    repeated,
    run_holdout,
)
from dpcore.data.reading import Predictions
from dpcore.errors import MissingResource
from dpcore.schema.encoding import encode
from pages.reusable_holdout.choices import HoldoutChoice
from pages.session import open_data

KEPT, MEANS, ASKED = "holdout results", "holdout repeats", "holdout repeats asked for"
DRAWS = 20
MOST_KEPT = 8


def run(choice: HoldoutChoice) -> HoldoutResult:
    """The result of the choice; the last few are kept."""
    key = choice.settings, open_data.current().key if choice.own else ""
    kept: dict[object, HoldoutResult] = st.session_state.setdefault(KEPT, {})
    if key not in kept:
        with st.spinner("Choosing variables, once for each use of the test set"):
            problem = own_problem(choice.settings) if choice.own else None
            kept[key] = run_holdout(choice.settings, problem)
        for old in list(kept)[:-MOST_KEPT]:
            del kept[old]
    return kept[key]


def means(choice: HoldoutChoice) -> tuple[HoldoutResult, ...]:
    """Twenty draws, if they were asked for with these choices; else none."""
    kept = st.session_state.get(MEANS)
    return kept[1] if kept is not None and kept[0] == _place(choice) else ()


def ask_for_means() -> None:
    """Callback: the run that follows draws twenty times."""
    st.session_state[ASKED] = True


def means_are_asked_for() -> bool:
    """Whether the visitor has just asked; true once."""
    return bool(st.session_state.pop(ASKED, False))


def repeat(choice: HoldoutChoice) -> None:
    """Draw twenty times, with a bar that says how far it is."""
    place = st.empty()
    problem = own_problem if choice.own else None
    results = repeated(
        choice.settings,
        range(1, DRAWS + 1),
        problem=problem,
        progress=lambda share: place.progress(share, text=f"{DRAWS} draws"),
    )
    place.empty()
    st.session_state[MEANS] = _place(choice), results


def _place(choice: HoldoutChoice) -> tuple[object, ...]:
    """What twenty draws depend on: everything but the seed and where they are read off."""
    own = open_data.current().key if choice.own else ""
    return replace(choice.settings, seed=0), own


def own_problem(settings: HoldoutSettings) -> HoldoutProblem:
    """The open table, dealt into training, test and fresh records."""
    opened = open_data.current().records
    if isinstance(opened, Predictions):
        raise MissingResource(
            "predictions hold no variables to choose from",
            "open a table on the Data page, or take the generated problem",
        )
    # Every row is shown here, so an odd label may be named.
    opened.schema.validate(opened.frame)
    design, label = encode(opened.frame, opened.schema), opened.schema.label
    assert design.y is not None
    positive = np.asarray(design.y == label.classes.index(label.positive))
    return divided(design.matrix, positive, tuple(design.space.names), settings)
