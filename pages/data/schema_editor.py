"""The schema on the page: what is public about each column, to be read and changed."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from dpcore.data.reading.problems import count_of, listed
from dpcore.data.reading.roles.columns import label_likeness
from dpcore.errors import DpcoreError
from dpcore.schema import Binary, Schema
from dpcore.study import Dataset
from pages.session import open_data, state, study
from pages.session.study_fields import UPLOAD
from pages.session.text import plain, quoted, said, table
from pages.widgets import forms, schema_table, uploads

KEY = "schema"
HELP = {"fill": schema_table.FILL} | table(Path(__file__).with_name("columns.toml"))


def edit(dataset: Dataset) -> None:
    """Show the schema as a table that can be changed, and hand it out."""
    st.subheader("Schema", anchor=False)
    st.markdown(said("what a schema is"))
    _table(dataset)
    uploads.say_refused(KEY)
    _take_away(dataset.schema)


def _table(dataset: Dataset) -> None:
    key = f"schema {dataset.schema.digest()}"
    numbers = {
        name: st.column_config.NumberColumn(help=HELP[name]) for name in ("lower", "upper", "fill")
    }
    st.data_editor(
        schema_table.rows(dataset.schema),
        key=key,
        placeholder="",
        **schema_table.TOLD,
        disabled=["column", "taken from the data"],
        on_change=_edit,
        args=(key, dataset),
        column_config={
            **schema_table.TYPES,
            "values": st.column_config.ListColumn(help=HELP["values"]),
            **numbers,
            "gaps": st.column_config.CheckboxColumn(help=schema_table.GAPS),
        },
    )


def _take_away(schema: Schema) -> None:
    marks = len(schema.taken_from_data)
    with st.container(horizontal=True, vertical_alignment="center"):
        told = {"file_name": study.schema_file(open_data.current()), "data": schema.to_toml}
        st.download_button(**told, **forms.told("download the schema"))
        if open_data.current().edited and state.chosen()["data"] != UPLOAD:
            st.button("Back to the sample's schema", on_click=open_data.restore_schema)
        taken = f"{count_of(marks, 'fact')} {'is' if marks == 1 else 'are'} taken from the data"
        fine = f"{taken}: fine here, refused in a private release."
        st.caption(fine if marks else "Nothing in this schema is taken from the data.")


def choose_label(dataset: Dataset) -> None:
    """What the model predicts and what scores are about."""
    schema, digest = dataset.schema, dataset.schema.digest()
    names = [column.name for column in schema.columns]
    now = schema.label.name if schema.has_label else None
    left, right = st.columns(2)
    left.selectbox(
        "Label: what the model predicts",
        names,
        **(told := state.seeded(f"label {digest}", now, names)),
        on_change=lambda: _apply(
            lambda: schema_table.with_label(schema, st.session_state[told["key"]], dataset.frame)
        ),
    )
    if not schema.has_label:
        right.caption("Choose the column that the model should predict.")
    else:
        right.selectbox(
            "Positive class: what scores are about",
            offered := schema_table.positives(schema.label, dataset.frame),
            **(about := state.seeded(f"positive {digest}", schema.label.positive, [*offered])),
            on_change=lambda: _apply(
                lambda: schema_table.with_positive(
                    schema, st.session_state[about["key"]], dataset.frame
                )
            ),
        )


def say_guessed(schema: Schema, *, suggested: bool) -> None:
    """Name the other columns that could be the label, unless its name leaves no doubt."""
    if not schema.has_label:
        st.info("Choose the column that the model should predict. The other pages wait for it.")
    if not schema.has_label or not suggested:
        return
    others = [column.name for column in schema.columns if isinstance(column, Binary)]
    remedy = "Change them if the model should predict something else."
    if not others or label_likeness(schema.label.name) == 5:
        st.caption(f"The label and its positive class are guesses. {remedy}")
        return
    named = f"{listed(others)} {'have' if len(others) > 1 else 'has'}"
    start = f"The label and its positive class are guesses: {named} two values too."
    st.info(plain(quoted(f"{start} {remedy}")), icon=":material/help:")


def _edit(key: str, dataset: Dataset) -> None:
    changes = st.session_state[key]["edited_rows"]
    _apply(lambda: schema_table.edited(dataset.schema, changes, dataset.frame))


def _apply(make: Callable[[], Schema]) -> None:
    uploads.forget(KEY)
    try:
        open_data.use_schema(make())
    except DpcoreError as error:
        uploads.refuse(KEY, uploads.Refusal.of(KEY, error))
