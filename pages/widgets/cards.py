"""Small pieces of a page: headline, figures in boxes, problems, explanations."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore.data.reading import Problem
from dpcore.data.reading.problems import listed
from dpcore.privacy import Charge, Neighbors
from dpcore.publications.publication import charge_rows
from dpcore.registry import Method
from pages.session import mode, open_data, page_list, state
from pages.session.text import OPTIONS, escape, mechanism, piece, plain, quoted, said
from pages.widgets import badges

MOST_PROBLEMS = 4
# So many columns are named one by one; of more, the first.
MOST_ALIKE = 2
# Spaces at which no line ends: before a percent sign, and about the sign of an interval or p-value.
_WITHIN = re.compile(r" (?=%)|(?<=±) |(?<=\bp) (?=[=≤])|(?<=\bp[ \u00a0][=≤]) ")


def heading(page: str) -> None:
    """Name of the page, the data that it is about, and in one sentence what it is for."""
    under(*page_list.HEADINGS[page])


def under(title: str, purpose: str) -> None:
    """The same of what has no entry in the list of pages."""
    with st.container(key="heading", horizontal=True, vertical_alignment="bottom"):
        st.title(title, anchor=False, width="content")
        if about := _about():
            st.html(f'<p class="dpcore-about">{about}</p>', width="content")
    with st.container(key="purpose"):
        st.markdown(purpose)


def _about() -> str:
    """HTML that names the data of the page, and the class that scores are about."""
    if mode.is_private():
        return ""
    page = st.session_state.get(state.PAGE, "")
    if not open_data.is_shown(page):
        return page_list.WITHOUT_RECORDS[page]
    opened = open_data.current()
    positive = f" · positive: {escape(opened.positive)}" if opened.positive else ""
    return f"<b>{escape(opened.title)}</b>{positive}"


def headline(sentence: str) -> None:
    """The takeaway of the page, in words."""
    st.html(f'<h2 class="dpcore-headline">{_shown(sentence)}</h2>')


def _shown(text: str) -> str:
    """As HTML, in which no line ends within a number and its sign: 5 %, ± 0.1, p = 0.02."""
    return _WITHIN.sub("&nbsp;", escape(text))


def link(page: str, words: str, icon: str = "") -> None:
    """A way to another page."""
    sign = f":material/{icon or page_list.ICONS[page]}:"
    st.page_link(f"pages/{page}/page.py", label=words, icon=sign)


def door(page: str) -> None:
    """A way to another page, and what is to be done there."""
    told = page_list.DOORS[page]
    link(page, f"**{told['label']}**", told.get("icon", ""))
    st.caption(told["words"])


def ways_on(*pages: str) -> None:
    """Where to go from here; the first stands out."""
    with st.container(horizontal=True, key="ways on"):
        for page in pages:
            link(page, OPTIONS["way on"][page])


# A number of more signs, which stays in one line, needs a wider box.
_SHORT = 8


def numbers(figures: Sequence[tuple[str, str, str]]) -> str:
    """HTML of figures side by side: label, value, explanation. Words for a value take two lines."""
    boxes = "".join(
        piece(
            "number",
            label=badges.linked(label),
            kind=' class="words"' if value[:1].isalpha() else "",
            value=_shown(value),
            more=_shown(more),
        )
        for label, value, more in figures
    )
    wide = any(len(value) > _SHORT and not value[:1].isalpha() for _, value, _ in figures)
    return f'<dl class="dpcore-numbers {"wide" if wide else f"of-{len(figures)}"}">{boxes}</dl>'


def pair(name: str, gap: Literal["small", "medium", "large"] = "small") -> list[DeltaGenerator]:
    """Two places for figures: side by side where each can be read, else one below the other."""
    with st.container(key=f"pair of {name}"):
        return st.columns(2, gap=gap)


# What the notices about a link are marked with.
OF_THE_LINK = ":material/link_off:"


def not_followed(sentences: Sequence[str]) -> None:
    """What a link asks for in vain, one sentence each; the figure stays on the first screen."""
    if sentences:
        # Under a key of their own: they stand in two lines, and the figure makes room for these. A
        # rule that looked for them (`:has`) would look through all the page whenever it changes.
        with st.container(key=f"notices {' '.join(sentences)}"):
            st.html("<style>.dpcore-frame { --dpcore-notices: 4.25rem; }</style>")
            for sentence in sentences:
                st.warning(plain(quoted(sentence)), icon=OF_THE_LINK)


def costs() -> DeltaGenerator:
    """The fold that says what a page charges."""
    return st.expander("What it costs", icon=":material/receipt_long:")


def problems(found: Iterable[Problem]) -> None:
    """One sentence for each kind of oddity, the worst first; what needs nothing on demand."""
    order = ("error", "warning", "note")
    ranked = sorted(found, key=lambda problem: order.index(problem.severity))
    told = [problem for problem in summed(ranked) if problem.severity != "note" or problem.act]
    first = told[:MOST_PROBLEMS]
    others = [problem for problem in ranked if problem not in first]
    if first:
        st.html(_listed(first))
    if others:
        # What stands in one sentence for several columns is not one of them.
        summary = any(problem not in ranked for problem in first)
        more = "" if summary else "more " if first else ""
        words = f"{len(others)} {more}remark{'s' if len(others) > 1 else ''}"
        with st.expander(f"{words}, one by one" if summary else words):
            st.html(_listed(others))


def summed(found: Iterable[Problem]) -> list[Problem]:
    """One sentence with a count for the columns about which the same is to be said.

    Examples
    --------
    >>> clipped = [
    ...     Problem("warning", f"Column {name!r} has 1 number below 0; that will be clipped.")
    ...     for name in ("a", "b", "c")
    ... ]
    >>> [problem.sentence for problem in summed(clipped)]
    ["3 columns are odd in the same way. The first: Column 'a' has 1 number below 0; that will be
    clipped."]
    """
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in found:
        before, _, remedy = problem.sentence.rpartition("; ")
        alike.setdefault((problem.severity, remedy if before else problem.sentence), []).append(
            problem
        )
    return [one for group in alike.values() for one in _as_one(group)]


def _as_one(group: list[Problem]) -> list[Problem]:
    if len(group) <= MOST_ALIKE:
        return group
    columns = [name for problem in group for name in problem.about]
    which = f": {listed(columns)}" if columns else ""
    start = f"{len(group)} columns are odd in the same way{which}. The first: "
    return [replace(group[0], sentence=start + group[0].sentence)]


def _listed(found: Iterable[Problem]) -> str:
    told = [(one.severity, escape(quoted(one.sentence))) for one in found]
    items = [piece("problem", kind=kind, sentence=sentence) for kind, sentence in told]
    return piece("problems", items="".join(items))


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, wrapping: bool = False
) -> str:
    """HTML of a small table of text, which any reader can read and no server has to encode.

    The words in the cells of a `wrapping` one take several lines, before the table has to scroll.
    """
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    found = table_of(header, lines, caption=caption)
    return f'<div class="dpcore-wrapping">{found}</div>' if wrapping else found


def table_of(
    header: Sequence[str], lines: Iterable[str], *, caption: str, kind: str = "dpcore-table"
) -> str:
    """HTML of a table whose rows are HTML already."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(f"<tr>{cells}</tr>" for cells in lines)
    return piece("table", kind=kind, caption=escape(caption), head=head, body=body)


def charges(every: Iterable[Charge], caption: str = "Charges, in the order of release") -> str:
    """HTML of charges, in their order."""
    rows = [(what, mechanism(how), *rest) for what, how, *rest in charge_rows(every)]
    return table(("for", "method", "records", "epsilon"), rows, caption=caption)


def words_of(page: str, view: str = "") -> tuple[str, str]:
    """What a page says of its figure, and the formula: ``words.md`` in the folder of the page.

    A view has the section of its name. What stands before the first name is said of every view.
    """
    text = (Path(__file__).parents[1] / page / "words.md").read_text(encoding="utf-8")
    of_all, *named = re.split(r"^# (.+)$", text, flags=re.MULTILINE)
    own = dict(zip(named[::2], named[1::2], strict=True))[view] if view else ""
    words, *formula = (own + of_all).split("$$")
    return (words + "".join(formula[1:])).strip(), "".join(formula[:1]).strip()


def what_is_this(
    words: str, formula: str, method: Method | None = None, neighbors: Neighbors | None = None
) -> None:
    """What the figure shows, the formula, and the paper."""
    with st.expander("What am I looking at?", icon=":material/help:"):
        st.markdown(words)
        st.latex(formula)
        if method is None or neighbors is None:
            return
        about = method.title, method.summary, method.reference, neighbors.words
        st.markdown(said("method and source").format(*about))
