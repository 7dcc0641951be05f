"""Hostile files end in one clear sentence, and the visit goes on as if nothing had been."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle

from streamlit.testing.v1 import AppTest

from tests.app.hostile import CONTENTS, GOOD, NAMES, SCHEMAS
from tests.app.opening import sentences
from tests.app.private_visit import headlines, locked, press, visit

NO_BUDGET = "These data have no budget yet"
LONGEST = 300
# What a browser would run, fetch or show as markup, if it came through as it is.
LIVE = re.compile(r"(?<!\\)[\[<$]|\x1b|\0|\u202e")


def give(app: AppTest, content: bytes, name: str = "scores.csv") -> AppTest:
    """Upload predictions and open them."""
    app.file_uploader[0].set_value((name, content, "text/csv"))
    app.text_input(key="private positive").set_value("1").run()
    return press(app, "Open the data")


def outcome(app: AppTest) -> str:
    """The one sentence in which it ended."""
    assert list(app.exception) == []
    if NO_BUDGET in headlines(app):
        assert sentences(app) == []
        press(app, "Close these data")
        return "opened"
    (sentence,) = sentences(app)
    assert "should not have happened" not in sentence
    assert "\n" not in sentence
    assert 20 < len(sentence) <= LONGEST
    assert not LIVE.search(sentence), sentence
    return sentence


def test_every_hostile_file_ends_in_one_sentence(record_property: Callable[..., None]) -> None:
    with locked():
        app = visit("release_desk")
        found = {
            what: outcome(give(app, content, name))
            for (what, content), name in zip(CONTENTS.items(), cycle(NAMES), strict=False)
        }
        assert outcome(give(app, GOOD)) == "opened"
    opened = [what for what, sentence in found.items() if sentence == "opened"]
    told = f"hostile files tried: {len(found)}, of which refused: {len(found) - len(opened)}"
    record_property("counted", told)
    assert len(found) >= 50
    assert {"an open quotation mark", "only a header", "rows of any length", "utf-16"} <= set(
        opened
    )
    assert not {"gzip bomb", "pickle", "text called parquet", "zip"} & set(opened)


def test_the_sentence_does_not_depend_on_the_rows() -> None:
    """Whatever stands below one header, good or bad, the outcome is the same."""
    rows = [content.split(b"\n", 1)[-1].replace(b"\0", b"") for content in CONTENTS.values()]
    with locked():
        app = visit("release_desk")
        for header, wanted in ((b"label,score\n", "opened"), (b"label;score\n", None)):
            found = {outcome(give(app, header + below[:20_000])) for below in rows[::8]}
            assert len(found) == 1
            assert wanted is None or found == {wanted}


def test_every_hostile_schema_ends_in_one_sentence(record_property: Callable[..., None]) -> None:
    with locked():
        app = visit("release_desk")
        app.segmented_control(key="private kind").set_value("table").run()
        for schema in SCHEMAS.values():
            table, declared = app.file_uploader
            table.set_value(("scores.csv", GOOD, "text/csv"))
            declared.set_value(("schema.toml", schema, "application/toml"))
            assert outcome(press(app.run(), "Open the data")) != "opened"
    record_property("counted", f"hostile schemas tried: {len(SCHEMAS)}")
