"""Hostile files end in one clear sentence, and the visit goes on as if nothing had been."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import cycle

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.hostile import CONTENTS, GOOD, NAMES, SCHEMAS
from tests.app.opening import open_page, sentences
from tests.app.private_visit import headlines, locked, press, visit
from tests.app.test_data import choose, upload

NO_BUDGET = "These data have no budget yet"
LONGEST = 300
# What a browser would run, fetch or show as markup, if it came through as it is.
LIVE = re.compile(r"(?<!\\)[\[<$]|\x1b|\0|\u202e")
OPENED = ("an open quotation mark", "only a header", "rows of any length", "utf-16")
REFUSED = ("gzip bomb", "pickle", "text called parquet", "zip")


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


@pytest.mark.parametrize("full", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_every_hostile_file_ends_in_one_sentence(
    full: bool, record_property: Callable[..., None]
) -> None:
    tried = [*CONTENTS] if full else [*dict.fromkeys([*OPENED, *REFUSED, *[*CONTENTS][::20]])]
    with locked():
        app = visit("release_desk")
        found = {
            what: outcome(give(app, CONTENTS[what], name))
            for what, name in zip(tried, cycle(NAMES), strict=False)
        }
        assert outcome(give(app, GOOD)) == "opened"
    opened = [what for what, sentence in found.items() if sentence == "opened"]
    told = f"hostile files tried: {len(found)}, of which refused: {len(found) - len(opened)}"
    record_property("counted", told)
    assert len(CONTENTS) >= 50
    assert set(OPENED) <= set(opened)
    assert not set(REFUSED) & set(opened)


@pytest.mark.parametrize("every", [24, pytest.param(8, marks=pytest.mark.slow)])
def test_the_sentence_does_not_depend_on_the_rows(every: int) -> None:
    """Whatever stands below one header, good or bad, the outcome is the same."""
    rows = [content.split(b"\n", 1)[-1].replace(b"\0", b"") for content in CONTENTS.values()]
    with locked():
        app = visit("release_desk")
        for header, wanted in ((b"label,score\n", "opened"), (b"label;score\n", None)):
            found = {outcome(give(app, header + below[:20_000])) for below in rows[::every]}
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


def test_how_a_file_is_written_is_asked_of_a_refused_text_alone() -> None:
    """A Parquet file that was refused had separators and decimal signs to be chosen."""
    page = choose(open_page("data"), "My predictions")
    whole = io.BytesIO()
    pd.DataFrame({"label": [0, 1] * 30, "score": [0.2, 0.7] * 30}).to_parquet(whole)
    for content, name, asked in (
        (whole.getvalue()[:-40], "cut.parquet", False),
        (b"%PDF-1.7\n%x\n", "p.pdf", False),
        (b"label,score\n0,0\x00.5\n", "p.csv", True),
    ):
        upload(page, "predictions file", name, content)
        assert sentences(page) != []
        labels = [one.proto.popover.label for one in page.get("popover")]
        assert ("How the file is written" in labels) is asked, name
