"""Small pictures of reproductions: where lines lie, what is left out, and how much they weigh."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from math import isfinite
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from dpcore.figures.theme import DARK, LIGHT
from reproductions import Row, Rows, experiment, experiments, recorded
from reproductions.roles import role_colour
from reproductions.thumbnail import (
    HEIGHT,
    WIDTH,
    reproduction_thumbnail,
    thumbnail_svg,
)

LINES, LOG_LINES, BARS = "lyu-figure-5", "barczewski-figure-5", "stoddard-figure-1"


def drawn(name: str, *rows: Row) -> list[ElementTree.Element]:
    """Paths of the data, after that of the axes and before their words."""
    text = thumbnail_svg(experiment(name), Rows(rows), theme=LIGHT)
    return list(ElementTree.fromstring(text))[1:-1]


def words(name: str, *rows: Row) -> list[ElementTree.Element]:
    """Names and numbers of the axes, and the stamp."""
    text = thumbnail_svg(experiment(name), Rows(rows), theme=LIGHT)
    return list(list(ElementTree.fromstring(text))[-1])


def points(path: ElementTree.Element) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in re.findall(r"(-?\d+) (-?\d+)", path.attrib["d"])]


@pytest.mark.parametrize("name", experiments())
def test_every_recorded_result_makes_a_small_picture_within_its_frame(name: str) -> None:
    one = experiment(name)
    result = recorded(one)
    assert result is not None
    texts = [thumbnail_svg(one, result.rows, theme=theme) for theme in (LIGHT, DARK)]
    assert max(map(len, texts)) < 6_000
    assert texts[0] != texts[1]
    root = ElementTree.fromstring(texts[0])
    # What the paper calls infinite has no place.
    first = result.rows.panel(result.rows.panels[0])
    assert len(root) - 2 == len({row.method for row in first if isfinite(row.value)})
    for path in list(root)[:-1]:
        for x, y in points(path):
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
    assert_axes_can_be_read(one.chart.x, list(root)[-1])


def assert_axes_can_be_read(x: str, group: ElementTree.Element) -> None:
    """Each axis has its name and two numbers or words, none over another, as large as small print.

    A sign is taken to be .52 of its height, as of a sans serif; a card shows a tenth less.
    """
    told = [one.text or "" for one in group]
    assert x in told
    assert told[-1] == "SIMULATION"
    assert float(group.attrib["font-size"]) >= 12
    boxes = []
    for one in group:
        at, width = float(one.attrib["x"]), 0.52 * 12 * len(one.text or "")
        left = at - width * {"middle": 0.5, "end": 1.0}.get(one.attrib.get("text-anchor", ""), 0.0)
        boxes.append((left, left + width, float(one.attrib["y"])))
    for place, (left, right, y) in enumerate(boxes):
        assert left >= 0
        assert right <= WIDTH + 1
        for other_left, other_right, other_y in boxes[:place]:
            assert abs(y - other_y) >= 10 or left >= other_right or right <= other_left
    for anchor in ("middle", "end"):
        # Of each axis, besides the name of the one and the stamp.
        assert sum(one.attrib.get("text-anchor") == anchor for one in group) >= 3


def test_numbers_of_an_axis_stand_where_they_are() -> None:
    rows = [Row("a", "best", "ours", x, x) for x in (0.0, 0.5, 1.0)]
    found = words(LINES, *rows)
    below = [(one.text, int(one.attrib["x"])) for one in found if one.attrib["y"] == "144"]
    assert [text for text, _ in below] == ["0", "0.5", "1"]
    (path,) = drawn(LINES, *rows)
    assert [place for _, place in below] == pytest.approx([x for x, _ in points(path)], abs=4)
    assert words(BARS, Row("a", "b", "ours", "TC", 0.8))[0].text == "TC"


def test_lines_go_up_where_values_do_and_have_the_colour_of_their_role() -> None:
    best, joint = drawn(
        LINES,
        *(Row("a", "best", "ours", x, x) for x in (1.0, 2.0, 4.0)),
        *(Row("a", "joint", "broken", x, 1.0) for x in (1.0, 2.0, 4.0)),
        Row("b", "best", "ours", 1.0, 9.0),
    )
    (x1, y1), (x2, y2), (x4, y4) = points(best)
    assert (x4 - x2) == pytest.approx(2 * (x2 - x1), abs=1)
    assert (y2 - y4) == pytest.approx(2 * (y1 - y2), abs=1)
    assert len({y for _, y in points(joint)}) == 1
    assert best.attrib["stroke"] == role_colour("ours", LIGHT)
    assert "stroke-dasharray" in joint.attrib
    assert "stroke-dasharray" not in best.attrib


def test_logarithmic_axes_leave_out_what_they_cannot_show() -> None:
    values = {0.01: 0.0, 0.1: 1.0, 1.0: float("inf"), 10.0: 10.0, 1000.0: 100.0}
    (path,) = drawn(LOG_LINES, *(Row("a", "best", "ours", x, v) for x, v in values.items()))
    (x1, y1), (x2, y2), (x3, y3) = points(path)
    assert x2 - x1 == pytest.approx(x3 - x2, abs=1)
    assert y1 - y2 == pytest.approx(y2 - y3, abs=1)


def test_bars_stand_side_by_side_on_zero() -> None:
    high, low = drawn(
        BARS,
        *(Row("a", "high", "ours", word, 0.8) for word in ("TC", "DC")),
        *(Row("a", "low", "published", word, 0.4) for word in ("TC", "DC")),
    )
    tops, lefts = {}, []
    for name, path in (("high", high), ("low", low)):
        found = re.findall(r"M([\d.]+) (\d+)V(\d+)", path.attrib["d"])
        assert len(found) == 2
        lefts += [float(left) for left, _, _ in found]
        (tops[name],) = {int(base) - int(top) for _, base, top in found}
    assert len(set(lefts)) == 4
    assert tops["high"] == pytest.approx(2 * tops["low"], abs=1)


def test_one_point_is_still_to_be_seen_and_words_stand_side_by_side() -> None:
    (dot,) = drawn(LINES, Row("a", "best", "ours", 1.0, 0.5))
    assert dot.attrib["d"].endswith("h0")
    (line,) = drawn(LINES, *(Row("a", "best", "ours", word, 0.5) for word in ("x", "y", "z")))
    first, second, third = (x for x, _ in points(line))
    assert second - first == pytest.approx(third - second, abs=1)


def test_the_image_element_holds_the_picture_its_size_and_its_words() -> None:
    one, rows = experiment(LINES), Rows((Row('a "b" & c', "best", "ours", 1.0, 0.5),))
    found: list[dict[str, str | None]] = []
    reader = HTMLParser()
    reader.handle_starttag = lambda _, attributes: found.append(dict(attributes))  # type: ignore[method-assign]
    reader.feed(reproduction_thumbnail(one, rows, theme=DARK))
    (image,) = found
    assert (image["width"], image["height"]) == (str(WIDTH), str(HEIGHT))
    assert 'a "b" & c' in (image["alt"] or "")
    kind, source = (image["src"] or "").split(",", 1)
    assert kind == "data:image/svg+xml"
    assert unquote(source) == thumbnail_svg(one, rows, theme=DARK)
