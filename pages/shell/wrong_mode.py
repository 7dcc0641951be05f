"""What a page says in the mode, or about the records, that it is not made for."""

from fractions import Fraction

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.desk import releases
from dpcore.publications import Publication, publications
from pages.session import mode, open_data, page_list, state, study
from pages.session.mode import PRIVATE
from pages.session.text import plain, said
from pages.widgets import budget_meter, cards, forms, pin, private_data

DESK = ("release_desk", "budget", "ledger")
_ASKED = "asked for on the release desk"


def no_figure() -> None:
    """Tell whoever waits for a figure that none will come."""
    st.html('<div class="dpcore-no-figure"></div>')


def in_private_mode() -> None:
    """Stands in for every page that is made for Teach mode."""
    cards.under("Private mode", said("nothing but releases"))
    page = st.session_state[state.PAGE]
    cards.headline(closed_sentence(page))
    if page in publications():
        _released(publications()[page])
    for column, name in zip(st.columns(3), DESK, strict=True):
        with column.container(border=True, height="stretch"):
            cards.door(name)
    st.markdown(said("no page of Teach mode"))
    no_figure()


def _released(kind: Publication) -> None:
    """The last release of what the page is about, and the desk with that asked for."""
    opened = private_data.current()
    found = [] if opened is None else releases(private_data.store(), opened.digest)
    mine = [one for one in found if one.kind.name == kind.name]
    if mine:
        st.subheader(f"Released: {kind.title}", anchor=False)
        cards.headline(mine[-1].headline)
        pin.show_release(mine[-1])
        st.caption(plain(mine[-1].notice))
    label = "Release another" if mine else f"Release it: {kind.title}"
    forms.button(label, "outbox", ask, kind.name, type="primary")
    lead_to_desk()


def ask(what: str, planned: Fraction | None = None) -> None:
    """Fill the request in, for what was planned; the page is changed where a page may be."""
    state.set_choice("release_desk_what", what)
    st.session_state[private_data.PLANNED] = planned
    st.session_state[_ASKED] = True


def lead_to_desk() -> None:
    """Go where something has just been asked for."""
    if st.session_state.pop(_ASKED, False):
        st.switch_page("pages/release_desk/page.py")


def closed_sentence(page: str) -> str:
    """What was asked for, and that it is not to be had in this mode."""
    if page in ("", "overview"):
        # The first page of a private server: nothing in particular was asked for.
        return "Only releases are shown here, and they are made on the release desk."
    asked = page_list.title(page)
    return f"The page “{asked}” is closed here, for it is made for Teach mode."


def in_teach_mode(sentence: str) -> None:
    """Stands in for a page that needs the durable ledger."""
    cards.heading(st.session_state[state.PAGE])
    cards.headline(sentence)
    if mode.can_switch():
        st.markdown(said("what Private mode is"))
        forms.button("Switch to Private mode", "lock", mode.enter, PRIVATE, type="primary")
    else:
        st.markdown(said("Teach mode only"))
    budget_meter.rehearsal(study.run(beside=False))


def are_predictions(sentence: str, aim: str) -> bool:
    """Say of open predictions what a page that needs a table has to do with them, if they are.

    Raises
    ------
    SchemaError
        If they are a table without a label: before any control is drawn that would do nothing.
    """
    records = open_data.current().records
    if not isinstance(records, Predictions):
        assert records.schema.label
        return False
    remedy = f"They can be evaluated. To {aim}, open a table with a label."
    without_columns(sentence, remedy, ranked=True)
    return True


def without_columns(sentence: str, remedy: str, *, ranked: bool = False) -> None:
    """Stands in for a figure where the open records lack what it is about: what to open instead.

    Scores of any kind are `ranked`: the ROC curve asks no more of them.
    """
    cards.headline(sentence)
    st.markdown(remedy)
    cards.ways_on(*["roc"] * ranked, "data")
    no_figure()
