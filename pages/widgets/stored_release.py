"""A stored release on the page: all from the ledger, nothing from the data."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import streamlit as st

from dpcore._numbers import rate
from dpcore.desk import Released, bundle, table_csv
from pages.session.text import plain, table
from pages.widgets import cards, forms, pin, score_pages

# How many rows stand there at once, and how many a page holds for whoever wants to see all.
MOST_ROWS, MOST_OF_ALL = 12, 5_000
PICKED = "release to look at"
_TOLD = table(Path(__file__).with_name("stored_release.toml"))
HEADS: dict[str, str] = _TOLD["heads"]
# Of numbers with an interval each: there a lower and an upper end is no range of scores.
ESTIMATES: dict[str, str] = HEADS | _TOLD["estimates"]
# What an empty cell means, where it means something; and the parts of a model.
NONE, SINGULAR = _TOLD["none"], _TOLD["singular"]


def pick(found: Sequence[Released], words: Mapping[str, str], shown: str) -> Released:
    """Choose one of several, the newest first; `words` may say whose each is."""
    titles = {
        one.request_id: ", ".join(
            filter(None, (one.kind.title, str(one.total), one.minute, words.get(one.request_id)))
        )
        for one in reversed(found)
    }
    ids = list(titles)
    picked = ids[0]
    if len(ids) > 1:
        label = "Stored release" if words else "Releases from these data"
        at = {"index": ids.index(shown) if shown in ids else 0, "key": f"{PICKED} {shown}"}
        picked = st.selectbox(label, ids, format_func=forms.distinct(titles).get, **at)
    return next(release for release in found if release.request_id == picked)


def card(release: Released) -> None:
    """Headline, figure, numbers, where the privacy went, and what can be taken away."""
    cards.headline(release.headline)
    st.caption(plain(release.notice))
    pin.show_release(release)
    _show_table(release)
    st.html(cards.charges(release.charges, f"Where the privacy went: {release.total}"))
    composition = release.document["privacy"]["composition"]
    st.markdown(f"{plain(composition)} Noise: the system's entropy.")
    _take_away(release)


def _show_table(release: Released) -> None:
    """Some rows of the result, and all of them for whoever asks."""
    header, rows = release.kind.table(release.found)
    most = MOST_ROWS
    if MOST_ROWS < len(rows) <= MOST_OF_ALL:
        key = f"all rows of {release.request_id}"
        most = len(rows) if st.toggle(f"All {len(rows):,} rows", key=key) else MOST_ROWS
    st.html(_table(header, rows, most))


def _table(header: Sequence[str], rows: Sequence[Sequence[object]], most: int) -> str:
    """So many rows of the result, evenly spread, or the selected ones first; the CSV has all."""
    places = np.unique(np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(int))
    if "selected" in header:
        rows, places = sorted(rows, key=lambda row: row[1] != "true"), np.arange(places.size)
    # A method that publishes no scores leaves their column empty.
    told = [place for place in range(len(header)) if any(row[place] is not None for row in rows)]
    shown_rows = [
        [_cell(rows[place][column], str(header[column])) for column in told]
        for place in places.tolist()
    ]
    fewer = f"{len(shown_rows)} of {len(rows):,} rows; the CSV has all"
    caption = fewer if len(shown_rows) < len(rows) else "As in the CSV"
    names = [head(str(header[one]), ESTIMATES if "estimate" in header else HEADS) for one in told]
    return cards.table(names, shown_rows, caption=caption)


def head(name: str, heads: Mapping[str, str] = HEADS) -> str:
    """A column of the CSV, in words.

    Examples
    --------
    >>> head("fpr_lower"), head("observed_band_upper"), head("n")
    ('false positive rate, at least', 'observed rate, at most', 'records')
    """
    for ending, words in (("_lower", ", at least"), ("_upper", ", at most")):
        if name.endswith(ending):
            return head(name.removesuffix(ending).removesuffix("_band"), heads) + words
    return heads.get(name, name.replace("_", " "))


def path(name: str) -> str:
    """A number of a model, in words.

    Examples
    --------
    >>> path("terms[0].edges[0][2]"), path("bias[0]")
    ('term 1, edge 1.3', 'bias 1')
    """
    words = []
    for part in name.split("."):
        stem, *places = part.replace("]", "").split("[")
        number = ".".join(str(int(place) + 1) for place in places)
        words.append(f"{SINGULAR.get(stem, stem)} {number}".strip())
    return ", ".join(words)


def _cell(cell: object, column: str) -> str:
    if cell is None:
        return NONE.get(column, "none")
    if column == "parameter":
        return path(str(cell))
    if not isinstance(cell, float):
        return str(cell)
    # Not every reader of rates and counts knows what "3e-06" and "1.2e+05" are.
    if 1e4 <= abs(cell) < 1e12:
        return f"{cell:,.0f}"
    return rate(cell, digits=4) if 0 < abs(cell) < 1e-4 else f"{cell:.4g}"


def _take_away(release: Released) -> None:
    files = (
        ("Bundle", f"{release.name}.zip", lambda: bundle(release)),
        ("CSV", f"{release.name}.csv", lambda: table_csv(release)),
        ("JSON", f"{release.name}.json", release.to_json),
    )
    score_pages.offer(
        files,
        caption="Take it with you: the bundle holds CSV, JSON, ledger entries, script and notebook",
        note="",
    )
