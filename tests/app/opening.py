"""Opens pages without a browser."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def open_page(name: str, **address: str) -> AppTest:
    """Run a page as a visitor finds it by its link; "__" in a name stands for a dot."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({key.replace("__", "."): value for key, value in address.items()})
    app.switch_page(f"pages/{name}.py")
    app.run()
    assert not any("should not have happened" in sentence for sentence in sentences(app))
    return app


def html(app: AppTest) -> str:
    """All that st.html has written, one after the other."""
    return "\n".join(element.value for element in app.get("html"))


def sentences(app: AppTest) -> list[str]:
    """Everything that the page warns of or refuses."""
    return [element.value for element in (*app.error, *app.warning)]


def assert_calm(app: AppTest) -> None:
    """No exception, no error, no warning."""
    assert [error.message for error in app.exception] == []
    assert sentences(app) == []
