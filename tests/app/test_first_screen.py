"""Streamlit's first page carries our style, at every address of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.session import page_list
from pages.shell import navigation


def test_every_page_has_an_address() -> None:
    names = {name for entries in page_list.PAGES.values() for name, _, _ in entries}
    assert {route.path for route in navigation.routes()} == {"/"} | {f"/{name}" for name in names}


def test_style_and_script_stand_in_the_head_of_streamlits_own_page() -> None:
    head, body = navigation.document().split("</head>")
    for name in ("style.css", "first_screen.css", "first_screen.js"):
        text = (Path(navigation.__file__).parent / name).read_text(encoding="utf-8")
        assert text in head
        assert "</" not in text
    assert "<title>Streamlit</title>" in head
    assert '<div id="root"></div>' in body


def test_a_page_without_a_head_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html><body></body></html>", encoding="utf-8")
    monkeypatch.setattr(navigation, "get_static_dir", lambda: str(tmp_path))
    with pytest.raises(RuntimeError, match="no head"):
        navigation.document.__wrapped__()
