"""Opening private data: its owner declares everything, and the file is asked for nothing."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpcore.data.reading.declared import ENCODINGS
from dpcore.data.reading.dialect import MOST_ABOVE, SEPARATORS, UNNAMED, Dialect
from dpcore.data.reading.problems import DEFAULT_LIMITS
from dpcore.data.reading.roles.names import named_roles
from dpcore.data.reading.samples import server_folder
from dpcore.data.reading.tables import column_names, likely_layout
from dpcore.errors import DpcoreError, IntakeError, SchemaError
from dpcore.schema import Schema
from dpcore.study import DataSource
from pages.session import state
from pages.session.text import plain, said, stated
from pages.widgets import forms, private_data, reading_form, schema_table, uploads
from pages.widgets.uploads import SCORES

PREDICTIONS, TABLE = "predictions", "table"
UPLOAD, SERVER, TOML, FORM = "upload", "server", "toml", "form"
PENDING, REFUSED, VISIT = "private file to be read", "private file refused", "uploads so far"
HEADER, FILLED = "header of the private file", "private file filled in"
FORMS = {"delimited": "a text, or Parquet", "excel": "an Excel workbook", "json": "JSON"}
# Cells that no comma separates may have one within numbers: nothing but their owner knows.
UNSAID = ""
# How a text is written, and the words for it; what comes first is usual.
MARKS = {
    "delimiter": {",": "", **SEPARATORS},
    "quote": {**reading_form.QUOTES, "": "none"},
    "decimal": {**reading_form.DECIMALS, UNSAID: "not said yet"},
    "encoding": {name: name for name in ENCODINGS},
}


def choose() -> None:
    """What is open, or the form that opens it; a sentence for who may not open anything."""
    if refusal := private_data.refusal():
        st.session_state.pop(PENDING, None)
        st.info(f"{refusal} No data can be opened.", icon=":material/lock:")
        # On a telephone the sidebar, which has it too, is folded.
        private_data.sign_in_button("sign in here")
        return
    _read_pending()
    if private_data.current() is None:
        _form()
        return
    with st.container(key="opened", horizontal=True, vertical_alignment="center"):
        st.markdown(f"Open: **{plain(private_data.title())}**", width="stretch")
        if (schema := private_data.current().schema) is not None:
            st.download_button(data=schema.to_toml, **forms.told("save the schema"))
        st.button("Close these data", icon=":material/close:", on_click=private_data.close)


def _form() -> None:
    st.subheader("Open private data", anchor=False)
    st.markdown(said("declare all"))
    with st.container(horizontal=True):
        kind = _segments("kind", {PREDICTIONS: "labels and scores", TABLE: "a table"})
        where = UPLOAD
        if server_folder() is not None:
            where = _segments("where", {UPLOAD: "with you", SERVER: "on the server"})
    if where == UPLOAD:
        uploads.ask("CSV and its relatives, Parquet, Arrow, Excel or JSON", _file_key())
        _fill_in()
    else:
        files = server_folder().list().files
        st.selectbox(options=files, index=None, accept_new_options=True, **_told("server file"))
    _dialect()
    if kind == PREDICTIONS:
        _labels()
    else:
        _schema()
    st.button("Open the data", icon=":material/lock_open:", type="primary", on_click=_want)
    # It is about what was pressed last, and no longer true once something is changed.
    if sentence := st.session_state.pop(REFUSED, None):
        st.error(plain(stated(sentence)), icon=":material/error:")
    st.caption(said("lines are records"))


def _segments(name: str, words: dict[str, str]) -> str:
    now = st.session_state.get(_key(name), next(iter(words)))
    return forms.segmented(words, default=now, **_told(name))


def _key(name: str) -> str:
    return f"private {name}"


def _told(name: str) -> dict[str, Any]:
    """The key of a field, and its words."""
    return forms.keyed(_key(name))


def _file_key() -> str:
    """Another one for every file, so that the bytes of the last do not stay with the widget."""
    return _key(f"file {st.session_state.get(VISIT, 0)}")


def _fill_in() -> None:
    """Fill in, where nobody did, what container and header say of how the file is written.

    Who says later that it has no header says that its first line is a record: what that line had
    filled in is taken back.
    """
    file, before = st.session_state.get(_file_key()), st.session_state.get(FILLED, ("", {}))
    asked = getattr(file, "file_id", None), _has_header()
    if not isinstance(file, UploadedFile) or before[0] == asked:
        return
    declared = {name: one for name, one in _layout().items() if before[1].get(name) != one}
    told: dict[str, object] = {}
    with suppress(DpcoreError):
        told = likely_layout(file.getvalue(), declared, limits=DEFAULT_LIMITS)
    if "delimiter" in told and declared.get("decimal", ".") == ".":
        told["decimal"] = UNSAID
    st.session_state[FILLED] = asked, told
    usual = {name: getattr(Dialect(), name) for name in before[1].keys() - declared.keys()}
    st.session_state.update({_key(name): one for name, one in (usual | told).items()})


def _dialect() -> None:
    """How the file is written: declared, and found out of no row."""
    form = _segments("format", FORMS)
    if form == "excel":
        st.text_input(**_told("sheet"))
    if form == "json":
        st.toggle(**_told("line_breaks") | forms.told("private one text"))
    if form == "delimited":
        for place, (name, words) in zip(st.columns(len(MARKS)), MARKS.items(), strict=True):
            told = _told(name) | {"on_change": _ask_decimal if name == "delimiter" else None}
            place.selectbox(options=list(words), format_func=words.get, **told)
        st.toggle(**_told("line_breaks"))
    if form != "json":
        st.toggle(value=True, **_told("header"))
    places = iter(st.columns(3, vertical_alignment="bottom"))
    if form != "json":
        next(places).number_input(min_value=0, max_value=MOST_ABOVE, **_told("above"))
    if form == "delimited":
        next(places).text_input(**_told("comment"))
        if st.session_state[_key("header")]:
            if st.session_state[_key("comment")]:
                st.toggle(**_told("commented_header"))
            st.selectbox(options=list(UNNAMED), format_func=UNNAMED.get, **_told("unnamed"))
    next(places).text_input(**_told("missing"))


def _ask_decimal() -> None:
    """Another separator, another habit of writing numbers; a comma that was chosen stays."""
    cells, numbers = (st.session_state[_key(name)] == "," for name in ("delimiter", "decimal"))
    st.session_state[_key("decimal")] = "." if cells else "," if numbers else UNSAID


def _labels() -> None:
    names = _names()
    guesses = named_roles(names, least=3)
    for place, role, guess in zip(st.columns(2), ("label", "score"), guesses, strict=True):
        _column(place, role, names, guess)
    positive, negative, scale = st.columns(3)
    positive.text_input(**_told("positive"))
    negative.text_input(**_told("negative"))
    with scale:
        chosen = _segments("scale", SCORES)
    if chosen == "any":
        for place, end in zip(st.columns(2), ("low", "high"), strict=True):
            place.number_input(value=None, format="%g", **_told(end))
        st.caption("Public ends of the scale, such as 300 and 850; a score beyond counts as there.")
    with st.expander("Another model, groups, or more than two classes", icon=":material/add:"):
        model, group, levels = st.columns(3)
        _column(model, "score_b", names)
        _column(group, "group", names)
        levels.text_input(**_told("levels"))
        for place, name in zip(st.columns(2), ("classes", "class_scores"), strict=True):
            place.text_input(**_told(name))


def _column(
    place: DeltaGenerator, role: str, names: tuple[str, ...], guess: str | None = None
) -> None:
    """Which column has a role: one of the header's names, or written where there is no header."""
    told = _told(role)
    if not names:
        first = {"help": None} | ({} if _has_header() else {"placeholder": "such as column_1"})
        place.text_input(**told | first)
        return
    # Another widget for another header: what was chosen for the last one is none of its names.
    told |= {"key": _key(_named(role, names)), "index": names.index(guess) if guess else None}
    place.selectbox(options=names, accept_new_options=True, **told)


def _has_header() -> bool:
    return bool(st.session_state.get(_key("header"), True))


def _bounds() -> tuple[float, float] | None:
    """The declared ends of a scale that needs some."""
    if st.session_state[_key("scale")] != "any":
        return None
    low, high = (st.session_state.get(_key(name)) for name in ("low", "high"))
    if low is None or high is None:
        raise IntakeError("the scale has no bounds", remedy="write its lower and upper bound")
    return low, high


def _schema() -> None:
    how = _segments("schema source", {TOML: "as a TOML file", FORM: "by hand"})
    if how == TOML:
        uploads.ask("Schema", _key("schema file"))
    else:
        schema_table.ask(_names())


def _want() -> None:
    """Remember what was declared: it is read while the page is drawn, where it can say so."""
    st.session_state.pop(REFUSED, None)
    try:
        st.session_state[PENDING] = _declared()
    except DpcoreError as error:
        st.session_state[REFUSED] = str(error)


def _declared() -> tuple[bytes | Path, DataSource, Schema | None, bool]:
    """What the form holds, checked."""
    told = _layout()
    if st.session_state.get(_key("decimal")) == UNSAID and told["format"] == "delimited":
        remedy = "choose the point or the comma: the names of columns do not say which it is"
        raise IntakeError("no decimal mark is declared", remedy=remedy)
    content, on_server = _content()
    # The names of files stay with the visitor: these only say which kind of study it is.
    if st.session_state[_key("kind")] == TABLE:
        schema = _given_schema()
        # A label and something to predict it from: both are matters of the schema alone.
        if not schema.label or not schema.features:
            raise SchemaError("the schema has no features", remedy="declare one column or more")
        return content, DataSource(file="data", schema="schema", **told), schema, on_server
    positive = st.session_state[_key("positive")].strip()
    if not positive:
        raise IntakeError("no positive label is declared", remedy="write which it is")
    told |= {"scale": st.session_state[_key("scale")], "bounds": _bounds(), **_decisions()}
    told |= {"label": _chosen("label"), "score": _chosen("score"), "positive": positive}
    told["negative"] = negative = st.session_state[_key("negative")].strip() or None
    if negative == positive:
        raise IntakeError("both labels are the same", remedy="write two that differ")
    return content, DataSource(predictions="data", **told), None, on_server


def _decisions() -> dict[str, object]:
    """Another model's score, groups with their public names, and the scores of all classes."""
    score_b, group = _chosen("score_b"), _chosen("group")
    levels, classes, columns = (
        reading_form.marks(st.session_state[_key(name)])
        for name in ("levels", "classes", "class_scores")
    )
    if (group is None) != (not levels):
        raise IntakeError("groups need a column and names", remedy="write both, or neither")
    if len(classes) != len(columns):
        raise IntakeError("each class needs a score", remedy="name a column for each, or none")
    found = {"score_b": score_b, "group": group, "levels": levels}
    found |= {"classes": classes, "class_scores": columns}
    return {name: told or None for name, told in found.items()}


def _layout() -> dict[str, Any]:
    """How the file is said to be written; what the form does not show is as usual."""
    names = ("delimiter", "decimal", "encoding", "line_breaks", "header", "comment", "sheet")
    names = (*names, "unnamed", "above", "commented_header")
    held = {name: st.session_state.get(_key(name)) for name in names}
    form = st.session_state.get(_key("format"), "delimited")
    told = {name: value for name, value in held.items() if value not in (None, "")}
    told |= {"format": form, "missing": reading_form.marks(st.session_state.get(_key("missing")))}
    quote = st.session_state.get(_key("quote"), '"')
    return told | ({"quote": quote} if quote else {"quoted": False})


def _names() -> tuple[str, ...]:
    """The names in the header of what is uploaded; none if it has no such header.

    A file on the server is asked for nothing before it is opened.
    """
    file = st.session_state.get(_file_key())
    if not isinstance(file, UploadedFile) or st.session_state.get(_key("where")) == SERVER:
        return ()
    told = _layout()
    return state.cached(HEADER, lambda *_: _names_in(file, told), file.file_id, repr(told))


def _names_in(file: UploadedFile, told: dict[str, Any]) -> tuple[str, ...]:
    with suppress(DpcoreError):
        dialect = DataSource(predictions="data", **told).dialect
        return column_names(file.getvalue(), dialect, limits=DEFAULT_LIMITS)
    return ()


def _named(role: str, names: tuple[str, ...]) -> str:
    return f"{role} {'/'.join(names)}" if names else role


def _chosen(role: str) -> str | None:
    """The column that was chosen for a role."""
    return (st.session_state.get(_key(_named(role, _names()))) or "").strip() or None


def _content() -> tuple[bytes | Path, bool]:
    if st.session_state.get(_key("where")) == SERVER:
        folder, name = server_folder(), st.session_state.get(_key("server file"))
        if folder is None or not name:
            raise IntakeError("no file is chosen", remedy="choose one of the server's")
        path = folder.find(name)
        if not path.is_file():
            raise IntakeError("that is a folder", remedy="choose a file")
        return path, True
    if (file := st.session_state.get(_file_key())) is None:
        raise IntakeError("no file is chosen", remedy="upload one")
    return file.getvalue(), False


def _given_schema() -> Schema:
    if st.session_state[_key("schema source")] == FORM:
        return schema_table.filled()
    if (file := st.session_state.get(_key("schema file"))) is None:
        remedy = "upload it as TOML, or declare it by hand"
        raise SchemaError("a table needs its schema", remedy=remedy)
    return Schema.from_toml(file.getvalue().decode("utf-8", errors="replace"))


def _read_pending() -> None:
    if PENDING not in st.session_state:
        return
    content, source, schema, on_server = st.session_state.pop(PENDING)
    with uploads.watched("the file"):
        try:
            private_data.take(content, source, schema, unseen=on_server)
        except DpcoreError as error:
            # The file stays in its place, so that only what was wrong is declared again.
            st.session_state[REFUSED] = str(error)
        else:
            _forget_file()
    st.rerun()


def _forget_file() -> None:
    """Opened, the records are with the visit; the server keeps no copy, and asks elsewhere next."""
    if isinstance(file := st.session_state.get(_file_key()), UploadedFile):
        uploads.drop(file)
    st.session_state[VISIT] = st.session_state.get(VISIT, 0) + 1
