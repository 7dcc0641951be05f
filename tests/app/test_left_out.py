"""A journey: predictions of which some rows lack a label or a score, on every page."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.privacy import Loss
from dpcore.store import LedgerStore
from tests.app import private_visit
from tests.app.opening import assert_calm, html, open_page
from tests.app.test_data import choose, upload

PAGES = ("overview", "roc", "ecdf", "calibration", "threshold", "federated_ecdf")


def table() -> bytes:
    """Four hundred rows, of which nine lack a label and nine others a score."""
    rows = []
    for place in range(400):
        score = place * 37 % 400 / 400
        label = "yes" if score + place % 7 / 10 > 0.8 else "no"
        lacks = place % 22
        rows.append(f"{'' if lacks == 3 else label},{'NA' if lacks == 9 else score}")
    rows[3::22] = rows[3::22][:9] + ["no,0.1"] * (len(rows[3::22]) - 9)
    rows[9::22] = rows[9::22][:9] + ["no,0.1"] * (len(rows[9::22]) - 9)
    return ("label,score\n" + "\n".join(rows) + "\n").encode()


@pytest.fixture(scope="module", params=["add-remove", "replace"])
def opened(request: pytest.FixtureRequest) -> AppTest:
    app = choose(open_page("data", neighbors=request.param), "My predictions")
    upload(app, "predictions file", "incomplete.csv", table())
    assert_calm(app)
    (switch,) = app.toggle
    assert (switch.label, switch.value) == ("Leave out 18 of 400 rows", True)
    return app


@pytest.mark.few(3)
@pytest.mark.parametrize("name", PAGES)
def test_rows_left_out_lead_to_a_figure_on_every_page(opened: AppTest, name: str) -> None:
    opened.switch_page(f"pages/{name}/page.py").run()
    assert_calm(opened)
    assert "incomplete.csv" in html(opened)
    drawn = json.loads(opened.get("bidi_component")[0].proto.json)
    assert drawn["data"]


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration"])
def test_rows_left_out_do_not_stop_a_release(what: str) -> None:
    content = table().replace(b"yes", b"1").replace(b"no", b"0")
    LedgerStore().open_budget(private_visit.opened(content).digest, Loss(2), title="Ward 7")
    with private_visit.locked(), patch("pages.release_desk.preview.REPEATS", 4):
        app = private_visit.with_data("release_desk", content, release_desk_what=what)
        assert_calm(app)
        assert app.get("bidi_component")
        private_visit.press(private_visit.press(app, "Release"), "Charge")
        assert_calm(app)
        assert "is stored: showing it again costs nothing" in private_visit.headlines(app)
