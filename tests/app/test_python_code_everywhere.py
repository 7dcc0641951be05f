"""Under every figure of every page, in both modes, stand the lines that give its numbers."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType
from unittest import mock

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.study.python import Script
from pages.session.text import table as words_of
from pages.widgets.python_code import LINES, TITLE
from tests.app import (
    test_audit_page,
    test_compare_page,
    test_journeys,
    test_release_desk,
    test_roc_classes,
)
from tests.app.opening import PAGES, ROOT, open_page
from tests.app.private_visit import locked, opened, press, scores, visit, with_data
from tests.app.test_python_code_views import LABS, VIEWS
from tests.desk._made import table

# Figures that the lines of the next one give too.
TOGETHER = {"score histogram", "federated", "audit outputs", "audit roc", "model parameters"}
VISITS: dict[str, dict[str, str]] = {page: {} for page in PAGES}
VISITS |= {visited: chosen for visited, (chosen, _, _) in LABS.items()}
VISITS |= {
    visited: {f"{visited.split()[0]}_view": visited.split()[1], **chosen}
    for visited, (chosen, _) in VIEWS.items()
}
VISITS |= {
    "features chosen": {"select": "noisy-scores", "epsilon__selection": "0.5"},
    "model parameters": {"model_view": "parameters"},
    "model runtime": {"model_view": "runtime", "model_methods": "truncated-counts"},
}
FOLDERS = {path.parent.name: words_of(path) for path in ROOT.glob("pages/*/python.toml")}
# What draws a figure, wherever a page does.
SHOWS = ("plot.show", "pin.show")


def drawn(app: AppTest) -> list[str]:
    """The figures of a page by their keys; each has the fold beneath it, before the next."""
    waiting, found = [], []
    for one in app.main:
        if one.type == "bidi_component" and "layout" in (told := json.loads(one.proto.json)):
            assert TOGETHER.issuperset(waiting), f"{waiting[-1]} has no {TITLE}"
            waiting.append(told["key"])
        if one.type == "expander" and one.proto.label == TITLE:
            found += waiting
            waiting = []
    assert not waiting, f"{waiting[-1]} has no {TITLE}"
    return found


@pytest.fixture
def desk() -> Iterator[None]:
    """In Private mode; few records are made up for what to expect, since no number is looked at."""
    with locked(), mock.patch("pages.release_desk.preview.REPEATS", 4):
        yield


@pytest.fixture(scope="module")
def met() -> set[str]:
    """The visits, and the figures that any of them has met."""
    return set()


@pytest.mark.parametrize("visited", VISITS)
def test_in_teach_mode(visited: str, met: set[str]) -> None:
    app = open_page(visited.split()[0], **VISITS[visited])
    app = test_audit_page.finished(app) if visited.startswith("audit") else app
    found = drawn(app)
    assert found
    met.update(found, [visited])


def test_of_two_columns_that_count_together(met: set[str]) -> None:
    found = drawn(test_journeys.with_products())
    assert found == ["model parameters", "model pairs"]
    met.update(found)


def test_of_a_visitor_s_own_scores(met: set[str]) -> None:
    for page in ("data", "overview", "roc", "compare", "groups"):
        app = test_compare_page.with_file(page, test_compare_page.content())
        found = drawn(app)
        assert found
        met.update(found)
    app = test_roc_classes.with_scores(roc_view="classes")
    met.update(drawn(app))


@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration", "auc", "threshold"])
def test_in_private_mode(what: str, met: set[str], desk: None) -> None:
    content = scores()
    LedgerStore().open_budget(opened(content).digest, Loss(2), title="Ward 7")
    app = with_data("release_desk", content, epsilon="0.5", release_desk_what=what)
    expected = drawn(app)
    assert expected == [f"expected {what}"] * (what not in ("auc", "threshold"))
    app = press(press(app, "Release"), "Charge")
    assert drawn(app) == [f"released {what}", *expected]
    assert drawn(visit("ledger")) == ["history", f"released {what}"]
    assert drawn(with_data("budget", content)) == ["history"]
    if what in PAGES:
        assert drawn(with_data(what, content)) == [f"released {what}"]
    met.add("history")


@pytest.mark.parametrize("what", ["features", "model", "groups"])
def test_of_a_private_table(what: str, desk: None) -> None:
    data = table(digest=f"table {what}")
    LedgerStore().open_budget(data.digest, Loss(3), title="Patients")
    app = test_release_desk.with_table(data, release_desk_what=what)
    drawn(app)
    drawn(press(press(app, "Release"), "Charge"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_lines_import_what_is_public_from_where_it_is_listed(folder: str) -> None:
    for name, lines in FOLDERS[folder].items():
        # No other folder has lines of that name.
        assert LINES[name] == lines
        for module, names in re.findall(r"^from (\S+) import (.+)$", lines, re.MULTILINE):
            for one in names.split(", "):
                found, script = getattr(import_module(module), one), Script()
                if module.startswith("dpcore") and isinstance(found, type | FunctionType):
                    script.name_of(found)
                    assert str(script).strip() == f"from {module} import {one}"


def test_no_figure_was_left_out(met: set[str]) -> None:
    """Whoever draws another one adds a visit to where it is."""
    if not met.issuperset(VISITS):
        pytest.skip("some of the visits above were not asked for")
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.glob("pages/*/*.py")]
    calls = [one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Call)]
    shown = [one for one in calls if ast.unparse(one.func) in SHOWS]
    told = [word.value for one in shown for word in one.keywords if word.arg == "key"]
    keys = {str(key.value) for key in told if isinstance(key, ast.Constant)}
    assert len(keys) > 15
    assert keys <= met
