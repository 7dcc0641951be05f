"""Opening private data: everything is declared, and the wait tells nothing."""

from __future__ import annotations

import hashlib

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from pages.widgets import private_data, schema_table
from tests.app.opening import html, sentences
from tests.app.private_visit import SOURCE, headlines, locked, press, scores, visit
from tests.data.reading.corpus import workbook

pytestmark = pytest.mark.usefixtures("private")

SCHEMA = b"""[[column]]
name = "age"
type = "numeric"
bounds = [0, 99]
[[column]]
name = "ill"
type = "label"
classes = ["no", "yes"]
"""
TABLE = b"age,ill\n" + b"30,yes\n40,no\n" * 50


def declared_table(schema: bytes | None) -> AppTest:
    app = visit("release_desk")
    app.segmented_control(key="private kind").set_value("table").run()
    table, described = app.file_uploader
    table.set_value(("ward-seven.csv", TABLE, "text/csv"))
    if schema is not None:
        described.set_value(("ward.toml", schema, "application/toml"))
    return press(app.run(), "Open the data")


def test_a_table_with_its_schema_is_opened_and_can_be_closed() -> None:
    app = declared_table(SCHEMA)
    assert sentences(app) == []
    assert app.session_state["private data"].schema.features[0].name == "age"
    assert "100" not in headlines(app)
    app = press(app, "Close these data")
    assert "private data" not in app.session_state
    assert "Nothing is open" in headlines(app)


def test_lines_above_the_table_are_declared() -> None:
    app = visit("release_desk")
    app.segmented_control(key="private kind").set_value("table").run()
    app.number_input(key="private above").set_value(2).run()
    table, described = app.file_uploader
    table.set_value(("a.csv", b'"Ward 7\n\n' + TABLE, "text/csv"))
    described.set_value(("ward.toml", SCHEMA, "application/toml"))
    app = press(app.run(), "Open the data")
    assert sentences(app) == []
    frame = app.session_state["private data"].records.frame
    assert frame["age"].tolist() == [30.0, 40.0] * 50


def test_a_table_without_its_schema_is_not_opened() -> None:
    app = declared_table(None)
    assert sentences(app) == ["A table needs its schema; upload it as TOML, or declare it by hand."]
    assert "private data" not in app.session_state


def test_the_blank_form_is_no_schema() -> None:
    app = visit("release_desk")
    app.segmented_control(key="private kind").set_value("table").run()
    app.segmented_control(key="private schema source").set_value("form").run()
    app.file_uploader[0].set_value(("a.csv", TABLE, "text/csv"))
    app = press(app.run(), "Open the data")
    assert sentences(app) == ["The schema has no label; make one column the label."]


def test_the_positive_label_is_declared_never_guessed() -> None:
    app = visit("release_desk")
    app.file_uploader[0].set_value(("a.csv", scores(), "text/csv"))
    app = press(app.run(), "Open the data")
    assert "No positive label is declared" in sentences(app)[0]


def test_one_label_is_not_both() -> None:
    app = visit("release_desk")
    app.file_uploader[0].set_value(("a.csv", scores(), "text/csv")).run()
    app.text_input(key="private positive").set_value("1")
    app = press(app.text_input(key="private negative").set_value(" 1").run(), "Open the data")
    assert sentences(app) == ["Both labels are the same; write two that differ."]


def test_two_models_are_two_columns() -> None:
    """Else a comparison would be charged for, and say 0."""
    app = visit("release_desk")
    app.file_uploader[0].set_value(("a.csv", b"y,a,b\n1,0.5,0.5\n0,0.2,0.3\n", "text/csv")).run()
    app.text_input(key="private positive").set_value("1").run()
    held = {one.label: one for one in app.selectbox}
    held["Column of the score"].set_value("a").run()
    held = {one.label: one for one in app.selectbox}
    app = press(held["Score of another model"].set_value("a").run(), "Open the data")
    assert len(sentences(app)) == 1
    assert "different columns" in sentences(app)[0]
    held = {one.label: one for one in app.selectbox}
    app = press(held["Score of another model"].set_value("b").run(), "Open the data")
    assert "compare" in app.session_state["private data"].kinds


def test_neither_the_digest_nor_the_name_of_the_file_is_shown() -> None:
    app = declared_table(SCHEMA)
    digest = app.session_state["private data"].digest
    shown = html(app) + str(dict(app.query_params))
    assert digest not in shown
    assert hashlib.sha256(TABLE).hexdigest() not in shown
    assert "ward-seven" not in shown


@pytest.mark.parametrize("rows", [b"", b"1;ja;0,5\n", "1;ä;0,5\n".encode()])
def test_a_header_of_one_byte_for_each_letter_is_no_utf_8(rows: bytes) -> None:
    app = visit("release_desk")
    header = "Fall;Einschätzung;Risiko\n".encode("latin-1")
    app.file_uploader[0].set_value(("k.csv", header + rows, "text/csv")).run()
    assert app.selectbox(key="private encoding").value == "windows-1252"
    held = {one.label: one for one in app.selectbox}
    assert "Einschätzung" in held["Column of the label"].options


@pytest.mark.parametrize(
    "rows", [b"", b"1;ja;0,5\n2;nein;0,25\n", b"1,2,3,4,5\n\xff\xfe|||||\t\t\n"]
)
def test_an_upload_fills_in_what_its_header_says_and_no_row_does(rows: bytes) -> None:
    app = visit("release_desk")
    app.file_uploader[0].set_value(("k.csv", b"Kunde;Ausfall;Risiko\n" + rows, "text/csv")).run()
    held = {one.label: one.value for one in app.selectbox}
    assert (held["Separated by"], held["Decimal mark"], held["Encoding"]) == (";", "", "utf-8")
    assert (held["Column of the label"], held["Column of the score"]) == ("Ausfall", "Risiko")
    app.selectbox(key="private decimal").set_value(".").run()
    app.text_input(key="private positive").set_value("ja").run()
    assert app.selectbox(key="private decimal").value == "."
    # Another file in its place: what the first one filled in goes with it.
    app.file_uploader[0].set_value(("l.csv", b"id,label,score\n" + rows, "text/csv")).run()
    held = {one.label: one.value for one in app.selectbox}
    assert (held["Separated by"], held["Column of the label"]) == (",", "label")


@pytest.mark.parametrize("mark, decimal", [(";", "."), (";", ","), ("\t", ","), ("|", ".")])
def test_no_score_is_lost_for_a_decimal_mark_that_nobody_has_declared(
    mark: str, decimal: str
) -> None:
    """Python writes points between semicolons, and a spreadsheet commas between tabs."""
    rows = ("label,score\n" + "1,0.25\n0,0.5\n" * 30).replace(",", mark).replace(".", decimal)
    app = visit("release_desk")
    app.file_uploader[0].set_value(("k.csv", rows.encode(), "text/csv")).run()
    app.text_input(key="private positive").set_value("1").run()
    app = press(app, "Open the data")
    assert "No decimal mark is declared" in sentences(app)[0]
    assert "private data" not in app.session_state
    app = press(app.selectbox(key="private decimal").set_value(decimal).run(), "Open the data")
    assert sentences(app) == []
    assert app.session_state["private data"].records.y_score[:2].tolist() == [0.25, 0.5]
    app = press(app, "Close these data")
    # A file on the server fills in nothing: whoever chooses its separator is asked too.
    app.selectbox(key="private delimiter").set_value(";").run()
    assert app.selectbox(key="private decimal").value == ""
    app.selectbox(key="private delimiter").set_value(",").run()
    assert app.selectbox(key="private decimal").value == "."
    # Who has said before that it is the comma is not asked again.
    app.selectbox(key="private decimal").set_value(",").run()
    app.selectbox(key="private delimiter").set_value("\t").run()
    assert app.selectbox(key="private decimal").value == ","


@pytest.mark.parametrize(
    ("header", "behind"),
    [(b"# Ausfall;Risiko", True), (b"%Ausfall;Risiko", True), (b"#;Risiko", False), (b"#;", False)],
)
@pytest.mark.parametrize("rows", [b"", b"ja;0,5\n# nein;0,25\n#\n"])
def test_a_header_behind_a_mark_is_filled_in_by_itself_alone(
    header: bytes, behind: bool, rows: bytes
) -> None:
    app = visit("release_desk")
    app.file_uploader[0].set_value(("k.csv", header + b"\n" + rows, "text/csv")).run()
    assert app.text_input(key="private comment").value == header[:1].decode() * behind
    held = {one.label: one.value for one in app.selectbox}
    if behind:
        assert app.toggle(key="private commented_header").value
        assert (held["Column of the label"], held["Column of the score"]) == ("Ausfall", "Risiko")
    app.file_uploader[0].set_value(("l.csv", b"label,score\n" + rows, "text/csv")).run()
    assert app.text_input(key="private comment").value == ""


def test_wide_text_and_a_workbook_say_themselves_what_they_are() -> None:
    app = visit("release_desk")
    wide = "y_true\ty_prob\n1\t0.5\n0\t0.2\n".encode("utf-16")
    app.file_uploader[0].set_value(("w.txt", wide, "text/plain")).run()
    assert app.selectbox(key="private encoding").value == "utf-16"
    app.text_input(key="private positive").set_value("1").run()
    app.selectbox(key="private decimal").set_value(".").run()
    app = press(app, "Open the data")
    assert sentences(app) == []
    assert app.session_state["private data"].records.y_score.tolist() == [0.5, 0.2]
    app = press(app, "Close these data")
    book = workbook([["y_true", "y_prob"], [1, 0.5], [0, 0.2]])
    app.file_uploader[0].set_value(("w.xlsx", book, "application/zip")).run()
    assert app.segmented_control(key="private format").value == "excel"
    app.text_input(key="private positive").set_value("1").run()
    app = press(app, "Open the data")
    assert sentences(app) == []
    assert app.session_state["private data"].records.y_true.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("content", "whole"),
    [
        (b'{"y": 1, "p": 0.5}\n{"y": 0, "p": 0.25}\n', False),
        (b'[\n{"y": 1, "p": 0.5},\n{"y": 0, "p": 0.25}]', True),
        (b'{"y": [1, 0],\n"p": [0.5, 0.25]}', True),
    ],
)
def test_json_is_opened_as_lines_or_as_one_text(content: bytes, whole: bool) -> None:
    app = visit("release_desk")
    app.file_uploader[0].set_value(("w.json", content, "application/json")).run()
    app.segmented_control(key="private format").set_value("json").run()
    app.toggle(key="private line_breaks").set_value(whole).run()
    for key, value in (("label", "y"), ("score", "p"), ("positive", "1")):
        app.text_input(key=f"private {key}").set_value(value).run()
    app = press(app, "Open the data")
    assert sentences(app) == []
    records = app.session_state["private data"].records
    assert (records.y_true.tolist(), records.y_score.tolist()) == ([1, 0], [0.5, 0.25])


def test_a_first_line_that_turns_out_to_be_a_record_says_nothing() -> None:
    app = visit("release_desk")
    app.file_uploader[0].set_value(("k.csv", b"Kunde;Ausfall;Risiko\n1;1;0,5\n", "text/csv")).run()
    app.selectbox(key="private quote").set_value("'").run()
    told = ("delimiter", "decimal", "encoding", "quote")
    assert [app.selectbox(key=f"private {name}").value for name in told] == [";", "", "utf-8", "'"]
    app.toggle(key="private header").set_value(False).run()
    assert [app.selectbox(key=f"private {name}").value for name in told] == [",", ".", "utf-8", "'"]
    # Nor how many cells it has: columns are named by their places, whichever there are.
    assert app.text_input(key="private label").placeholder == "such as column_1"
    assert not [one for one in app.selectbox if "column_1" in one.options]
    app.selectbox(key="private delimiter").set_value("\t").run()
    app.toggle(key="private header").set_value(True).run()
    assert [app.selectbox(key=f"private {name}").value for name in told] == [
        "\t",
        "",
        "utf-8",
        "'",
    ]


def test_classes_are_declared_with_a_score_each_and_offered_on_the_desk() -> None:
    app = visit("release_desk")
    content = b"y,u,v,w\n" + b"a,0.7,0.2,0.1\nb,0.2,0.6,0.2\nc,0.1,0.2,0.7\n" * 40
    app.file_uploader[0].set_value(("three.csv", content, "text/csv")).run()
    named = {one.label: one for one in app.selectbox}
    assert named["Column of the score"].value is None
    named["Column of the label"].set_value("y").run()
    app.text_input(key="private positive").set_value("b").run()
    app.text_input(key="private classes").set_value("a, b, c").run()
    app.text_input(key="private class_scores").set_value("u, v").run()
    app = press(app, "Open the data")
    assert "Each class needs a score" in sentences(app)[0]
    app.text_input(key="private class_scores").set_value("u, v, w").run()
    app = press(app, "Open the data")
    opened = app.session_state["private data"]
    assert opened.source.classes == ("a", "b", "c")
    assert opened.records.y_score[:3].tolist() == [0.2, 0.6, 0.2]
    (what,) = [one for one in app.selectbox if one.label == "Publish"]
    assert "Every class against the rest" in what.options


def test_the_wait_is_a_power_of_two_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    clock = iter([0.0, 0.3, 0.3, 10.0, 15.0, 15.0])
    monkeypatch.setattr(private_data, "monotonic", lambda: next(clock))
    monkeypatch.setattr(private_data, "sleep", waits.append)
    monkeypatch.setattr(private_data, "st", type("Session", (), {"session_state": {}}))
    private_data.take(scores(), SOURCE, None, unseen=True)
    private_data.take(scores(), SOURCE, None, unseen=True)
    assert waits == [pytest.approx(0.7), pytest.approx(3.0)]


def test_the_server_keeps_no_copy_of_a_file_that_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it was refused it stays in its field, until it is opened or taken out there."""
    held: list[int] = []
    remove = MemoryUploadedFileManager.remove_file

    def watched(self: MemoryUploadedFileManager, session_id: str, file_id: str) -> None:
        remove(self, session_id, file_id)
        held.append(sum(len(files) for files in self.file_storage.values()))

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", watched)
    app = visit("release_desk")
    app.file_uploader[0].set_value(("a.csv", b"no,such\n1,0.5\n0,0.25\n", "text/csv"))
    app.text_input(key="private positive").set_value("1").run()
    app = press(app, "Open the data")
    assert (len(sentences(app)), held) == (1, [])
    app.selectbox(key="private label no/such").set_value("no")
    app.selectbox(key="private score no/such").set_value("such").run()
    # It was about what was pressed before.
    assert sentences(app) == []
    app = press(app, "Open the data")
    assert app.session_state["private data"].records.y_score.tolist() == [0.5, 0.25]
    assert held == [0]
    with locked("teach"):
        app = visit("data")
        for kind, key in (("My table", "table file"), ("My predictions", "predictions file")):
            app.segmented_control(key="control source").set_value(kind).run()
            app.file_uploader(key=key).set_value(("a.csv", scores(), "text/csv")).run()
            app.run()
            assert "a.csv" in html(app)
        app = visit("sparse_vector_lab", sparse_vector_lab_source="upload")
        app.file_uploader[0].set_value(("a.csv", b"item,count\na,3\nb,2\n", "text/csv")).run()
    assert held == [0] * 4


def test_closing_gives_the_memory_back(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr("pages.session.memory.tidy", lambda: given.append("back"))
    press(declared_table(SCHEMA), "Close these data")
    assert given == ["back"]


def test_the_pickers_are_filled_by_the_names_of_an_upload_and_by_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = visit("release_desk")
    names = "id y_true p_hat"
    content = f"{names}\n".encode() + b"1 'no way' 0.9\n2 yes 0.4\n" * 30
    app.selectbox(key="private delimiter").set_value(" ").run()
    app.selectbox(key="private decimal").set_value(".").run()
    app.selectbox(key="private quote").set_value("'").run()
    app.file_uploader[0].set_value(("a.txt", content, "text/plain"))
    app.run()
    key = names.replace(" ", "/")
    assert app.selectbox(key=f"private label {key}").value == "y_true"
    assert app.selectbox(key=f"private score {key}").value == "p_hat"
    app.text_input(key="private positive").set_value("yes").run()
    app = press(app, "Open the data")
    assert sentences(app) == []
    found = app.session_state["private data"]
    assert found.records.y_true.tolist() == [0, 1] * 30
    assert (found.source.delimiter, found.source.quote, found.source.label) == (" ", "'", "y_true")


def test_json_lines_and_sheets_are_declared() -> None:
    app = visit("release_desk")
    app.segmented_control(key="private format").set_value("json").run()
    content = b'{"y": 1, "p": 0.9}\n{"p": 0.4, "y": 0}\n' * 30
    app.file_uploader[0].set_value(("a.jsonl", content, "application/json"))
    app.run()
    app.text_input(key="private label").set_value("y")
    app.text_input(key="private score").set_value("p")
    app.text_input(key="private positive").set_value("1").run()
    app = press(app, "Open the data")
    assert sentences(app) == []
    assert app.session_state["private data"].records.y_true.size == 60


def test_the_form_of_a_table_begins_with_the_names_of_its_columns() -> None:
    app = visit("release_desk")
    app.segmented_control(key="private kind").set_value("table").run()
    app.segmented_control(key="private schema source").set_value("form").run()
    app.file_uploader[0].set_value(("a.csv", TABLE, "text/csv"))
    app.run()
    held = app.session_state[schema_table.FILLED]
    assert held["column"].tolist() == ["age", "ill"]
    assert held.drop(columns=["column", "gaps"]).isna().all(axis=None)


def test_a_reading_can_be_cancelled_and_the_wait_of_a_server_file_stays_rounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who waits sees nothing between the reading and the end of the rounded time."""
    order: list[str] = []

    def wait(read: object, share: object) -> object:
        order.append("wait")
        found = read()
        order.append("over")
        return found

    monkeypatch.setattr(private_data, "sleep", lambda seconds: order.append("sleep"))
    monkeypatch.setattr(private_data, "st", type("Session", (), {"session_state": {}}))
    token = private_data.open_data.waiting.set(wait)
    try:
        private_data.take(scores(), SOURCE, None, unseen=True)
    finally:
        private_data.open_data.waiting.reset(token)
    assert order == ["wait", "sleep", "over"]
