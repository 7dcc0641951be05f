"""How a text file is written, found out and said, and changed where it is said."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.data.reading.declared import ENCODINGS
from dpcore.data.reading.dialect import MOST_ABOVE, SEPARATORS, UNNAMED, Dialect, Stated
from dpcore.data.reading.problems import count_of
from dpcore.data.reading.source import may_be_text
from pages.session import state
from pages.session.open_data import Given, GivenTable
from pages.session.text import plain
from pages.widgets import forms

# What each control says of a file: a field of its dialect, or what counts as missing in it.
FIELDS = ("delimiter", "header", "decimal", "encoding", "quote", "comment")
FIELDS += ("sheet", "unnamed", "above")
CONTROLS = tuple(f"read {field}" for field in (*FIELDS, "missing"))
DECIMALS = {".": "point", ",": "comma"}
QUOTES = {'"': "double", "'": "single"}


def words(dialect: Dialect) -> str:
    """How a file is written, in few words: "semicolons, no header, decimal comma"."""
    if dialect.format == "parquet":
        return "Parquet"
    first = {"excel": f"Excel sheet {dialect.sheet}", "json": "JSON"}.get(
        dialect.format, SEPARATORS[dialect.delimiter]
    )
    parts = [first]
    parts += [f"{count_of(dialect.above, 'line')} above the table"] if dialect.above else []
    parts += [] if dialect.header else ["no header"]
    parts += [f"{dialect.unnamed} cell without a name"] if dialect.unnamed else []
    parts += ["decimal comma"] if dialect.decimal == "," else []
    plainly = dialect.format != "delimited" or dialect.encoding in ("utf-8", "ascii")
    parts += [] if plainly else [dialect.encoding]
    parts += ["single quotes"] if dialect.quote == "'" else []
    header = ", the header too" if dialect.commented_header else ""
    parts += [f"comments after {dialect.comment}{header}"] if dialect.comment else []
    parts += [f"missing: {', '.join(dialect.missing)}"] if dialect.missing else []
    return ", ".join(parts)


def part(words: str, name: str) -> Any:
    """A part of the sentence that says how a file was read, behind which it can be changed."""
    return st.popover(plain(words), help="Change it.", key=f"read {name}")


def ask_of_rows(rows: int, missing: int, ask_to_leave_out: Callable[[int, int], None]) -> None:
    """How many rows there are, and behind that what becomes of those that lack something."""
    with part(count_of(rows, "row"), "rows"):
        if missing:
            ask_to_leave_out(missing, rows)
        else:
            st.caption("No row lacks what it needs.")


def ask(
    stated: Stated,
    found: Dialect | None,
    take: Callable[[Stated], None],
    sheets: tuple[str, ...] = (),
) -> None:
    """Show how a file was read on a button, behind which each part can be changed.

    Parameters
    ----------
    stated
        What the visitor has said already.
    found
        How the file was read; None if it could not be.
    take
        Reads the file again.
    sheets
        Those of a workbook.
    """
    if found is not None and found.format == "parquet":
        st.markdown(words(found))
        return
    label = "How the file is written" if found is None else words(found)
    with st.popover(plain(label), help="Change how the file is read.", key="how it is written"):
        # What a refused file was said to be stays to be changed.
        said = {name: one for name, one in vars(stated).items() if one is not None}
        _controls(stated, found or Dialect(**said), take, sheets)


def ask_again(
    given: Given | GivenTable, found: Mapping[str, Any], take: Callable[[Stated], None]
) -> None:
    """Show what had been found out of a file before it was refused, to be changed too."""
    if "dialect" in found or may_be_text(given.content):
        ask(given.stated, found.get("dialect"), take, found.get("sheets", ()))


def _controls(
    stated: Stated, now: Dialect, take: Callable[[Stated], None], sheets: tuple[str, ...]
) -> None:
    def told(field: str, value: object, options: Sequence[object] | None = None) -> dict[str, Any]:
        name = f"read {field}"
        shown = state.seeded(name, value, options)
        return {**forms.told(name), **shown, "on_change": _taken, "args": (stated, now, take)}

    def listed(field: str, words: Mapping[str, str]) -> None:
        options = list(words)
        tie = told(field, getattr(now, field), options)
        st.selectbox(options=options, format_func=words.get, **tie)

    def segmented(field: str, words: Mapping[Any, str]) -> None:
        tie = told(field, getattr(now, field))
        tie["default"] = tie.pop("value")
        forms.segmented(words, **tie)

    if len(sheets) > 1:
        listed("sheet", {name: name for name in sheets})
    if now.format == "delimited":
        listed("delimiter", SEPARATORS)
        segmented("decimal", DECIMALS)
        segmented("quote", QUOTES)
        listed("encoding", {name: name for name in (now.encoding, *ENCODINGS)})
        st.text_input(**told("comment", now.comment))
        listed("unnamed", UNNAMED)
    if now.format != "json":
        most = max(MOST_ABOVE, now.above)
        st.number_input(min_value=0, max_value=most, **told("above", now.above))
        segmented("header", {True: "names the columns", False: "is data"})
    st.text_input(**told("missing", ", ".join(now.missing)))


def _taken(stated: Stated, now: Dialect, take: Callable[[Stated], None]) -> None:
    """Read again by what the controls show, where it is not what was shown before."""
    held = {
        name.removeprefix("read "): st.session_state[state.control(name)]
        for name in CONTROLS
        if state.has_widget(name)
    }
    missing = marks(held.pop("missing", None))
    said = {field: value for field, value in held.items() if value != getattr(now, field)}
    take(replace(stated, **said, missing=missing))


def marks(text: str | None) -> tuple[str, ...]:
    """The texts of a list with commas, such as marks of missing cells.

    Examples
    --------
    >>> marks("-9, 999,"), marks(None)
    (('-9', '999'), ())
    """
    return tuple(one.strip() for one in (text or "").split(",") if one.strip())
