"""The guided first visit: five short steps in a corner, which can be skipped at any of them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.shared import mode

_FOLDER = Path(__file__).parent
_guide = st.components.v2.component(
    "guide",
    html=(_FOLDER / "guide.html").read_text(encoding="utf-8"),
    css=(_FOLDER / "guide.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "guide.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)
# Page ("" is the overview), what the button to it says, title, words.
STEPS = (
    ("", "Overview", "See what privacy costs",
     "The solid curve is the truth, the dashed one is what could be published. All noise here is "
     "simulated, so you can try anything."),
    ("data", "Data", "Bring records",
     "Pick a sample, or upload a table or the labels and scores of your own model. The first curve "
     "needs no more than a file."),
    ("model", "Model", "Divide the budget",
     "Training and evaluation each pay for what they learn, in epsilon. What one person pays in "
     "all stands in the sidebar."),
    ("roc", "ROC", "Drag epsilon",
     "Smaller is more private, and noisier. The address bar keeps every choice: a copied link "
     "shows the same picture."),
    ("release_desk", "Release desk", "When it is meant",
     "In Private mode no truth is shown. A release is one confirmed button, and is charged to the "
     "ledger before it is drawn."),
)  # fmt: skip


def show(page: str) -> None:
    """Guide a first visit through Teach mode; in Private mode there is nothing to try out."""
    listed = [] if mode.is_private() else [step for step in STEPS if mode.shows(step[0])]
    steps = [dict(zip(("page", "name", "title", "words"), step, strict=True)) for step in listed]
    _guide(key="guide", data={"steps": steps, "page": page}, height=0)


def invitation() -> None:
    """A button that begins the guide again; the browser hears it, the server need not."""
    st.html('<button type="button" class="dpcore-again" data-guide="again">Guided visit</button>')
