"""The pages: their names in the address, their titles, and the sections of the sidebar."""

from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

from dpcore.figures.picture import plotly_library
from pages.session.text import table

FIRST = "overview"
LEARN = "Learn"
LIBRARY = "plotly.min.js"

_TOLD = table(Path(__file__).with_name("pages.toml"))
# Section -> (folder under pages/, title, icon), in the order of the sidebar.
PAGES: dict[str, tuple[tuple[str, str, str], ...]] = {
    section: tuple((page["name"], page["title"], page["icon"]) for page in pages)
    for section, pages in _TOLD.items()
}
ICONS = {name: icon for entries in PAGES.values() for name, _, icon in entries}
# How other pages lead to one: what can be done there, and in more words.
DOORS = {page["name"]: page["door"] for page in chain(*_TOLD.values()) if "door" in page}
# What stands above a page, and what it is for.
HEADINGS: dict[str, tuple[str, str]] = {
    page["name"]: (page.get("heading", page["title"]), page["purpose"])
    for page in chain(*_TOLD.values())
}
# In Teach mode one entry stands for all of Release, and says what Private mode is.
DESK, IN_TEACH_MODE = "release_desk", "Release privately"
# What these pages show is about data of their own, unless the open ones are asked for there.
WITHOUT_RECORDS = {
    page["name"]: page["records"] for page in chain(*_TOLD.values()) if "records" in page
}


@cache
def library() -> str:
    """Where the drawing library is served that Plotly's own package brings, not the network.

    Another library has another address, so that browsers may keep what they find at one.
    """
    return f"{LIBRARY}?{sha256(plotly_library()).hexdigest()}"


def title(page: str) -> str:
    """What the sidebar calls a page, by its name in the address."""
    return next(words for name, words, _ in chain(*PAGES.values()) if name == page)
