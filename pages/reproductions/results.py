"""Where the page has its results from: a run of this visit, else what ships with the project."""

from __future__ import annotations

import streamlit as st

from reproductions import (
    Experiment,
    Judgement,
    Materials,
    Result,
    Row,
    data_folder,
    recorded,
    run_experiment,
)

# What a result says of data that were replaced.
STOOD_IN = " in place of "
_MINE = "reproductions of this visit"


def of(experiment: Experiment) -> Result | None:
    """The latest result of an experiment."""
    return _mine().get(experiment.name) or recorded(experiment)


def is_mine(experiment: Experiment) -> bool:
    """Whether it was run in this visit."""
    return experiment.name in _mine()


def stand_ins(result: Result) -> tuple[str, ...]:
    """What is said of each sample of the project that stood in for a file of the paper."""
    return tuple(source for source in result.sources if STOOD_IN in source)


def judged(experiment: Experiment) -> Judgement | None:
    """What the latest result says."""
    result = of(experiment)
    return None if result is None else experiment.judge(result.rows)


def run(experiment: Experiment) -> None:
    """Run the quick settings with a bar; any click ends the run, and nothing is kept then."""
    place, known = st.empty(), recorded(experiment, quick=True)
    expected = len(known.rows) if known else 0

    def show(count: int, row: Row) -> None:
        share = min(count / expected, 1.0) if expected else 0.0
        place.progress(share, text=f"{row.panel}: {row.method}")

    place.progress(0.0, text="Reading the data")
    result = run_experiment(
        experiment, quick=True, materials=Materials(data_folder()), progress=show
    )
    place.empty()
    _mine()[experiment.name] = result


def _mine() -> dict[str, Result]:
    found: dict[str, Result] = st.session_state.setdefault(_MINE, {})
    return found
