"""Sentences with text of strangers in them make no markup, on any page."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterator
from unittest import mock

import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.schema import Categorical, Label, Numeric, Schema
from pages.session.text import name_of_file, plain, stated
from pages.widgets import cards
from tests.app.opening import ROOT, open_page
from tests.app.private_visit import locked, press, visit

JOINER = "\u2060"


@pytest.mark.parametrize(
    "text, shown",
    [
        ("![x](http://evil.test/p.png)", r"!\[x\](http:·//evil.test/p.png)"),
        (":red[stop]", r":·red\[stop\]"),
        (":material/home: :tada: :+1:", r":·material/home: :·tada: :·+1:"),
        ("<img src=x>", r"\<img src=x>"),
        ("$x$", r"\$x\$"),
        ("`x` *x* ~~x~~ _x_ a_b_c", r"\`x\` \*x\* \~\~x\~\~ \_x\_ a_b_c"),
        ("*count*: `python -m dpcore evaluate`.", r"\*count\*: `python -m dpcore evaluate`."),
        ("&lt;b&gt; R&D", r"\&lt;b\&gt; R&D"),
        ("www.evil.test a@evil.test", "www·.evil.test a@·evil.test"),
        ("# x", r"\# x"),
        ("1. x", r"1\. x"),
        ("a\nb\u202ec", "a\ufffdb\ufffdc"),
        ("file.csv: 1,000 records", "file.csv: 1,000 records"),
        ("epsilon must be positive, got -1", "epsilon must be positive, got -1"),
    ],
)
def test_markup_is_shown_as_it_stands(text: str, shown: str) -> None:
    assert plain(text) == shown.replace("·", JOINER)


def test_what_an_error_says_is_a_sentence() -> None:
    assert stated(ValueError("epsilon 2 is too much")) == "Epsilon 2 is too much."
    assert stated("Theorem 1.") == "Theorem 1."


def test_the_name_of_a_file_is_readable() -> None:
    assert name_of_file("scores.csv") == "scores.csv"
    assert name_of_file("a\0b\u202ec\n") == "a\ufffdb\ufffdc\ufffd"
    assert len(name_of_file("a" * 300)) == 80


# What Streamlit reads as Markdown: the call, and which of its arguments. Lists that fold out, and
# sliders with stops, show their options as they are.
BODY = ("label", "body", "help", "placeholder", "captions")
CHOSEN = ("radio", "segmented_control", "pills")
MARKDOWN = {
    "markdown", "write", "caption", "error", "warning", "info", "success", "title", "header",
    "subheader", "button", "toggle", "checkbox", "slider", "select_slider", "number_input",
    "text_input", "selectbox", "multiselect", "expander", "metric", "popover", "spinner", "toast",
    "badge", "download_button", "link_button", "page_link", "file_uploader", *CHOSEN,
}  # fmt: skip
# Words of a script for what a file, a link or a person may have put there.
STRANGE = re.compile(
    r"\b(error|sentence|refused|refusal|file|filename|column|columns|level|classes|positive|negative"
    r"|feature_names|unscored|problem|here|person|who|account|opened|notice|composition|items)\b"
)
# Own words that sound strange: (file, expression).
OWN = {
    ("widgets/private_source.py", "refusal"),  # one of the sentences of private_data.py
    ("budget/page.py", "refusal"),
    ("features/scores.py", "unscored"),  # escaped a line before
    ("shell/wrong_mode.py", "sentence"),
    ("budget/page.py", "shown(account.reserve.epsilon)"),
    ("budget/page.py", "account.available"),
    ("widgets/fragments.py", "type(error).__name__"),
    ("widgets/budget_meter.py", "composition(result.charges, result.config.neighbors)"),
    ("release_desk/plan.py", "found.composition"),
    ("widgets/predictions_form.py", "words"),
}


def _unescaped(node: ast.expr) -> Iterator[str]:
    """Parts of an argument that come from a script's variables and pass no `plain`."""
    if isinstance(node, ast.Constant | ast.Lambda):
        return
    if isinstance(node, ast.JoinedStr | ast.BinOp | ast.FormattedValue | ast.IfExp | ast.BoolOp):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr) and not (
                isinstance(node, ast.IfExp) and child is node.test
            ):
                yield from _unescaped(child)
    elif not (isinstance(node, ast.Call) and ast.unparse(node.func) in ("plain", "shown", "len")):
        yield ast.unparse(node)


def strange_markdown(source: str, name: str) -> list[str]:
    """Calls that hand text of strangers to Streamlit's Markdown."""
    found = []
    for call in ast.walk(ast.parse(source)):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        if call.func.attr not in MARKDOWN:
            continue
        options = call.func.attr in CHOSEN
        told = (*BODY, "options", "format_func") if options else BODY
        given = [*call.args[: 1 + options], *(x.value for x in call.keywords if x.arg in told)]
        for text in (text for one in given for text in _unescaped(one)):
            if STRANGE.search(text) and (name, text) not in OWN:
                found.append(f"{name}:{call.lineno} {call.func.attr}({text})")
    return found


def test_no_page_hands_text_of_strangers_to_markdown() -> None:
    files = sorted((ROOT / "pages").rglob("*.py"))
    assert len(files) > 80
    found = [
        one
        for path in files
        for one in strange_markdown(path.read_text(), path.relative_to(ROOT / "pages").as_posix())
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "st.error(str(error))",
        'st.caption(f"all of {opened.title}")',
        "st.radio('x', classes)",
        "place.warning('x', help=sentence)",
    ],
)
def test_text_that_is_not_escaped_would_be_found(line: str) -> None:
    assert strange_markdown(line, "x.py")


PLANTED = (
    "![CANARY](http://evil.test/p.png) <b>CANARY</b> `CANARY` :material/home: $CANARY$ *CANARY*"
)
# What turns the words after it round, and what breaks a sentence of Markdown into two paragraphs.
TURNED = f"{PLANTED}\u202e\n\n# CANARY"
# What a browser would draw, link or fetch of it, in Markdown and in HTML.
LIVE = re.compile(r"(?<!\\)(?:\[CANARY|<b>CANARY|[`$*]CANARY)|:material/home|http://evil")
LIVE_HTML = re.compile("<b>CANARY")
TURNS = re.compile("\u202e|\n\n# CANARY")
TURNS_JSON = re.compile(r"(?<!\\)(\\u202e|\\n\\n# CANARY)")
# What is shown as it is: its own tests look at figures, at tables and at code.
LITERAL = ("arrow_data_frame", "code", "imgs", "component_instance")
UNSEEN = (".id", ".key", "default", "value")
FOLDED = ("selectbox", "multiselect", "slider")
# Options, and those that are chosen where the page has chosen anew: each is one piece of text.
OFFERED = ("options", "raw_values")


def table(planted: str = PLANTED) -> bytes:
    """A table with markup in the names of columns, of levels and of classes."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([f"{planted} number", f"{planted} level", "age", "label"])
    for place in range(200):
        level, label = f"{planted} {place % 3}", planted if place % 7 < 3 else f"no {planted}"
        writer.writerow([place % 31, level, place % 17, label])
    return text.getvalue().encode()


def schema(planted: str = TURNED) -> bytes:
    """What is public about that table, under a title of the same kind."""
    columns = (
        Numeric(f"{planted} number", (0, 31)),
        Categorical(f"{planted} level", tuple(f"{planted} {place}" for place in range(3))),
        Numeric("age", (0, 17)),
        Label("label", (planted, f"no {planted}")),
    )
    return Schema(columns, title=f"{planted} title").to_toml().encode()


def predictions() -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(
        [["label", "score", f"score {TURNED}", "group"]]
        + [
            [
                TURNED if one % 3 else f"no {TURNED}",
                one % 97 / 100,
                one % 89 / 100,
                TURNED[one % 2 :],
            ]
            for one in range(200)
        ]
    )
    return text.getvalue().encode()


def texts(message: Message, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of an element on its way to the browser, with the way to it."""
    for field, value in message.ListFields():
        values = value if isinstance(value, list) or hasattr(value, "append") else [value]
        for one in values:
            if isinstance(one, str):
                yield f"{path}.{field.name}", one
            elif isinstance(one, Message):
                yield from texts(one, f"{path}.{field.name}")


def drawn(app: AppTest) -> list[str]:
    """Where the markup would be drawn, on the page and in the sidebar."""
    found = []
    for block in (app.main, app.sidebar):
        for element in block:
            proto = getattr(element, "proto", None)
            if not isinstance(proto, Message) or element.type in LITERAL:
                continue
            for path, text in texts(proto):
                if "CANARY" not in text or path.endswith(UNSEEN):
                    continue
                if element.type in FOLDED and path.endswith(OFFERED):
                    continue
                if element.type == "bidi_component":
                    # The words for those who cannot see the figure are an attribute.
                    text = re.sub(r'"alt": "(?:[^"\\]|\\.)*"', "", text)
                as_html = element.type in ("html", "bidi_component")
                as_json = element.type == "bidi_component"
                live, turns = LIVE_HTML if as_html else LIVE, TURNS_JSON if as_json else TURNS
                if live.search(text) or turns.search(text):
                    found.append(f"{element.type}{path}: {text[:300]}")
    return found


SCORED = ("data", "roc", "ecdf", "calibration", "threshold", "groups", "compare", "overview")


@pytest.mark.parametrize(
    "kind, key, content, pages",
    [
        ("My table", "table file", table(TURNED), (
            "data", "features", "model", "roc", "ecdf", "calibration", "threshold", "budget",
            "overview", "reusable_holdout", "federated_ecdf", "sparse_vector_lab", "audit",
            "ledger", "release_desk", "reproductions",
        )),
        ("My predictions", "predictions file", predictions(), SCORED),
    ],
    ids=["table", "predictions"],
)  # fmt: skip
def test_markup_of_a_file_is_drawn_on_no_page(
    kind: str, key: str, content: bytes, pages: tuple[str, ...]
) -> None:
    app = open_page("data")
    app.segmented_control(key="control source").set_value(kind).run()
    app.file_uploader(key=key).set_value((f"{PLANTED}.csv", content, "text/csv")).run()
    assert "CANARY" in "".join(element.value for element in app.get("html"))
    if kind == "My table":
        app.file_uploader(key="schema file").set_value((f"{TURNED}.toml", schema(), "")).run()
        assert list(app.error) == []
    walked(app, pages)


def walked(app: AppTest, pages: tuple[str, ...]) -> None:
    """Go through pages; markup reaches them, and is drawn on none."""
    found, seen = {}, 0
    for page in pages:
        app.switch_page(f"pages/{page}/page.py").run()
        assert list(app.exception) == []
        seen += sum("CANARY" in text for _, text in _every_text(app))
        if told := drawn(app):
            found[page] = told
    assert found == {}
    assert seen > len(pages)


def told_in_html(app: AppTest) -> str:
    return "".join(element.value for element in app.get("html"))


def test_markup_of_a_private_file_is_drawn_on_no_page() -> None:
    with locked(), mock.patch("pages.release_desk.preview.REPEATS", 2):
        app = visit("release_desk")
        app.segmented_control(key="private kind").set_value("table").run()
        records, described = app.file_uploader
        # Here every line is a record.
        planted = f"{PLANTED}\u202e"
        records.set_value((f"{TURNED}.csv", table(planted), "text/csv"))
        described.set_value((f"{TURNED}.toml", schema(planted), "application/toml"))
        press(app.run(), "Open the data")
        assert list(app.error) == []
        assert drawn(app) == []
        walked(app, ("budget", "release_desk"))
        digest = app.session_state["private data"].digest
        LedgerStore().open_budget(digest, Loss(2), title=f"{PLANTED} ward")
        walked(app, ("budget", "release_desk", "ledger"))
        press(press(app.switch_page("pages/release_desk/page.py").run(), "Release"), "Charge")
        assert "is stored" in told_in_html(app)
        assert drawn(app) == []
        walked(app, ("release_desk", "budget", "ledger"))


BAD = {
    "a score": ("My predictions", "predictions file", b"label,score\n1,0.5\n0,%s\n"),
    "a column": ("My predictions", "predictions file", b"%s,no score\n1,0.5\n0,0.1\n"),
    "a row too long": ("My table", "table file", b"a,b\n1,2\n1,2,%s\n"),
    "a name twice": ("My table", "table file", b"%s,%s\n1,2\n1,2\n"),
}


@pytest.mark.parametrize("kind, key, content", BAD.values(), ids=BAD)
def test_markup_that_a_refusal_quotes_is_not_drawn(kind: str, key: str, content: bytes) -> None:
    app = open_page("data")
    app.segmented_control(key="control source").set_value(kind).run()
    cell = f'"{TURNED}"'.encode()
    content = content.replace(b"%s", cell)
    app.file_uploader(key=key).set_value((f"{TURNED}.csv", content, "text/csv")).run()
    assert list(app.exception) == []
    assert "CANARY" in "".join(text for _, text in _every_text(app))
    assert drawn(app) == []


@pytest.mark.parametrize("key", ["name", "type", "classes"])
def test_markup_that_the_refusal_of_a_schema_quotes_is_not_drawn(key: str) -> None:
    app = open_page("data")
    app.segmented_control(key="control source").set_value("My table").run()
    app.file_uploader(key="table file").set_value(("t.csv", table(), "text/csv")).run()
    told = json.dumps(TURNED)
    column = {"name": '"x"', "type": '"label"', "classes": '["a", "b"]', key: told}
    written = "[[column]]\n" + "".join(f"{name} = {value}\n" for name, value in column.items())
    app.file_uploader(key="schema file").set_value(("s.toml", written.encode(), "")).run()
    assert list(app.exception) == []
    assert not any("should not have happened" in said.value for said in app.error)
    assert "CANARY" in "".join(text for _, text in _every_text(app))
    assert drawn(app) == []


def _every_text(app: AppTest) -> Iterator[tuple[str, str]]:
    for block in (app.main, app.sidebar):
        for element in block:
            if isinstance(getattr(element, "proto", None), Message):
                yield from texts(element.proto)


PAGES = sorted(path.parent.name for path in (ROOT / "pages").glob("*/words.md"))


def test_every_page_with_a_figure_of_its_own_explains_it() -> None:
    # Those of the test scores are told by the class that they share.
    telling = re.compile(r"cards\.words_of\(|\(score_pages\.ScorePage\b")
    told = {
        path.parent.name
        for path in (ROOT / "pages").glob("*/*.py")
        if path.parent.name != "widgets" and telling.search(path.read_text(encoding="utf-8"))
    }
    assert set(PAGES) == told
    assert len(PAGES) > 10


@pytest.mark.parametrize("page", PAGES)
def test_the_words_of_every_view_are_found_with_their_formula(page: str) -> None:
    text = (ROOT / "pages" / page / "words.md").read_text(encoding="utf-8")
    views = re.findall(r"^# (.+)$", text, re.MULTILINE)
    found = [cards.words_of(page, view) for view in views or [""]]
    assert all(words.strip() and "$$" not in words for words, _ in found)
    # A threshold is explained by the rates of the glossary; that clusters fail needs no formula.
    bare = {"threshold": 1, "sparse_vector_lab": 1}.get(page, 0)
    assert [bool(formula) for _, formula in found].count(False) == bare
    # No view shows what is said of another one.
    assert all("\n# " not in words for words, _ in found)
