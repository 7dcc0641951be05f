"""The data: a sample or an upload, what is odd about it, and the schema that makes it public."""

import pandas as pd
import streamlit as st

from dpcore.figures import classes_picture
from dpcore.intake import Predictions
from dpcore.schema.cells import level_codes
from dpcore.studies.workflow import Dataset
from pages.shared import cards, frame, plot, records, schema_editor, sources, state

PREVIEW = 8


def show_predictions(opened: records.Opened) -> None:
    predictions = opened.records
    assert isinstance(predictions, Predictions)
    negative, positive = predictions.classes
    found = int(predictions.y_true.sum())
    counts = {negative: predictions.y_true.size - found, positive: found}
    plot.show(classes_picture(counts, theme=state.theme(), positive=positive), key="classes")
    cards.problems(predictions.problems)
    preview = pd.DataFrame({"label": predictions.y_true, "score": predictions.y_score})
    st.dataframe(preview.head(PREVIEW), hide_index=True)
    st.page_link("pages/roc.py", label="See their ROC curve", icon=":material/show_chart:")


def show_dataset(dataset: Dataset) -> None:
    if dataset.schema.has_label:
        label = dataset.schema.label
        codes = level_codes(dataset.frame[label.name], label.classes)
        counts = {name: int((codes == code).sum()) for code, name in enumerate(label.classes)}
        plot.show(
            classes_picture(counts, theme=state.theme(), positive=label.positive), key="classes"
        )
    cards.problems(records.found(dataset))
    with st.expander(f"The first {PREVIEW} of {len(dataset.frame):,} records", expanded=True):
        st.dataframe(dataset.frame.head(PREVIEW), hide_index=True)


def body() -> None:
    cards.heading("Data", "Pick a sample, or bring a table or predictions of your own.")
    source, shown = st.columns([2, 3], gap="large")
    with source:
        sources.choose()
    opened = records.current()
    with shown:
        cards.headline(f"{opened.title}: {opened.size}")
        if isinstance(opened.records, Predictions):
            show_predictions(opened)
        else:
            show_dataset(opened.records)
    if isinstance(opened.records, Dataset):
        schema_editor.edit(opened.records)


frame.run(body)
