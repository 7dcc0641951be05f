"""The four words that everything here is said with, each a press away on every page."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st


class Word(NamedTuple):
    """A formula, and what it means."""

    formula: str
    meaning: str


WORDS = {
    "Epsilon": Word(
        formula=r"\Pr[M(D)\in S]\le e^{\varepsilon}\,\Pr[M(D')\in S]",
        meaning="The price of a release in privacy. With or without one person's record, no "
        r"outcome becomes more than $e^\varepsilon$ times as likely: 1.1 times at epsilon 0.1, "
        "2.7 times at 1, 22,000 times at 10. **Smaller is more private**, and takes more noise.",
    ),
    "Sensitivity": Word(
        formula=r"\Delta=\max_{D\sim D'}\lVert f(D)-f(D')\rVert_1",
        meaning="How far one record can move the exact answer. Noise hides that much and no more: "
        r"its scale is $\Delta/\varepsilon$. A count moves by at most 1; a sum by the largest "
        "value that its column allows, which is why columns need public bounds.",
    ),
    "Neighbours": Word(
        formula=r"D\sim D'",
        meaning="Two data sets that nobody may tell apart. **Add-remove**: one holds a record "
        "more than the other. **Replace**: one record differs, and how many there are is public. "
        "The same epsilon promises something else under each: compare figures under one only.",
    ),
    "Composition": Word(
        formula=r"\varepsilon_{\text{all}}=\sum_i\varepsilon_i,\qquad"
        r"\varepsilon_{\text{parts}}=\max_j\varepsilon_j",
        meaning="What several releases cost together. About the same records, their epsilons add "
        "up. About parts that share no record, as training and test records, one person pays only "
        "for the part that they are in: the larger one.",
    ),
}


def show() -> None:
    """A row of words at the foot of a page."""
    with st.container(horizontal=True, gap="small", key="glossary"):
        for name, word in WORDS.items():
            with st.popover(name, type="tertiary", icon=":material/dictionary:"):
                st.markdown(f"**{name}**")
                st.latex(word.formula)
                st.markdown(word.meaning)
