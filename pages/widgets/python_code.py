"""Copy as Python: under a figure, the lines that give its numbers again, without the app."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.study import DataSource, Workflow
from dpcore.study.python import Expression, Script, quoted
from pages.session import open_data, state
from pages.session.study_fields import UPLOAD
from pages.session.text import plain

TITLE = "Copy as Python"
WORDS = "These lines give the numbers of this figure, in any Python that has dpcore."
HEAD = "# The seed makes this a simulation: its noise protects nobody."
# Where the lines have the counted test scores.
SCORES = Expression("result.tested.scores")


def of_study(study: Workflow) -> Script:
    """The lines that open the data as they are open here, and run the study."""
    script, opened = Script(), open_data.current()
    if of_edited_sample(opened):
        data = DataSource(sample=state.chosen()["data"], group=study.data.group)
        study = replace(study, data=data)
    script.line(HEAD)
    script.study(study)
    script.run(**_changed(script, opened))
    return script


def of_edited_sample(opened: open_data.Opened) -> bool:
    """Whether a sample is open, with another schema than its own."""
    return opened.edited and state.chosen()["data"] != UPLOAD


def _changed(script: Script, opened: open_data.Opened) -> dict[str, Expression]:
    """Records that are not as their file has them: of another schema, or with fewer rows."""
    records = opened.records
    if isinstance(records, Predictions):
        return {}
    changes = []
    if of_edited_sample(opened):
        script.name_of(type(records.schema))
        changes.append('schema=Schema.read("schema.toml")')
    if opened.whole is not None and opened.whole.digest != records.digest:
        label = records.schema.label.name
        rows = f"table.frame.dropna(subset=[{quoted(label)}]).reset_index(drop=True)"
        changes.append(f"frame={rows}")
    if not changes:
        return {}
    script.line("table = open_source(study.data).load()", open_source="dpcore.study")
    script.line(f"table = replace(table, {', '.join(changes)})", replace="dataclasses")
    return {"data": Expression("table")}


def noise(stage: str) -> Expression:
    """The stream of noise from which a page draws what it releases beside the study."""
    return Expression(f'study.evaluation_noise.source("{stage}")')


def show(script: Script, study: Workflow) -> None:
    """The lines in a fold, with a button that copies them."""
    opened = open_data.current()
    if isinstance(opened.records, Predictions) and opened.given is None:
        # Several files on the server, which no study names.
        return
    with st.expander(TITLE, icon=":material/code:"):
        st.caption(plain(f"{WORDS}{_files(opened, study)}"))
        st.code(str(script), language="python")


def _files(opened: open_data.Opened, study: Workflow) -> str:
    """What has to lie in the folder where the lines run."""
    if of_edited_sample(opened):
        return " They need schema.toml beside them, which the Data page saves."
    if study.data.schema is not None:
        return (
            f" They need your file beside them, and its schema, which the Data page saves, as "
            f"{study.data.schema}."
        )
    return " They need your file beside them." if study.data.predictions else ""
