"""The data: a sample or an upload, what is odd about it, and the schema that makes it public."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dpcore.figures import classes_picture
from dpcore.intake import Predictions, samples
from dpcore.schema import Schema
from dpcore.schema.cells import level_codes
from dpcore.schema.columns import COLUMN_TYPES
from dpcore.studies.workflow import Dataset
from pages.shared import cards, frame, plot, records, schema_table, state
from pages.shared.study_fields import UPLOAD

KINDS = ("Sample", "My table", "My predictions")
TABLES = ["csv", "tsv", "txt", "parquet", "gz"]
PREVIEW = 8


# ------------------------------------------------------------------------------------ where from


def choose_source() -> None:
    kind = st.segmented_control(
        "Where do the records come from?",
        KINDS,
        required=True,
        key=state.seed_control("source", _present_kind()),
    )
    st.session_state["source kind"] = kind
    {KINDS[0]: pick_sample, KINDS[1]: upload_table, KINDS[2]: upload_predictions}[kind]()


def _present_kind() -> str:
    if kind := st.session_state.get("source kind"):
        return kind
    if state.chosen()["data"] != UPLOAD:
        return KINDS[0]
    return KINDS[2] if isinstance(records.current().records, Predictions) else KINDS[1]


def pick_sample() -> None:
    known = samples()
    now = state.chosen()["data"]
    st.radio(
        "Sample",
        list(known),
        format_func=lambda name: known[name].title,
        captions=[
            sample.summary + (" Synthetic: it describes nobody." if sample.synthetic else "")
            for sample in known.values()
        ],
        key=state.seed_control("data", now if now in known else None),
        index=None,
        on_change=state.take,
        args=("data",),
    )


def upload_table() -> None:
    st.file_uploader(
        "Table: CSV, TSV or Parquet, perhaps gzip-compressed",
        type=TABLES,
        key="table file",
        on_change=_receive,
        args=("table file", records.take_dataset),
        help="It stays in the memory of this server, for this visit only.",
    )
    st.file_uploader(
        "Schema as TOML, if you have one",
        type=["toml"],
        key="schema file",
        on_change=_receive,
        args=("schema file", _take_schema),
    )
    _say_refused("table file", "schema file")


def upload_predictions() -> None:
    link = st.segmented_control(
        "The scores are",
        ["probability", "logit"],
        format_func={"probability": "probabilities, 0 to 1", "logit": "log-odds"}.get,
        required=True,
        default="probability",
    )
    st.file_uploader(
        "Two columns: label and score",
        type=TABLES,
        key="predictions file",
        on_change=_receive,
        args=("predictions file", records.take_predictions, link),
        help="The scores of any model, trained anywhere; only the ROC page needs them.",
    )
    _say_refused("predictions file")


def _receive(key: str, take: Callable[..., None], *more: object) -> None:
    """Read what was uploaded, or keep the sentence that says why not."""
    file = st.session_state[key]
    refused = st.session_state.setdefault("refused", {})
    refused.pop(key, None)
    if file is not None and (sentence := records.attempt(take, file.getvalue(), file.name, *more)):
        refused[key] = sentence


def _take_schema(content: bytes, name: str) -> None:
    records.use_schema(Schema.from_toml(content.decode("utf-8", errors="replace")))


def _say_refused(*keys: str) -> None:
    for key in keys:
        if sentence := st.session_state.get("refused", {}).get(key):
            st.error(sentence, icon=":material/error:")


# ------------------------------------------------------------------------------------ what it is


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


# ------------------------------------------------------------------------------------ the schema


def edit_schema(dataset: Dataset) -> None:
    st.subheader("Schema", anchor=False)
    st.markdown(
        "What is public about each column, written down before anyone looks at the records. "
        "A private release takes nothing from the data; facts that were are marked."
    )
    _choose_label(dataset)
    key = f"schema {dataset.schema.digest()}"
    st.data_editor(
        schema_table.rows(dataset.schema),
        key=key,
        hide_index=True,
        disabled=["column", "taken from the data"],
        on_change=_edit,
        args=(key, dataset),
        column_config={
            "type": st.column_config.SelectboxColumn(options=list(COLUMN_TYPES), required=True),
            "lower": st.column_config.NumberColumn(help="Numbers below are clipped to it."),
            "upper": st.column_config.NumberColumn(help="Numbers above are clipped to it."),
            "fill": st.column_config.NumberColumn(
                help="Stands in for a missing number; the middle of the bounds if left out."
            ),
            "values": st.column_config.ListColumn(
                help="Levels, classes or vocabulary. A binary column is 1 for the second."
            ),
        },
    )
    if sentence := st.session_state.get("refused", {}).get("schema"):
        st.error(sentence, icon=":material/error:")
    marks = len(dataset.schema.taken_from_data)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download the schema",
            dataset.schema.to_toml,
            file_name="schema.toml",
            mime="application/toml",
            on_click="ignore",
            icon=":material/download:",
        )
        if records.current().edited and state.chosen()["data"] != UPLOAD:
            st.button("Back to the sample's schema", on_click=records.restore_schema)
        st.caption(
            f"{marks} facts are taken from the data: fine here, refused in a private release."
            if marks
            else "Nothing in this schema is taken from the data."
        )


def _choose_label(dataset: Dataset) -> None:
    schema = dataset.schema
    left, right = st.columns(2)
    names = [column.name for column in schema.columns]
    left.selectbox(
        "Label: what the model predicts",
        names,
        key=state.seed_control("label", schema.label.name if schema.has_label else None),
        index=None,
        on_change=_change,
        args=("label", schema_table.with_label, dataset),
    )
    if schema.has_label:
        right.selectbox(
            "Positive class: what scores are about",
            schema.label.classes,
            key=state.seed_control("positive", schema.label.positive),
            on_change=_change,
            args=("positive", schema_table.with_positive, dataset),
        )


def _change(name: str, change: Callable[..., Schema], dataset: Dataset) -> None:
    value = st.session_state[state.control(name)]
    more = (dataset.frame,) if change is schema_table.with_label else ()
    _apply(lambda: change(dataset.schema, value, *more))


def _edit(key: str, dataset: Dataset) -> None:
    changes = st.session_state[key]["edited_rows"]
    _apply(lambda: schema_table.edited(dataset.schema, changes, dataset.frame))


def _apply(make: Callable[[], Schema]) -> None:
    refused = st.session_state.setdefault("refused", {})
    refused.pop("schema", None)
    sentence = records.attempt(lambda: records.use_schema(make()))
    if sentence:
        refused["schema"] = sentence
    for name in ("label", "positive"):
        st.session_state.pop(state.control(name), None)


def body() -> None:
    cards.heading("Data", "Pick a sample, or bring a table or predictions of your own.")
    source, shown = st.columns([2, 3], gap="large")
    with source:
        choose_source()
    opened = records.current()
    with shown:
        size = opened.size
        st.subheader(f"{opened.title}: {size}", anchor=False)
        if isinstance(opened.records, Predictions):
            show_predictions(opened)
        else:
            show_dataset(opened.records)
    if isinstance(opened.records, Dataset):
        edit_schema(opened.records)


frame.run(body)
