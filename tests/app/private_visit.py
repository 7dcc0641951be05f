"""Opens pages in Private mode, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from streamlit.testing.v1 import AppTest

from dpcore.desk import Assumed, Request, read_blindly, simulated_predictions
from dpcore.study import DataSource, Workflow
from pages.session.mode import Settings
from pages.widgets import private_data
from tests.app import opening
from tests.app.opening import ROOT, html

SOURCE = DataSource(predictions="data", positive="1")


def scores(n: int = 400, seed: int = 1) -> bytes:
    """A file of labels and scores."""
    made = simulated_predictions(Assumed(n=n, seed=seed))
    rows = zip(made.y_true.tolist(), made.y_score.tolist(), strict=True)
    return ("label,score\n" + "".join(f"{label},{score!r}\n" for label, score in rows)).encode()


@contextmanager
def locked(mode: str = "private", **decided: object) -> Iterator[None]:
    """A server whose operator has decided this."""
    found = Settings(mode=mode, **decided)
    with (
        mock.patch("pages.session.mode.settings", return_value=found),
        mock.patch("pages.widgets.private_data.settings", return_value=found),
    ):
        yield


def visit(page: str = "", **address: str) -> AppTest:
    """A new visit to a page; "__" in a name stands for a dot."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({key.replace("__", "."): value for key, value in address.items()})
    if page:
        opening.as_by_link(app, page)
    return app.run()


def with_data(page: str, content: bytes, **address: str) -> AppTest:
    """A visit to a page that has opened predictions."""
    app = visit(page, **address)
    app.session_state[private_data.OPENED] = opened(content)
    return app.run()


def opened(content: bytes) -> private_data.Private:
    """Predictions as the form would open them."""
    asked = Request(what="roc", study=Workflow(data=SOURCE, noise="system"))
    return private_data.Private(read_blindly(content, asked), SOURCE, None)


def press(app: AppTest, label: str) -> AppTest:
    """Press the button whose label begins like that."""
    (button,) = [button for button in app.button if button.label.startswith(label)]
    return button.click().run()


def headlines(app: AppTest) -> str:
    """The takeaways of a page, one after the other."""
    return "\n".join(part for part in html(app).splitlines() if "dpcore-headline" in part)
