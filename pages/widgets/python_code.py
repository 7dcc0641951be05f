"""Copy as Python: under a figure, the lines that give its numbers again, without the app."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from dpcore.data.reading import Predictions, read_prediction_files
from dpcore.study import Dataset, DataSource, Workflow
from dpcore.study.python import Expression, Script, quoted
from pages.session import open_data
from pages.session.text import plain, tables

TITLE = "Copy as Python"
WORDS = "These lines give the numbers of this figure, in any Python that has dpcore."
HEAD = "# The seed makes this a simulation: its noise protects nobody."
# Where the lines have the counted test scores.
SCORES = Expression("result.tested.scores")
# Lines as a reader copies them, by the name of what they give; `$name` is a value of the page.
LINES: dict[str, str] = tables("python.toml")


def written(name: str, after: Script | None = None, /, **values: Any) -> Script:
    """The lines of that name, behind those of a script if one is given."""
    script = after or Script()
    script.text(LINES[name], **values)
    return script


def simulated() -> Script:
    """What lines begin with that draw noise from a seed."""
    script = Script()
    script.line(HEAD)
    return script


def of_study(study: Workflow, *, with_table: bool = False) -> Script:
    """The lines that open the data as they are open here, and run the study.

    `with_table`: ``table`` are the records that it runs on.
    """
    script, opened = begun(study), open_data.current()
    other = _fewer(opened) or isinstance(opened.given, open_data.GivenFiles)
    if with_table or other:
        table(script, study.data)
    script.run(**{"data": Expression("table")} if other else {})
    return script


def begun(study: Workflow) -> Script:
    """The lines that write the study down."""
    script, given = simulated(), open_data.current().given
    if isinstance(given, open_data.GivenFiles):
        # It names one file; all of them are read beside it.
        study = replace(study, data=DataSource(predictions=given.paths[0].name))
    script.study(study)
    return script


def _fewer(opened: open_data.Opened) -> bool:
    """Whether the open records are not as their file has them, but without a few rows."""
    if isinstance(opened.records, Predictions) or opened.whole is None:
        return False
    return opened.whole.digest != opened.records.digest


def table(script: Script, data: DataSource, source: str = "study.data") -> None:
    """Write the lines that read the open records, with the columns that `data` names."""
    records, given = open_data.current().records, open_data.current().given
    if isinstance(given, open_data.GivenFiles):
        paths = [script.call(Path, path.name) for path in given.paths]
        told = {"scale": given.scale, "positive": records.classes[1], "leave_out": True}
        if data.score_b or data.group:
            # Where it is said how files are written, nothing is guessed.
            names = ("label", "score", "negative", "scale", "bounds")
            columns = {name: getattr(data, name) for name in names}
            columns |= data.for_decisions | {"dialect": data.dialect}
            told |= {name: value for name, value in columns.items() if value is not None}
        script.let("table", read_prediction_files, paths, **told)
        return
    if source != "study.data":
        script.value(source, data)
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
    fold = st.expander(TITLE, icon=":material/code:", key=key, on_change="rerun")
    if not fold.open:
        return
    with fold:
        beside = files_beside(study) if study else needs
        st.caption(plain(f"{WORDS} They need {beside}." if beside else WORDS))
        st.code(str(lines()), language="python")


def files_beside(study: Workflow) -> str:
    """What has to lie in the folder where the study runs, in words; empty if nothing has to."""
    files = isinstance(open_data.current().given, open_data.GivenFiles)
    named = ["" if study.data.sample else "your files" if files else "your file"]
    named += [f"{study.data.schema}, which the Data page saves" if study.data.schema else ""]
    return " and ".join(filter(None, named))
