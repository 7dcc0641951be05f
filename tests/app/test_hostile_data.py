"""Hostile files in Teach mode: one clear sentence each, whatever they are called."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.hostile import CONTENTS, NAMES, SCHEMAS
from tests.app.opening import html, open_page
from tests.app.test_hostile_uploads import LIVE, LONGEST, REFUSED

KINDS = {"My table": "table file", "My predictions": "predictions file"}
GOOD = b"label,score\n" + b"1,0.9\n0,0.2\n" * 20


def given(app: AppTest, kind: str, name: str, content: bytes) -> str:
    """The sentence in which an upload ended, or "opened"."""
    if (source := app.segmented_control(key="control source")).value != kind:
        source.set_value(kind).run()
    app.file_uploader(key=KINDS[kind]).set_value((name, content, "text/csv")).run()
    assert list(app.exception) == []
    said = [element.value for element in app.error]
    assert len(said) <= 1
    return said[0] if said else "opened"


@pytest.mark.parametrize("full", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.few(1)
@pytest.mark.parametrize("kind", KINDS)
def test_every_hostile_file_ends_in_one_sentence(
    kind: str, full: bool, record_property: Callable[..., None]
) -> None:
    app = open_page("data")
    found = {}
    # A table of so many columns fills the editor of its schema, for half a minute.
    tried = {**CONTENTS, "ten thousand columns": b"x," * 999 + b"x\n" + b"0," * 999 + b"1\n"}
    if not full:
        tried = {what: tried[what] for what in dict.fromkeys([*REFUSED, *[*tried][::10]])}
    for (what, content), name in zip(tried.items(), cycle(NAMES), strict=False):
        found[what] = given(app, kind, name, content)
        if found[what] != "opened":
            assert 20 < len(found[what]) <= LONGEST
            assert "should not have happened" not in found[what]
            assert not LIVE.search(found[what]), found[what]
    assert given(app, kind, "scores.csv", GOOD) == "opened"
    assert "scores.csv" in html(app)
    refused = [what for what, sentence in found.items() if sentence != "opened"]
    told = f"hostile files tried in Teach mode as {kind[3:]}: {len(found)}, refused {len(refused)}"
    record_property("counted", told)
    assert set(REFUSED) <= set(refused)


@pytest.mark.few(3)
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_every_hostile_schema_ends_in_one_sentence(schema: bytes) -> None:
    app = open_page("data")
    given(app, "My table", "scores.csv", GOOD)
    app.file_uploader(key="schema file").set_value(("schema.pickle", schema, "")).run()
    assert list(app.exception) == []
    assert len(app.error) <= 1
    assert all("should not have happened" not in one.value for one in app.error)


def test_a_schema_without_its_table_is_refused_in_a_sentence() -> None:
    app = open_page("data")
    given(app, "My predictions", "scores.csv", GOOD)
    app.segmented_control(key="control source").set_value("My table").run()
    app.file_uploader(key="schema file").set_value(("s.toml", SCHEMAS["another table"], "")).run()
    assert [one.value for one in app.error] == [
        "No table is open; upload the table before its schema."
    ]


def test_a_schema_of_another_table_is_a_problem_and_no_failure() -> None:
    app = open_page("data")
    given(app, "My table", "scores.csv", GOOD)
    other = SCHEMAS["another table"].replace(b'"label"\ntype', b'"ill"\ntype')
    app.file_uploader(key="schema file").set_value(("s.toml", other, "")).run()
    assert list(app.error) == []
    assert "lack the column" in html(app)
    for page in ("model", "roc", "overview"):
        app.switch_page(f"pages/{page}/page.py").run()
        assert not any("should not have happened" in one.value for one in app.error)
