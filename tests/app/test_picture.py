"""The picture of a link, without a browser, is that of the page."""

from __future__ import annotations

import pytest

from dpcore.errors import InvalidArgument, MissingResource
from pages.shell.picture import pictures_of
from pages.widgets import long_task
from tests.app.opening import PAGES, open_page
from tests.app.test_pin import figures


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "page, key", [("roc", "roc"), ("ecdf", "ecdf"), ("threshold", "threshold")]
)
def test_it_is_that_of_the_page(page: str, key: str) -> None:
    (_, picture), *_ = pictures_of(f"http://localhost:8501/{page}?epsilon=0.4", "light")
    assert (picture.data, picture.layout) == figures(open_page(page, epsilon="0.4"))[key]


@pytest.mark.few(3)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_drawn(page: str) -> None:
    told = "?audit_trials=200&reusable_holdout_steps=5"
    (_, picture), *_ = pictures_of(f"{page}{told}", "light")
    assert picture.data
    assert picture.alt


def test_a_list_of_bars_is_as_high_where_it_is_narrow() -> None:
    ((_, picture),) = pictures_of("model?model_view=parameters", "light")
    assert picture.aspect * 390 > picture.height > 350


def test_it_has_the_theme_and_the_pinned_figure() -> None:
    (now, first), (then, second) = pictures_of("roc?epsilon=0.4&pin=epsilon%3D2", "dark")
    assert (now, then) == (
        "Now: epsilon of the ROC curve 0.4",
        "Pinned: epsilon of the ROC curve 2",
    )
    assert first.data != second.data
    assert second.data == pictures_of("/roc?epsilon=2", "dark")[0][1].data
    colours = str(first.layout)
    assert "#E6ECF2" in colours
    assert "#E6ECF2" not in str(pictures_of("roc?epsilon=0.4", "light")[0][1].layout)


@pytest.mark.parametrize(
    "link, points",
    [
        ("sparse_vector_lab?sparse_vector_lab_view=errors&sparse_vector_lab_methods=em", 7),
        ("audit?audit_trials=400", 20),
        ("reusable_holdout?reusable_holdout_steps=12", 13),
    ],
)
def test_a_figure_that_grows_is_drawn_to_its_end(
    link: str, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_task, "CHUNK", -1.0)
    drawn = [trace["x"] for _, one in pictures_of(link, "light") for trace in one.data]
    assert points in map(len, drawn)


@pytest.mark.parametrize(
    "link, kind, says",
    [
        ("roc?epsilon=-1", InvalidArgument, "epsilon must be zero or positive"),
        ("roc?data=upload", InvalidArgument, "A link cannot carry an upload"),
        ("roc?roc_view=none", InvalidArgument, "cannot be"),
        ("none", InvalidArgument, "page must be one of"),
        ("groups?data=messages", MissingResource, "the page 'groups' has no figure here"),
    ],
)
def test_a_link_that_cannot_be_followed_is_refused(
    link: str, kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says):
        pictures_of(link, "light")
