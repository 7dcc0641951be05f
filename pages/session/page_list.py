"""The pages: their names in the address, their titles, and the sections of the sidebar."""

import tomllib
from pathlib import Path

FIRST = "overview"
LEARN = "Learn"

_TOLD = tomllib.loads(Path(__file__).with_name("pages.toml").read_text(encoding="utf-8"))
# Section -> (folder under pages/, title, icon), in the order of the sidebar.
PAGES: dict[str, tuple[tuple[str, str, str], ...]] = {
    section: tuple((page["name"], page["title"], page["icon"]) for page in pages)
    for section, pages in _TOLD.items()
}
# What stands above a page, and what it is for.
HEADINGS: dict[str, tuple[str, str]] = {
    page["name"]: (page.get("heading", page["title"]), page["purpose"])
    for pages in _TOLD.values()
    for page in pages
} | {
    "private mode": (
        "Private mode",
        "Nothing leaves this server but releases, and each is charged to a ledger.",
    )
}
# In Teach mode one entry stands for all of Release, and says what Private mode is.
DESK, IN_TEACH_MODE = "release_desk", "Release privately"
# What these pages show is about data of their own, not about those that are open.
WITHOUT_RECORDS = ("audit", "reproductions", "reusable_holdout", "sparse_vector_lab")


def title(page: str) -> str:
    """What the sidebar calls a page, by its name in the address."""
    listed = (entry for entries in PAGES.values() for entry in entries)
    return next(words for name, words, _ in listed if name == page)
