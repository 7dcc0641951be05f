"""Copy as Python: under a figure, the lines that give its numbers again, without the app."""

from collections.abc import Callable

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.study import Dataset, Workflow
from dpcore.study.python import Expression, Script, quoted
from pages.session import open_data
from pages.session.text import plain

TITLE = "Copy as Python"
WORDS = "These lines give the numbers of this figure, in any Python that has dpcore."
HEAD = "# The seed makes this a simulation: its noise protects nobody."
# Where the lines have the counted test scores.
SCORES = Expression("result.tested.scores")


def of_study(study: Workflow, *, with_table: bool = False) -> Script:
    """The lines that open the data as they are open here, and run the study.

    `with_table`: ``table`` are the records that it runs on.
    """
    script, opened = Script(), open_data.current()
    script.line(HEAD)
    script.study(study)
    fewer = _fewer(opened)
    if with_table or fewer:
        table(script, "study.data")
    script.run(**{"data": Expression("table")} if fewer else {})
    return script


def _fewer(opened: open_data.Opened) -> bool:
    """Whether the open records are not as their file has them, but without a few rows."""
    if isinstance(opened.records, Predictions) or opened.whole is None:
        return False
    return opened.whole.digest != opened.records.digest


def table(script: Script, source: str) -> None:
    """Write the lines that read the open records."""
    records = open_data.current().records
    script.line(f"table = open_source({source}).load()", open_source="dpcore.study")
    if _fewer(open_data.current()) and isinstance(records, Dataset):
        label = quoted(records.schema.label.name)
        script.line(f"rows = table.frame.dropna(subset=[{label}]).reset_index(drop=True)")
        script.line("table = replace(table, frame=rows)", replace="dataclasses")


def noise(stage: str) -> Expression:
    """The stream of noise from which a page draws what it releases beside the study."""
    return Expression(f'study.evaluation_noise.source("{stage}")')


def show(
    lines: Callable[[], Script],
    study: Workflow | None = None,
    *,
    key: str = "python",
    needs: str = "",
) -> None:
    """A fold that writes the lines once it is opened, with a button that copies them.

    Of made up data there is no study, and of what is released only the files that it `needs`. Pages
    that show two figures at once tell the folds apart by their keys.
    """
    opened = open_data.current() if study else None
    if opened and isinstance(opened.records, Predictions) and opened.given is None:
        # Several files on the server, which no study names.
        return
    fold = st.expander(TITLE, icon=":material/code:", key=key, on_change="rerun")
    if not fold.open:
        return
    with fold:
        beside = files_beside(study) if study else needs
        st.caption(plain(f"{WORDS} They need {beside}." if beside else WORDS))
        st.code(str(lines()), language="python")


def files_beside(study: Workflow) -> str:
    """What has to lie in the folder where the study runs, in words; empty if nothing has to."""
    named = ["" if study.data.sample else "your file"]
    named += [f"{study.data.schema}, which the Data page saves" if study.data.schema else ""]
    return " and ".join(filter(None, named))
