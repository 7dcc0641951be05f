"""The data page: samples, uploads that work, and uploads that are refused in one sentence."""

from __future__ import annotations

import gzip
import io
import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.data.reading import samples
from tests.app.opening import assert_calm, html, open_page, sentences

CSV = "text/csv"
PEOPLE = pd.DataFrame(
    {
        "age": [20 + place % 50 for place in range(300)],
        "smokes": ["yes" if place % 3 else "no" for place in range(300)],
        "y": ["sick" if place * 7 % 11 < 4 else "well" for place in range(300)],
    }
)


def choose(app: AppTest, kind: str) -> AppTest:
    return app.segmented_control(key="control source").set_value(kind).run()


def upload(app: AppTest, key: str, name: str, content: bytes, mime: str = CSV) -> AppTest:
    return app.file_uploader(key=key).set_value((name, content, mime)).run()


@pytest.fixture
def tables() -> AppTest:
    return choose(open_page("data"), "My table")


@pytest.fixture
def predictions() -> AppTest:
    return choose(open_page("data"), "My predictions")


@pytest.mark.few(2)
@pytest.mark.parametrize("name", samples())
def test_every_sample_can_be_picked(name: str) -> None:
    app = open_page("data")
    app.radio(key="control data").set_value(name).run()
    assert [error.message for error in app.exception] == []
    assert samples()[name].title in html(app)
    assert app.query_params["data"] == name


def test_a_wide_table_sends_little_for_each_column(tables: AppTest) -> None:
    """Of the most columns that a table may have it is below 2 MB; a row of all is much more."""
    header = ",".join([*(f"answer {place}" for place in range(1_000)), "y"])
    rows = [",".join([*map(str, np.arange(1_000) * at % 7), "ab"[at % 2]]) for at in range(40)]
    upload(tables, "table file", "wide.csv", "\n".join([header, *rows]).encode())
    assert tables.expander[-1].label == "The first 8 of 40 records, 200 of 1,001 columns"
    assert sum(one.proto.ByteSize() for one in tables.dataframe) < 2_000_000 / 10


def as_parquet() -> bytes:
    content = io.BytesIO()
    PEOPLE.to_parquet(content)
    return content.getvalue()


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name, content",
    [
        ("people.csv", PEOPLE.to_csv(index=False).encode()),
        ("people.tsv", PEOPLE.to_csv(index=False, sep="\t").encode("utf-16")),
        ("people.csv.gz", gzip.compress(PEOPLE.to_csv(index=False, sep=";").encode())),
        ("people.parquet", as_parquet()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_table_is_taken_with_a_suggested_schema(
    tables: AppTest, name: str, content: bytes
) -> None:
    upload(tables, "table file", name, content)
    assert_calm(tables)
    assert f"{name}: 300 records, 3 columns" in html(tables)
    captions = " ".join(caption.value for caption in tables.caption)
    assert "facts are taken from the data" in captions


def test_a_table_without_a_label_leads_to_the_data_page(tables: AppTest) -> None:
    three = pd.DataFrame({"age": range(30), "kind": ["a", "b", "c"] * 10})
    upload(tables, "table file", "three.csv", three.to_csv(index=False).encode())
    assert "Choose the column that the model should predict" in tables.info[0].value
    tables.switch_page("pages/overview/page.py").run()
    assert [error.value for error in tables.error] == [
        "The schema has no label; make one column the label."
    ]
    labels = [element.proto.label for element in tables.get("page_link")]
    assert labels == ["To the Data page"]


def test_an_uploaded_table_reaches_every_page(tables: AppTest) -> None:
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    for name in ("features", "model", "roc", "overview"):
        tables.switch_page(f"pages/{name}/page.py").run()
        assert_calm(tables)
        assert "people.csv" in html(tables)
    assert tables.query_params["data"] == "upload"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name, content",
    [
        ("noise.csv", bytes(range(256)) * 20),
        ("empty.csv", b""),
        ("broken.parquet", b"PAR1 and nothing more"),
        ("bomb.csv.gz", b"\x1f\x8b\x08\x00 not really gzip"),
        ("page.csv", b"<!doctype html><html><body>no table</body></html>"),
        ("sheet.csv", b"PK\x03\x04 a spreadsheet in disguise"),
    ],
)
def test_a_malformed_table_is_one_sentence_and_nothing_is_lost(
    tables: AppTest, name: str, content: bytes
) -> None:
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    upload(tables, "table file", name, content)
    assert [error.message for error in tables.exception] == []
    (sentence,) = sentences(tables)
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert len(sentence) < 300
    assert "people.csv: 300 records" in html(tables)


def test_the_next_good_upload_takes_the_complaint_away(tables: AppTest) -> None:
    upload(tables, "table file", "empty.csv", b"")
    assert sentences(tables)
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    assert sentences(tables) == []


def test_a_table_without_a_label_says_what_to_do(tables: AppTest) -> None:
    ages = pd.DataFrame({"age": np.arange(30) * 1.5, "height": np.arange(30) * 2.5})
    upload(tables, "table file", "ages.csv", ages.to_csv(index=False).encode())
    assert [error.message for error in tables.exception] == []
    tables.switch_page("pages/roc/page.py").run()
    assert [error.message for error in tables.exception] == []
    assert "make one column the label" in sentences(tables)[0]


def test_a_schema_file_replaces_the_suggestion(tables: AppTest) -> None:
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    schema = (
        '[[column]]\nname = "age"\ntype = "numeric"\nbounds = [0, 120]\n'
        '[[column]]\nname = "y"\ntype = "label"\nclasses = ["well", "sick"]\n'
    )
    upload(tables, "schema file", "people.toml", schema.encode(), "application/toml")
    assert_calm(tables)
    captions = " ".join(caption.value for caption in tables.caption)
    assert "Nothing in this schema is taken from the data" in captions


def test_a_malformed_schema_is_one_sentence(tables: AppTest) -> None:
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    upload(tables, "schema file", "bad.toml", b"[[column]\nname =", "application/toml")
    assert [error.message for error in tables.exception] == []
    assert len(sentences(tables)) == 1
    assert "people.csv: 300 records" in html(tables)


def test_predictions_are_taken_and_lead_to_their_curve(predictions: AppTest) -> None:
    rows = "".join(
        f"{place % 2},{0.3 + 0.4 * (place % 2) * (place % 7) / 7}\n" for place in range(500)
    )
    upload(predictions, "predictions file", "p.csv", f"label,score\n{rows}".encode())
    assert_calm(predictions)
    assert "p.csv: 500 predictions" in html(predictions)
    assert "The first 8 of 500 predictions" in [one.value for one in predictions.caption]
    predictions.switch_page("pages/roc/page.py").run()
    assert_calm(predictions)
    assert "the true one is" in html(predictions)
    assert "all records: evaluation" in html(predictions)


def test_of_few_rows_all_are_shown(predictions: AppTest) -> None:
    upload(predictions, "predictions file", "p.csv", b"label,score\n0,0.2\n1,0.7\n1,0.6\n")
    assert "All 3 predictions" in [one.value for one in predictions.caption]
    tables = choose(predictions, "My table")
    upload(tables, "table file", "t.csv", b"age,ill\n41,yes\n50,no\n62,yes\n33,no\n")
    assert "All 4 records" in [one.label for one in tables.expander]


def test_the_example_predictions_are_one_click_away(predictions: AppTest) -> None:
    next(button for button in predictions.button if button.label == "Try an example").click().run()
    assert_calm(predictions)
    assert "5,000 predictions" in html(predictions)


@pytest.mark.parametrize("name", ["features", "model"])
def test_pages_that_need_a_table_say_so(predictions: AppTest, name: str) -> None:
    next(button for button in predictions.button if button.label == "Try an example").click().run()
    predictions.switch_page(f"pages/{name}/page.py").run()
    assert_calm(predictions)
    assert '<h2 class="dpcore-headline">' in html(predictions)
    assert any("open a table with" in one.value for one in predictions.markdown)
    ways = [one.proto.label for one in predictions.get("page_link")]
    assert "See the ROC curve" in ways
    assert "To the Data page" in ways


def test_scores_outside_their_range_are_refused(predictions: AppTest) -> None:
    upload(predictions, "predictions file", "p.csv", b"label,score\n0,0.1\n1,7\n")
    predictions.segmented_control(key="control score scale").set_value("probability").run()
    (sentence,) = sentences(predictions)
    assert sentence.startswith("Row 2, ")


def test_another_label_is_taken_and_the_curve_follows(tables: AppTest) -> None:
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    label = next(box for box in tables.selectbox if box.label.startswith("Label"))
    label.set_value("smokes").run()
    assert_calm(tables)
    drawn = json.loads(tables.get("bidi_component")[0].proto.json)
    assert drawn["data"][0]["y"] == ["no", "yes"]


def test_an_edited_sample_can_be_restored() -> None:
    app = open_page("data", data="heart-risk")
    positive = next(box for box in app.selectbox if box.label.startswith("Positive"))
    positive.set_value("no").run()
    assert_calm(app)
    next(button for button in app.button if button.label.startswith("Back to")).click().run()
    positive = next(box for box in app.selectbox if box.label.startswith("Positive"))
    assert positive.value == "yes"


@pytest.mark.parametrize(
    "name, words",
    [
        ("breast-cancer", ["Train a model", "See the ROC curve"]),
        ("heart-risk", ["Choose features", "Train a model"]),
    ],
)
def test_the_result_says_what_a_model_would_predict_and_leads_on(
    name: str, words: list[str]
) -> None:
    app = open_page("data", data=name)
    assert "a model would predict “" in html(app)
    assert [element.proto.label for element in app.get("page_link")] == words


MESSY = pd.DataFrame(
    {
        "patient_id": range(1, 301),
        "readmitted_30d": ["yes" if place % 3 else "no" for place in range(300)],
        "age": [20 + place % 50 for place in range(300)],
        "sex": ["m" if place % 2 else "f" for place in range(300)],
        "smoker": ["yes" if place % 5 else "no" for place in range(300)],
    }
)


def test_a_guessed_label_is_named_with_the_columns_that_it_could_be(tables: AppTest) -> None:
    upload(tables, "table file", "messy.csv", MESSY.to_csv(index=False).encode())
    assert_calm(tables)
    assert "a model would predict “readmitted_30d” (yes)" in html(tables)
    assert "“sex” and “smoker” have two values too" in tables.info[0].value
    next(box for box in tables.selectbox if box.label.startswith("Label")).set_value("sex").run()
    assert len(tables.info) == 0
    assert "a model would predict “sex” (m)" in html(tables)


def test_a_label_whose_name_leaves_no_doubt_is_no_warning(tables: AppTest) -> None:
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    assert len(tables.info) == 0
    assert "are guesses" in " ".join(caption.value for caption in tables.caption)


def test_nobody_is_told_to_ignore_what_is_ignored(tables: AppTest) -> None:
    upload(tables, "table file", "messy.csv", MESSY.to_csv(index=False).encode())
    assert "looks like a record number; it is ignored." in html(tables)
    assert "leave it out" not in html(tables)


def test_nothing_old_is_shown_beside_a_refusal(tables: AppTest) -> None:
    upload(tables, "table file", "people.csv", PEOPLE.to_csv(index=False).encode())
    assert "classes" in [element.key for element in tables.get("bidi_component")]
    upload(tables, "table file", "empty.csv", b"")
    assert "empty.csv was not opened. You still work on people.csv: 300 records" in html(tables)
    assert "classes" not in [element.key for element in tables.get("bidi_component")]
    assert len(tables.dataframe) == 0
    assert list(tables.get("page_link")) == []


def test_what_holds_for_many_columns_is_one_sentence_with_a_count() -> None:
    app = open_page("data", data="breast-cancer")
    first, _, _ = html(app).partition("remarks")
    assert re.search(r"columns are odd in the same way: “.* and \d+ more\. The first: Col", first)
    (folded,) = [one for one in app.expander if "remarks, one by one" in one.label]
    assert folded.label == "15 remarks, one by one"


def under(block: Any) -> list[Any]:
    """Everything within it, in the order of the page."""
    below = [(one, under(one)) for one in getattr(block, "children", {}).values()]
    return [each for one, deeper in below for each in (one, *deeper)]


def test_what_one_press_can_settle_is_said_above_the_figure_beside_its_button(
    tables: AppTest,
) -> None:
    dates = [f"{1 + at % 28:02}/03/2023" for at in range(len(MESSY))]
    table = MESSY.assign(admitted=dates).to_csv(index=False).encode()
    upload(tables, "table file", "dates.csv", table)
    parts = under(tables.main)
    said, acted, drawn = (
        next(at for at, one in enumerate(parts) if one.type == kind and words in str(one.value))
        for kind, words in (("html", "holds dates"), ("button", ""), ("bidi_component", ""))
    )
    assert parts[acted].label == "Leave out “admitted”"
    assert said < acted < drawn
    parts[acted].click().run()
    ignored = "holds dates, and no model counts their days"
    assert ignored in html(tables)
    assert "as a number; it is ignored." in html(tables)
    assert all(one.label != "Leave out “admitted”" for one in tables.button)


def test_what_was_read_otherwise_than_meant_stands_above_the_figure() -> None:
    parts = under(open_page("data", data="breast-cancer").main)
    (remarks, *_) = [
        at for at, one in enumerate(parts) if one.type == "html" and "odd in" in one.value
    ]
    (drawn,) = [at for at, one in enumerate(parts) if one.type == "bidi_component"]
    assert remarks < drawn


def test_a_table_of_spaces_without_names_whose_labels_are_missing_leads_on() -> None:
    """What was found out is said, each part changed, and rows without a label left out at once."""
    app = choose(open_page("data"), "My table")
    rows = [f"{20 + at % 40} {at * 7 % 50 / 4} {['?', 1, 0, 0, 1][at % 5]}" for at in range(200)]
    upload(app, "table file", "heart.dat", "\n".join(rows).encode())
    assert_calm(app)
    headline = next(line for line in html(app).splitlines() if "dpcore-headline" in line)
    assert "heart.dat: 160 records, 3 columns; 40 rows are left out; a model would" in headline
    assert "white space, no header" in [one.proto.popover.label for one in app.get("popover")]
    (switch,) = app.toggle
    assert (switch.label, switch.value) == ("Leave out 40 of 200 rows", True)
    app.segmented_control(key="control read decimal").set_value(",").run()
    assert "decimal comma" in " ".join(one.proto.popover.label for one in app.get("popover"))
    app.segmented_control(key="control read decimal").set_value(".").run()
    app.toggle[0].set_value(False).run()
    assert any("40 missing labels" in error for error in html(app).split("<li>"))
    app.toggle[0].set_value(True).run()
    app.switch_page("pages/roc/page.py").run()
    assert_calm(app)


def test_a_table_that_is_refused_twice_can_yet_be_said_to_be_written_otherwise(
    tables: AppTest,
) -> None:
    content = b"age;died\n" + b"".join(b"%d;%d\n" % (at, at % 2) for at in range(60)) + b"x;y;z\n"
    upload(tables, "table file", "t.csv", content)
    assert "3 cells" in sentences(tables)[0]
    tables.selectbox(key="control read delimiter").set_value("|").run()
    tables.selectbox(key="control read delimiter").set_value(";").run()
    assert "3 cells" in sentences(tables)[0]
    tables.text_input(key="control read comment").set_value("x").run()
    assert "t.csv: 60 records, 2 columns" in html(tables)


def test_lines_above_a_table_are_said_and_their_number_changed(tables: AppTest) -> None:
    rows = b"".join(b"%d;%d\n" % (20 + at, at % 2) for at in range(60))
    upload(tables, "table file", "t.csv", b"Ward 7\nMay\nage;died\n" + rows)
    assert "semicolons, 2 lines above the table" in read_as(tables)
    tables.number_input(key="control read above").set_value(3).run()
    assert "semicolons, 3 lines above the table, no header" in read_as(tables)
    tables.number_input(key="control read above").set_value(100).run()
    assert "is empty" in sentences(tables)[0]
    tables.number_input(key="control read above").set_value(0).run()
    tables.number_input(key="control read above").set_value(2).run()
    assert "semicolons, 2 lines above the table" in read_as(tables)
    assert "t.csv: 60 records, 2 columns" in html(tables)


def read_as(app: AppTest) -> list[str]:
    return [one.proto.popover.label for one in app.get("popover")]


def test_a_second_column_like_the_label_is_said_until_one_is_chosen(predictions: AppTest) -> None:
    rows = [f"{place % 2},{place // 7 % 2},{place * 37 % 60 / 60:.3f}" for place in range(60)]
    content = ("y_true,label,score\n" + "\n".join(rows)).encode()
    upload(predictions, "predictions file", "p.csv", content)
    assert "is taken as the label, and “label” looks like one too" in html(predictions)
    predictions.selectbox(key="control label column").set_value("label").run()
    assert "looks like one too" not in html(predictions)
