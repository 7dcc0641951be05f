"""Pictures as PNG and SVG, by a browser without a window."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from dpcore.errors import MissingResource
from dpcore.figures import DARK
from dpcore.figures.export import figure, page, save, section, table
from dpcore.figures.picture import Picture, scatter


def test_text_is_escaped_everywhere():
    picture = Picture(name="x", alt='a "quoted" <alt>', data=[{"name": "</script><b>"}], layout={})
    drawn = figure(picture, picture, caption="<caption>")
    assert "</script><b>" not in drawn
    assert 'aria-label="a &quot;quoted&quot; &lt;alt&gt;"' in drawn
    assert "&lt;caption&gt;" in drawn
    assert "&lt;h&gt;" in section("<h>")
    assert "<title>&lt;t&gt;</title>" in page("<t>", []).decode()


@pytest.mark.parametrize(
    "rows, right",
    [([["a", 0.5], ["b", 1.0]], True), ([["a", 0.5], ["b", ""]], False), ([], False)],
)
def test_columns_of_numbers_stand_right(rows, right):
    drawn = table(["name", "value"], rows)
    assert ('<th scope="col" class="number">value' in drawn) is right
    assert '<th scope="col">name' in drawn


def test_numbers_have_four_digits():
    assert '<td class="number">0.1235</td>' in table(["x"], [[0.123456]])
    assert '<td class="number">12</td>' in table(["x"], [[12]])


def test_signs_that_cannot_be_seen_are_boxes_in_a_table():
    drawn = table(["\u202ename"], [["a\u202eb\x00"]])
    assert "<td>a\ufffdb\ufffd</td>" in drawn
    assert "\u202e" not in drawn


PICTURE = Picture(
    name="line",
    alt="A line.",
    data=[scatter("lines", "risk", [0, 1], [0, 1], line={"color": "#ff0000"})],
    layout={"plot_bgcolor": "#0000ff", "xaxis": {"title": {"text": "share <of> records"}}},
)


@pytest.mark.browser
def test_png_and_svg_hold_both_pictures(
    chromium: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM", chromium)
    shown = [("Now & then", PICTURE), ("Pinned", PICTURE)]
    for form in ("png", "svg"):
        save(shown, tmp_path / f"a.{form}", theme=DARK, width=800)
    with Image.open(tmp_path / "a.png") as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    assert pixels.shape == (400, 800, 3)
    assert tuple(pixels[-1, -1]) == (0x11, 0x18, 0x1F)
    # The ground of either figure and the line on it, at the same place of both halves.
    for colour in ((0, 0, 255), (255, 0, 0)):
        there = np.all(np.abs(pixels - colour) < 40, axis=2)
        assert there[:, :400].sum() == pytest.approx(there[:, 400:].sum(), rel=0.1)
        assert there[:, :400].sum() > 100
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    words = "".join(root.itertext())
    assert "Now & then" in words
    assert words.count("share <of> records") == 2
    assert len(root.findall("{http://www.w3.org/2000/svg}svg")) == 2


def test_a_browser_that_fails_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM", "/bin/false")
    with pytest.raises(MissingResource, match="false cannot draw here"):
        save([("", PICTURE)], tmp_path / "a.png", theme=DARK, width=800)


def answered(monkeypatch: pytest.MonkeyPatch, printed: str) -> None:
    """A browser that prints this, and draws nothing into a file."""
    monkeypatch.setenv("CHROMIUM", "/bin/true")
    done = subprocess.CompletedProcess([], 0, stdout=printed.encode())
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)


def drawing(words: str) -> str:
    whole = f'<svg xmlns="http://www.w3.org/2000/svg" height="9"><text>{words}</text></svg>'
    return f"<pre>{base64.b64encode(whole.encode()).decode()}</pre>"


@pytest.mark.parametrize(
    "form, printed", [("png", ""), ("svg", "<p></p>"), ("svg", drawing("one of two"))]
)
def test_a_browser_that_draws_too_little_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, printed: str
) -> None:
    answered(monkeypatch, printed)
    with pytest.raises(MissingResource, match="the browser has drawn nothing"):
        save([("", PICTURE)] * 2, tmp_path / f"a.{form}", theme=DARK, width=800)
    assert not list(tmp_path.iterdir())


def test_drawings_stand_side_by_side_under_their_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, drawing("first") + drawing("second"))
    save([("a < b", PICTURE), ("", PICTURE)], tmp_path / "a.svg", theme=DARK, width=800)
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    inner = root.findall("{http://www.w3.org/2000/svg}svg")
    assert ["".join(one.itertext()) for one in inner] == ["first", "second"]
    assert [one.get("x") for one in inner] == ["0", "400"]
    assert inner[0].get("y") == inner[1].get("y") != "0"
    assert "a < b" in "".join(root.itertext())
