"""Copy as Python in Private mode: run, the lines give its numbers and read no record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.desk import releases
from dpcore.store import Account
from tests.app.opening import assert_calm, html
from tests.app.private_visit import headlines, locked, opened, press, scores, visit, with_data
from tests.app.test_python_code import code, run
from tests.app.test_release_desk import with_table
from tests.desk._made import table

CONTENT = scores()
REPEATS = 4


@pytest.fixture(autouse=True)
def private() -> object:
    """A locked server whose data have a budget of 2."""
    LedgerStore().open_budget(opened(CONTENT).digest, Loss(2), title="Ward 7")
    with locked(), mock.patch("pages.release_desk.preview.REPEATS", REPEATS):
        yield


def copied(
    app: AppTest, key: str, folder: Path, monkeypatch: pytest.MonkeyPatch, place: int = 0
) -> dict[str, Any]:
    """What the lines of one fold leave behind, run where neither ledger nor records are known."""
    text = code(app, place, f"python {key}")
    assert_calm(app)
    store = LedgerStore()
    for secret in (opened(CONTENT).digest, str(store.path), store.path.name, store._key.hex()):
        assert secret not in text
    before = store.export()
    with monkeypatch.context() as patch:
        patch.setenv("DPCORE_LEDGER", "/nowhere/ledger.sqlite")
        left = run(text, folder, patch)
    assert store.export() == before
    return left


def release(**address: str) -> AppTest:
    return press(press(with_data("release_desk", CONTENT, **address), "Release"), "Charge")


@pytest.mark.few(2)
@pytest.mark.parametrize("what", ["roc", "auc", "calibration", "ecdf", "threshold"])
def test_the_lines_show_what_was_released(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = release(epsilon="0.5", release_desk_what=what)
    (stored,) = releases(LedgerStore())
    (tmp_path / f"{stored.name}.json").write_text(stored.to_json(), encoding="utf-8")
    for place, app in enumerate((first, visit("ledger"))):
        left = copied(app, "release", tmp_path, monkeypatch, place)
        assert left["release"].headline in html(app)
        assert stored.kind.csv(stored.found) in left["printed"]


def test_the_lines_tell_how_a_budget_was_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LedgerStore()
    store.reserve(opened(CONTENT).digest, Loss("0.5"))
    store.open_budget("another", Loss(7), title="Ward 8")
    release(epsilon="0.5")
    store.spend(opened(CONTENT).digest, "r1", "by hand", Loss("0.25"))
    (tmp_path / "ledger.json").write_text(store.export(), encoding="utf-8")
    for app in (with_data("budget", CONTENT), visit("ledger")):
        left = copied(app, "history", tmp_path, monkeypatch)
        account: Account = left["account"]
        assert account == store.account(opened(CONTENT).digest)
        assert left["printed"].splitlines()[-1] == "by hand: epsilon 0.75"
        (drawn,) = [one for one in figures(app) if one["key"] == "history"]
        assert drawn["data"][0]["y"] == left["picture"].data[0]["y"] == [0.0, 0.5, 0.75]


def figures(app: AppTest) -> list[dict[str, Any]]:
    """What is drawn."""
    parts = (json.loads(one.proto.json) for one in app.get("bidi_component"))
    return [one for one in parts if "layout" in one]


EXPECTED = {
    "roc": {"release_desk_auc": "0.9", "release_desk_n": "1000"},
    "calibration": {"release_desk_calibration_method": "observed-expected", "epsilon": "0.3"},
    "ecdf": {"release_desk_ecdf_method": "tree", "test": "0.3"},
}


@pytest.mark.few(2)
@pytest.mark.parametrize("what", EXPECTED)
def test_the_lines_expect_what_the_desk_expects(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = with_data("release_desk", CONTENT, release_desk_what=what, **EXPECTED[what])
    left = copied(app, "expected", tmp_path, monkeypatch)
    the_same(app, left)
    # What the visitor guesses is what is simulated.
    assert left["expected"].assumed.n == int(EXPECTED[what].get("release_desk_n", 5000))


def the_same(app: AppTest, left: dict[str, Any]) -> None:
    assert left["expected"].sentence in headlines(app)
    assert left["expected"].spread_sentence in " ".join(one.value for one in app.markdown)


@pytest.mark.few(2)
@pytest.mark.parametrize("what", ["features", "roc", "model"])
def test_the_lines_expect_of_a_table_what_its_schema_says(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = table(digest=f"table {what}")
    LedgerStore().open_budget(data.digest, Loss(3), title="Patients")
    chosen = {"select": "noisy-scores", "select__top_k": "2", "epsilon__selection": "0.2"}
    app = with_table(data, release_desk_what=what, **chosen)
    (button,) = [one for one in app.get("download_button") if one.label == "Save the schema"]
    assert button
    (tmp_path / "schema.toml").write_text(data.schema.to_toml(), encoding="utf-8")
    the_same(app, copied(app, "expected", tmp_path, monkeypatch))
