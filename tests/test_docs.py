"""The examples in docs/ are run, page by page."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from docs import architecture

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if ">>> " in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_the_examples_run(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0


def test_most_pages_have_examples() -> None:
    assert len(PAGES) >= 10


def test_the_picture_of_the_packages_is_fresh() -> None:
    """`python -m docs.architecture` makes it anew."""
    assert architecture.PICTURE.read_text(encoding="utf-8") == architecture.drawn()


def test_every_package_has_a_box_in_the_picture() -> None:
    # What every layer uses, and names of an earlier version, stand in no layer of their own.
    aside = {"errors", "aggregates", "intake", "studies"}
    below = {
        path.stem for path in (DOCS.parent / "dpcore").glob("[!_]*") if path.suffix in ("", ".py")
    }
    assert below - aside == set(architecture.SAYS) - set(architecture.LAYERS[0])


def test_every_arrow_of_the_picture_goes_down_or_along() -> None:
    row = {name: place for place, layer in enumerate(architecture.LAYERS) for name in layer}
    found, files = architecture.imports()
    assert set(files) == set(row)
    assert all(row[one] <= row[other] for one in found for other in found[one])
