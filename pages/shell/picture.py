"""The figure of a link, drawn by the page itself without a browser and without a server."""

import json
import math
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dpcore import _check
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.figures import Picture
from pages.session import page_list
from pages.widgets import long_task, slider_frames
from pages.widgets.cards import OF_THE_LINK

# Seconds: a page that trains many models takes that long where nobody has been before.
_PATIENCE = 600.0


def pictures_of(link: str, theme: str) -> list[tuple[str, Picture]]:
    """What a page shows by a link: each figure, and the setting that it is of if one is pinned.

    Raises
    ------
    InvalidArgument
        If the link leads to no page, or asks for what cannot be.
    MissingResource
        If that page has no figure.
    """
    parts = urlsplit(link)
    page = parts.path.rstrip("/").rpartition("/")[2] or page_list.FIRST
    _check.one_of(tuple(page_list.ICONS), page=page)
    # Nobody drags a slider here, or waits for a first picture of a figure that grows.
    slider_frames.PATIENCE, long_task.CHUNK = -1.0, math.inf
    app = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=_PATIENCE)
    app.context = {"theme": theme}
    app.query_params.update(dict(parse_qsl(parts.query)))
    # Before the first run `switch_page` knows a page by its file only.
    app._page_hash = calc_hash("" if page == page_list.FIRST else page)
    app.run()
    refused = [one.value for one in app.warning if one.icon == OF_THE_LINK]
    for sentence in (*refused, *(one.value for one in app.error)):
        # As it was before it was written for Markdown.
        plainly = sentence.replace("\\", "").replace("\u2060", "").rstrip(".")
        raise InvalidArgument("link", link, f"one that can be followed ({plainly})")
    sent = [json.loads(one.proto.json or "{}") for one in app.get("bidi_component")]
    figures = [one for one in sent if "layout" in one]
    if not figures:
        raise MissingResource(f"the page {page!r} has no figure here", "take the link of a figure")
    return _with_settings(figures)


def _with_settings(figures: list[dict[str, object]]) -> list[tuple[str, Picture]]:
    """The figures of a page, the main one first; one that is pinned stands after its own."""
    first = figures[0]
    beside = first["beside"]
    words = dict(zip((first["key"], beside[0]), beside[1:], strict=True)) if beside else {}
    return [(words.get(one["key"], ""), _picture(one)) for one in figures]


def _picture(sent: dict[str, object]) -> Picture:
    told = {name: sent[name] for name in ("alt", "data", "layout", "height", "aspect")}
    return Picture(name=sent["config"]["toImageButtonOptions"]["filename"], **told)
