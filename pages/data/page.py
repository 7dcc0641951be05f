"""The data: a sample or an upload, what is odd about it, and the schema that makes it public."""

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.data.reading.problems import count_of
from dpcore.figures import classes_picture
from dpcore.schema.schema import label_codes
from dpcore.study import Dataset
from dpcore.study.python import Script, quoted
from pages.data import schema_editor, sources
from pages.session import open_data, state, study
from pages.shell import page_shell, wrong_mode
from pages.widgets import cards, plot, predictions_form, python_code

# What is shown of a table: of 10,000 columns each row alone would be some hundred kilobytes.
PREVIEW, COLUMNS = 8, 200


def show_predictions(opened: open_data.Opened) -> None:
    predictions = opened.records
    positive = predictions.classes[1]
    told = f"{opened.size}{_left_out(predictions.left_out)}"
    cards.headline(f"{opened.title}: {told}; scores are about “{positive}”")
    roles = predictions.roles
    several = len(predictions.models) > 1
    cards.ways_on("roc", *["compare"] * several, *["groups"] * bool(roles and roles.group))
    predictions_form.say_how(opened)
    predictions_form.point_out(opened)
    # What may be read wrongly comes before a picture of it.
    is_odd = any(one.severity != "note" for one in predictions.problems)
    if is_odd:
        cards.problems(predictions.problems)
    found = np.bincount(predictions.y_true, minlength=2).tolist()
    counts = dict(zip(predictions.classes, found, strict=True))
    plot.show(classes_picture(counts, theme=state.theme(), positive=positive), key="classes")
    python_code.show(lambda: code("table.y_true.size, table.y_true.sum()"), study.config())
    if not is_odd:
        cards.problems(predictions.problems)
    scaled = ", scores from 0 to 1" if several else ""
    st.caption(first_of(predictions.y_score.size, "prediction") + scaled)
    st.dataframe(_first_scores(predictions), hide_index=True)


def _first_scores(read: Predictions) -> pd.DataFrame:
    """Label and score of the first records; of several models every score, from 0 to 1 as drawn."""
    labels = np.where(read.y_true[:PREVIEW] == 1, *read.classes[::-1])
    scores = {"score": read.scale.written(read.y_score[:PREVIEW])}
    if read.parsed is not None and len(read.models) > 1:
        there = ~np.isnan(read.parsed.scores[read.columns[1]])
        scores = {name: read.parsed.scores[name][there][:PREVIEW] for name in read.models}
    return pd.DataFrame({"label": labels, **scores})


def _left_out(rows: int) -> str:
    return f"; {count_of(rows, 'row')} {'is' if rows == 1 else 'are'} left out" if rows else ""


def show_dataset(opened: open_data.Opened) -> None:
    dataset = opened.records
    schema = dataset.schema
    label = schema.label if schema.has_label else None
    aim = f"; a model would predict “{label.name}” ({label.positive})" if label else ""
    kept_out = len(opened.whole.frame) - len(dataset.frame) if opened.whole else 0
    cards.headline(f"{opened.title}: {opened.size}{_left_out(kept_out)}{aim}")
    if label and schema.features:
        cards.ways_on(*(("features", "model") if study.indicators() else ("model", "roc")))
    if not sources.say_how(opened):
        schema_editor.choose_label(dataset)
    schema_editor.say_guessed(schema, suggested=opened.suggested)
    # Before the figure: what is read otherwise than meant spoils all that follows.
    remarks = state.cached("remarks on the table", open_data.found, dataset)
    cards.problems(remarks)
    sources.offer_acts(opened, remarks)
    # A schema may be another table's; its problems say so.
    if label and label.name in dataset.frame:
        codes = label_codes(dataset.frame[label.name], label)
        counts = {name: int((codes == code).sum()) for code, name in enumerate(label.classes)}
        plot.show(
            classes_picture(counts, theme=state.theme(), positive=label.positive), key="classes"
        )
        column = quoted(label.name)
        python_code.show(lambda: code(f"table.frame[{column}].value_counts()"), study.config())


def code(counts: str) -> Script:
    """The lines that read the records, and count the classes."""
    script = Script()
    python_code.table(script, study.config().data, "source")
    script.line(f"print({counts})")
    return script


def first_of(rows: int, noun: str) -> str:
    """Which of them are shown."""
    return f"{'All' if rows <= PREVIEW else f'The first {PREVIEW} of'} {count_of(rows, noun)}"


def body() -> None:
    source, shown = st.columns([2, 3], gap="large")
    with source:
        sources.choose()
    opened = open_data.current()
    with shown:
        if sentence := sources.not_shown(opened):
            cards.headline(sentence)
            wrong_mode.no_figure()
        elif isinstance(opened.records, Predictions):
            show_predictions(opened)
        else:
            show_dataset(opened)
    if isinstance(opened.records, Dataset) and not sentence:
        frame = opened.records.frame
        # Some rows, as wide as the page.
        few = f", {COLUMNS} of {frame.shape[1]:,} columns" if frame.shape[1] > COLUMNS else ""
        with st.expander(f"{first_of(len(frame), 'record')}{few}", expanded=True):
            st.dataframe(frame.iloc[:PREVIEW, :COLUMNS], hide_index=True)
        schema_editor.edit(opened.records)


page_shell.run(body)
