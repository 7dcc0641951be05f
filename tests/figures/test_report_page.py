"""The frame of a report escapes what it is given."""

import pytest

from dpcore.figures.picture import Picture
from dpcore.figures.report_page import figure, page, section, table


def test_text_is_escaped_everywhere():
    picture = Picture(name="x", alt='a "quoted" <alt>', data=[{"name": "</script><b>"}], layout={})
    drawn = figure(picture, picture, caption="<caption>")
    assert "</script><b>" not in drawn
    assert 'aria-label="a &quot;quoted&quot; &lt;alt&gt;"' in drawn
    assert "&lt;caption&gt;" in drawn
    assert "&lt;h&gt;" in section("<h>")
    assert "<title>&lt;t&gt;</title>" in page("<t>", [])


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
