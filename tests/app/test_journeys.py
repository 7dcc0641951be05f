"""From an odd but real-looking file to the picture, one page after the other, as a person goes."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.schema import Label, Numeric, Schema
from pages.session import page_list
from tests.app.opening import html, open_page, sentences
from tests.app.private_visit import headlines, press
from tests.app.test_data import choose, upload
from tests.app.test_pin import figures

# As a spreadsheet of another country saves it: a byte order mark, semicolons, decimal commas,
# spaces around cells, one empty label and one score that is none.
ODD_SCORES = "kenmerk;uitkomst;kans\r\n"
# Words with commas inside quotation marks, a date, an empty column, and "?" where nothing is known.
ODD_TABLE = "Patient,Age (years),Sex,Note,Empty,Relapse\n"


def odd_scores(n: int = 600) -> bytes:
    draws = np.random.default_rng(4)
    ill = draws.random(n) < 0.4
    chance = np.clip(draws.normal(0.4 + 0.2 * ill, 0.15), 0.01, 0.99)
    rows = [
        f"p{place}; {'ja' if one else 'nee'} ;{f'{score:.4f}'.replace('.', ',')}\r\n"
        for place, (one, score) in enumerate(zip(ill, chance, strict=True))
    ]
    rows[7] = "p7;;0,5\r\n"
    rows[11] = "p11;ja;n.v.t.\r\n"
    return b"\xef\xbb\xbf" + (ODD_SCORES + "".join(rows)).encode()


def odd_table(n: int = 400) -> bytes:
    draws = np.random.default_rng(5)
    age = draws.integers(18, 95, n)
    relapse = draws.random(n) < np.where(age > 60, 0.7, 0.3)
    sex = draws.choice(["F", "M", "?"], n, p=[0.48, 0.48, 0.04])
    rows = [
        f'{1000 + place},{years},{kind},"cough, mild",,{"yes" if again else "no"}\n'
        for place, (years, kind, again) in enumerate(zip(age, sex, relapse, strict=True))
    ]
    return (ODD_TABLE + "".join(rows)).encode("latin-1")


@pytest.fixture(scope="module")
def scored() -> AppTest:
    """A visit that has opened odd predictions."""
    app = upload(choose(open_page("data"), "My predictions"), "predictions file", "kans.csv",
                 odd_scores())  # fmt: skip
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def tabled() -> AppTest:
    """A visit that has opened an odd table."""
    app = upload(choose(open_page("data"), "My table"), "table file", "ward.csv", odd_table())
    assert not app.exception
    return app


def headline(app: AppTest) -> str:
    found = re.search(r'dpcore-headline">(.*?)</h2>', html(app))
    assert found is not None
    return found[1]


OF_PREDICTIONS = {
    "overview": "private AUC is 0.",
    "roc": "private AUC is 0.",
    "ecdf": "no point of the private curves is off by more than",
    "calibration": "the released counts",
    "threshold": "of 1,000 people",
}
OF_A_TABLE = {
    "overview": "AUC",
    "roc": "AUC",
    "model": "the model reaches a true test AUC of",
    "features": "feature",
    "ecdf": "At epsilon",
    "calibration": "At epsilon",
    "threshold": "threshold",
    "groups": "large enough to judge differs",
    "compare": "which model is better",
}
OTHERS = ("audit", "budget", "federated_ecdf", "ledger", "release_desk", "reproductions")
OTHERS += ("reusable_holdout", "sparse_vector_lab")


def test_every_page_has_a_journey_which_begins_with_the_data() -> None:
    assert {"data", *OF_PREDICTIONS, *OF_A_TABLE, *OTHERS} == set(page_list.ICONS)


@pytest.mark.parametrize("page, says", OF_PREDICTIONS.items())
def test_odd_predictions_reach_their_picture(scored: AppTest, page: str, says: str) -> None:
    scored.switch_page(f"pages/{page}/page.py").run()
    assert not scored.exception
    assert not any("should not have happened" in sentence for sentence in sentences(scored))
    assert says in headline(scored)
    assert scored.get("bidi_component") or scored.get("component_instance")


@pytest.mark.parametrize("page, says", OF_A_TABLE.items())
def test_an_odd_table_reaches_its_picture(tabled: AppTest, page: str, says: str) -> None:
    tabled.switch_page(f"pages/{page}/page.py").run()
    assert not tabled.exception
    assert not any("should not have happened" in sentence for sentence in sentences(tabled))
    assert says in headline(tabled)


@pytest.mark.few(3)
@pytest.mark.parametrize("page", OTHERS)
def test_who_has_uploaded_can_look_at_every_other_page(tabled: AppTest, page: str) -> None:
    tabled.switch_page(f"pages/{page}/page.py").run()
    assert not tabled.exception
    assert not any("should not have happened" in sentence for sentence in sentences(tabled))
    assert headline(tabled)


def product_table(n: int = 6_000) -> bytes:
    """Dose and temperature say nothing by themselves: which way one counts hangs on the other."""
    draws = np.random.default_rng(6)
    dose, temperature, age = (
        draws.uniform(0, 10, n),
        draws.uniform(0, 40, n),
        draws.integers(18, 95, n),
    )
    odds = 0.15 * (dose - 5) * (temperature - 20)
    spoilt = draws.random(n) < 1 / (1 + np.exp(-odds))
    rows = zip(dose, temperature, age, spoilt, strict=True)
    lines = [f"{a:.2f},{b:.1f},{c},{'yes' if again else 'no'}" for a, b, c, again in rows]
    return "\n".join(["Dose,Temperature,Age,Spoilt", *lines, ""]).encode()


def with_products() -> AppTest:
    """The parameters of a model of that table."""
    app = upload(choose(open_page("data"), "My table"), "table file", "lab.csv", product_table())
    assert not app.exception
    app.switch_page("pages/model/page.py").run()
    app.select_slider(key="control total").set_value("10").run()
    return app.button_group(key="control model_view").set_value("parameters").run()


def test_two_columns_that_count_together_are_found_and_named() -> None:
    app = with_products()
    assert not app.exception
    told = " ".join(element.value for element in app.caption)
    assert "Weighed together besides: “Dose” with “Temperature”." in told
    # Dose and temperature go either way, as the other is low or high: neither direction is wrong.
    assert "one feature with a direction" in headlines(app)
    assert "1 the same direction, 0 the opposite one" in headlines(app)
    ((trace,), _) = figures(app)["model pairs"]
    assert trace["name"] == "Dose with Temperature"


def ward(names: str, rows: list[str]) -> AppTest:
    """The Data page with a table of so many rows, each with its end of the line."""
    content = "".join([names, "\n", *rows]).encode()
    return upload(choose(open_page("data"), "My table"), "table file", "ward.csv", content)


def test_what_is_missing_is_said_later_and_nothing_else_is_asked_again() -> None:
    rows = [
        f"{999 if place % 40 == 0 else 30 + place % 50},{place % 7},{'no' if place % 3 else 'yes'},"
        f"{'no' if place % 4 else 'yes'}\n"
        for place in range(400)
    ]
    app = ward("age,visits,smokes,died", rows)
    assert "would predict “died” (yes)" in headline(app)
    (label,) = [one for one in app.selectbox if one.label.startswith("Label")]
    label.set_value("smokes").run()
    (positive,) = [one for one in app.selectbox if one.label.startswith("Positive")]
    positive.set_value("no").run()
    assert "would predict “smokes” (no)" in headline(app)
    press(app, "Treat 999 as missing")
    assert "would predict “smokes” (no)" in headline(app)
    schema = app.session_state["upload"].records.schema
    # What follows from the data is looked up again, and so is what was not touched.
    assert schema.column("age").bounds == (30, 79)
    assert "age.bounds" in schema.taken_from_data
    assert schema.column("died").type == "binary"


def test_a_column_that_the_schema_leaves_out_stays_out() -> None:
    rows = [
        f"{999 if place % 40 == 0 else 30},{place % 7},{place % 3 % 2}\n" for place in range(400)
    ]
    app = ward("age,visits,died", rows)
    opened = app.session_state["upload"]
    schema = Schema((Numeric("age", (0, 120)), Label("died", ("0", "1"))))
    records = replace(opened.records, schema=schema)
    app.session_state["upload"] = replace(opened, records=records, suggested=False)
    press(app.run(), "Treat 999 as missing")
    found = app.session_state["upload"].records
    assert [one.name for one in found.schema.columns] == ["age", "died"]
    assert found.frame["age"].max() == 30


@pytest.mark.parametrize(
    ("names", "is_said"),
    [
        ("score,age", True),
        ("risk_old,risk_new", True),
        ("prob_yes,age", False),
        ("fat_pct,water_pct", False),
    ],
)
def test_a_file_of_predictions_that_is_opened_as_a_table_says_so(names: str, is_said: bool) -> None:
    rows = [
        f"{place * 37 % 400 / 400},{place * 53 % 97},{place % 3 // 2}\n" for place in range(400)
    ]
    app = ward(f"{names},died", rows)
    assert not app.exception
    assert ("called like scores of a model: to see how good that model is" in html(app)) is is_said


def test_predictions_are_read_again_with_the_columns_that_were_chosen() -> None:
    rows = [
        f"{'NS'[place % 2]};{place * 37 % 100 / 100};{place * 53 % 100 / 100};"
        f"{'?!' if place % 50 == 1 else 'no' if place % 3 else 'yes'}\n"
        for place in range(400)
    ]
    content = ("site;old;new;died\n" + "".join(rows)).encode()
    app = upload(choose(open_page("data"), "My predictions"), "predictions file", "p.csv", content)
    assert "scores are about “yes”" in headline(app)
    (shown,) = [one for one in app.selectbox if one.label == "Show the score"]
    shown.set_value("new").run()
    (positive,) = [one for one in app.selectbox if one.label.startswith("Positive")]
    positive.set_value("no").run()
    (missing,) = [one for one in app.text_input if one.label == "What counts as missing"]
    missing.set_value("?!").run()
    assert "8 rows are left out; scores are about “no”" in headline(app)
    assert app.session_state["upload"].records.columns == ("died", "new")
    (mark,) = [one for one in app.selectbox if one.label == "Columns are separated by"]
    mark.set_value("|").run()
    assert any("has one column only" in sentence for sentence in sentences(app))
