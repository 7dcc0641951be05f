"""What can be chosen in the sparse vector laboratory: no Streamlit in here."""

from dataclasses import dataclass
from fractions import Fraction

import streamlit as st

from dpcore.curves.selection import contenders, read_item_counts, zipf
from dpcore.curves.selection.score_errors import ItemCounts, example
from dpcore.errors import DpcoreError
from dpcore.mechanisms.threshold.sparse_vector import RATIOS
from pages.session import page_fields, state
from pages.session.page_fields import choice
from pages.session.text import plain, stated
from pages.widgets import forms, uploads

PREFIX = "sparse_vector_lab_"

MOST_C = 10

# Stops of sliders that are dragged: at each of them a figure is computed beforehand.
QUESTIONS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)

RUNS = (1, 2, 5, 10, 20, 50)

AVERAGED_EPSILONS = (
    *(Fraction(digit, 100) * power for power in (1, 10, 100) for digit in (1, 2, 5)),
    Fraction(10),
)

BOOSTS = tuple(half / 2 for half in range(11))

LARGEST_CUTS = (50, 100, 150, 200, 250, 300)

FEWEST_METHODS, MOST_METHODS = 1, 6
# The methods that are compared first.
USUAL = "dpbook,svt-1-1,svt-1-c23,retraversal,em,best"


@dataclass(frozen=True)
class LabChoice:
    """Checked choices of the page; step 0 is the whole run."""

    view: str = choice("run", page_fields.one_of)
    algorithm: int = choice("7", page_fields.whole, 1, 7)
    epsilon: Fraction = choice("0.1", page_fields.epsilon)
    c: int = choice("4", page_fields.whole, 1, MOST_C)
    ratio: str = choice("1:c^(2/3)", page_fields.one_of, RATIOS)
    boost: float = choice("5", page_fields.number, 0, 10)
    retraverse: bool = choice("no", page_fields.flag)
    monotone: bool = choice("no", page_fields.flag)
    source: str = choice("example", page_fields.one_of)
    counts: str = choice("zipf", page_fields.one_of)
    step: int = choice("0", page_fields.whole, 0, 10_000)
    redraw: int = choice("0", page_fields.whole, 0, 2**31)
    questions: int = choice("20", page_fields.whole, QUESTIONS[0], QUESTIONS[-1])
    across: str = choice("epsilon", page_fields.one_of)
    measure: str = choice("ser", page_fields.one_of)
    largest: int = choice("300", page_fields.whole, LARGEST_CUTS[0], LARGEST_CUTS[-1])
    runs: int = choice("10", page_fields.whole, RUNS[0], RUNS[-1])
    methods: tuple[str, ...] = choice(
        USUAL, page_fields.several, contenders, most=MOST_METHODS, fewest=FEWEST_METHODS
    )


DEFAULTS, read = page_fields.declared(LabChoice, PREFIX)

UPLOADED = "uploaded item counts"

REFUSED = "refused item counts"


def pick(choice: LabChoice) -> None:
    """Choose the counts, and upload some."""
    averaged = choice.view == "errors"
    forms.segments(PREFIX + ("counts" if averaged else "source"))
    if (choice.counts if averaged else choice.source) != "upload":
        return
    uploads.ask(on_change=_take, **forms.keyed("item counts file"))
    if sentence := st.session_state.get(REFUSED):
        st.error(plain(stated(sentence)), icon=":material/error:")
    elif UPLOADED not in st.session_state:
        st.caption("Until a file is here, the figures show Zipf's law.")


def _take() -> None:
    if st.session_state["item counts file"] is None:
        st.session_state.pop(REFUSED, None)
    file = uploads.taken("item counts file")
    if file is None:
        return
    st.session_state.pop(REFUSED, None)
    name, content = file
    try:
        st.session_state[UPLOADED] = read_item_counts(content, name)
    except DpcoreError as error:
        st.session_state[REFUSED] = str(error)


def counts(choice: LabChoice) -> ItemCounts:
    """The chosen counts; Zipf's law in place of an upload that is not here."""
    source = choice.counts if choice.view == "errors" else choice.source
    if source == "example":
        return example()
    if source == "upload" and UPLOADED in st.session_state:
        return st.session_state[UPLOADED]
    return zipf()


def seed() -> int:
    """Of all noise on this page: the study's seed, moved on by every redraw here."""
    return int(state.chosen()["seed"]) + int(state.chosen()[f"{PREFIX}redraw"])
