"""Opens pages without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path.parent.name for path in (ROOT / "pages").glob("*/page.py"))
assert len(PAGES) >= 15, "the pages are folders with a page.py"


def open_page(name: str, **address: str) -> AppTest:
    """Run a page as a visitor finds it by its link; "__" in a name stands for a dot."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({key.replace("__", "."): value for key, value in address.items()})
    as_by_link(app, name).run()
    assert not any("should not have happened" in sentence for sentence in sentences(app))
    return app


def as_by_link(app: AppTest, name: str) -> AppTest:
    """Let the first run be of that page: before it, `switch_page` knows a page by its file only."""
    app._page_hash = calc_hash("" if name == "overview" else name)
    return app


def figure(app: AppTest, place: int = 0) -> dict[str, Any]:
    """What the browser is told to draw there."""
    found: dict[str, Any] = json.loads(app.get("bidi_component")[place].proto.json)
    return found


def html(app: AppTest) -> str:
    """All that st.html has written, one after the other, without the links to the glossary."""
    return re.sub(r'<a href="#term-[^"]+">(.*?)</a>', r"\1", raw_html(app).replace("&nbsp;", " "))


def raw_html(app: AppTest) -> str:
    """The same as it is sent."""
    return "\n".join(element.value for element in app.get("html"))


def sentences(app: AppTest) -> list[str]:
    """Everything that the page warns of or refuses."""
    return [element.value for element in (*app.error, *app.warning)]


def assert_calm(app: AppTest) -> None:
    """No exception, no error, no warning."""
    assert [error.message for error in app.exception] == []
    assert sentences(app) == []


def taken(label: str, files: Iterable[tuple[str, str, Callable[[], str | bytes]]]) -> str:
    """What the button of that label would save, as a text."""
    content = next(make() for name, _, make in files if name == label)
    return content if isinstance(content, str) else content.decode()
