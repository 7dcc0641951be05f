"""A schema by hand, for data that nobody looks at: its owner fills in all but the names."""

import pandas as pd
import streamlit as st

from dpcore.errors import SchemaError
from dpcore.schema import Ignore, Schema
from dpcore.schema.columns import COLUMN_TYPES
from pages.widgets import schema_table

FILLED = "schema form"

_TYPES = {"column": "str", "type": "str", "lower": "float64", "upper": "float64",
          "gaps": "bool", "fill": "float64", "values": "str"}  # fmt: skip
_BLANK = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in _TYPES.items()})


def ask(names: tuple[str, ...] = ()) -> None:
    """A table with one row for each column of the data, of which it holds no more than the names.

    What is filled in is kept.
    """
    blank = _BLANK if not names else _BLANK.reindex(range(len(names))).assign(column=list(names))
    st.session_state[FILLED] = st.data_editor(
        blank.astype({"gaps": "bool"}),
        key=f"private schema form {'/'.join(names)}".strip(),
        num_rows="dynamic",
        hide_index=True,
        alt="The schema: one row for each column of the table.",
        column_config={
            "type": st.column_config.SelectboxColumn(options=list(COLUMN_TYPES), required=True),
            "lower": st.column_config.NumberColumn(help="Needed for numbers; below is clipped."),
            "upper": st.column_config.NumberColumn(help="Needed for numbers; above is clipped."),
            "gaps": st.column_config.CheckboxColumn(help=schema_table.GAPS),
            "fill": st.column_config.NumberColumn(help=schema_table.FILL),
            "values": st.column_config.TextColumn(
                help="Levels, classes or vocabulary, separated by commas; the last class of a "
                "label is the positive one."
            ),
        },
    )
    st.caption("Bounds and values are yours to declare: the file is not asked for them.")


def filled() -> Schema:
    """The schema that was declared.

    Raises
    ------
    SchemaError
        If there are no rows, or one lacks what its type needs.
    """
    table = st.session_state.get(FILLED)
    return of_rows([] if table is None else table.to_dict("records"))


def of_rows(rows: list[dict[str, object]]) -> Schema:
    """A schema from the rows of the form, with nothing marked as taken from data."""
    named = [row for row in rows if isinstance(row["column"], str) and row["column"].strip()]
    if not named:
        raise SchemaError("no column is declared", remedy="fill in one row for each column")
    blank = Schema(tuple(Ignore(str(row["column"]).strip()) for row in named))
    changes = {
        place: {
            "type": row["type"] if isinstance(row["type"], str) else Ignore.type,
            **{name: _number(row[name]) for name in ("lower", "upper", "fill")},
            "gaps": row["gaps"] is True,
            "values": _listed(row["values"]),
        }
        for place, row in enumerate(named)
    }
    return schema_table.edited(blank, changes, pd.DataFrame())


def _number(value: object) -> object:
    return None if pd.isna(value) else value


def _listed(text: object) -> list[str]:
    return [part.strip() for part in text.split(",")] if isinstance(text, str) and text else []
