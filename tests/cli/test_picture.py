"""`python -m dpcore picture`: what it writes of what the app draws, and what it refuses."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path

import pytest

from dpcore.cli import main
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.figures import Picture


def line(name: str) -> Picture:
    trace = {"type": "scatter", "x": [0, 1], "y": [0, 1]}
    return Picture(name=name, alt=f"The {name} <line>.", data=[trace], layout={"font": {}})


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """An app that draws one line, two of a link that pins one; what it was asked for."""
    asked: list[tuple[str, str]] = []

    def pictures_of(link: str, theme: str) -> list[tuple[str, Picture]]:
        asked.append((link, theme))
        if link == "nowhere":
            raise InvalidArgument("page", link, "one of 'roc'")
        if link == "budget":
            raise MissingResource("the page 'budget' has no figure here", "take another")
        if "pin=" in link:
            return [("Now: epsilon 1", line("a")), ("Pinned: epsilon 2", line("b"))]
        return [("", line(link)), ("", line("second figure of the page"))]

    module = types.ModuleType("pages.shell.picture")
    module.pictures_of = pictures_of
    monkeypatch.setitem(sys.modules, "pages.shell.picture", module)
    return asked


def test_the_main_figure_of_a_link_is_written(
    app: list[tuple[str, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a.json"
    assert main(["picture", "roc", "--out", str(out), "--theme", "dark", "--width", "400"]) == 0
    (figure,) = json.loads(out.read_text(encoding="utf-8"))
    assert app == [("roc", "dark")]
    assert (figure["layout"]["width"], figure["layout"]["height"]) == (400, 360)
    assert figure["layout"]["paper_bgcolor"] == "#11181F"
    assert capsys.readouterr().out == f"{out}: The roc <line>.\n"


@pytest.mark.parametrize(
    "told, settings",
    [
        (["roc?pin=x"], ["Now: epsilon 1", "Pinned: epsilon 2"]),
        (["roc", "--beside", "ecdf"], ["first link", "second link"]),
    ],
)
def test_two_figures_share_the_width(
    app: list[tuple[str, str]], tmp_path: Path, told: list[str], settings: list[str]
) -> None:
    out = tmp_path / "a.html"
    assert main(["picture", *told, "--out", str(out), "--width", "1000"]) == 0
    page = out.read_text(encoding="utf-8")
    assert all(words in page for words in settings)
    assert '"width": 500' in page
    # A document that needs no network, and words of a file cannot close its script.
    assert page.count("<script>") == page.count("</script>") >= 2
    assert "&lt;line&gt;" in page


@pytest.mark.parametrize(
    "told, code, says",
    [
        (["nowhere", "--out", "a.json"], 2, "page must be one of 'roc'"),
        (["budget", "--out", "a.json"], 1, "has no figure here"),
        (["roc", "--out", "a.gif"], 2, "--out must end in .json, .html, .svg, .png"),
        (["roc", "--out", "a.json", "--width", "3"], 2, "--width must lie between 200 and"),
        (["roc", "--out", "missing/folder/a.json"], 1, "no such file or directory"),
        (["roc", "--out", "missing/folder/a.png"], 1, "missing/folder: no such file or directory"),
        (["roc", "--out", "a.png"], 1, "drawn by Chromium, which is not here; ask for .html"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_an_exit_code(
    app: list[tuple[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    told: list[str],
    code: int,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "no browser"))
    assert main(["picture", *told]) == code
    (sentence,) = capsys.readouterr().err.splitlines()
    assert says in sentence
    assert list(tmp_path.iterdir()) == []


def test_without_the_app_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pages.shell.picture", None)
    assert main(["picture", "roc", "--out", "a.json"]) == 1
    assert "the app is not installed beside dpcore" in capsys.readouterr().err
