"""The four words that everything here is said with, each a press away on every page."""

from __future__ import annotations

import streamlit as st

WORDS = {
    "Epsilon": (
        r"\Pr[M(D)\in S]\le e^{\varepsilon}\,\Pr[M(D')\in S]",
        "The price of a release in privacy. With or without one person's record, no outcome "
        r"becomes more than $e^\varepsilon$ times as likely: 1.1 times at epsilon 0.1, 2.7 times "
        "at 1, 22,000 times at 10. **Smaller is more private**, and takes more noise.",
    ),
    "Sensitivity": (
        r"\Delta=\max_{D\sim D'}\lVert f(D)-f(D')\rVert_1",
        "How far one record can move the exact answer. Noise hides that much and no more: its "
        r"scale is $\Delta/\varepsilon$. A count moves by at most 1; a sum by the largest value "
        "that its column allows, which is why columns need public bounds.",
    ),
    "Neighbours": (
        r"D\sim D'",
        "Two data sets that nobody may tell apart. **Add-remove**: one holds a record more than "
        "the other. **Replace**: one record differs, and how many there are is public. The same "
        "epsilon promises something else under each, so two figures compare only under one.",
    ),
    "Composition": (
        r"\varepsilon_{\text{all}}=\sum_i\varepsilon_i,\qquad"
        r"\varepsilon_{\text{parts}}=\max_j\varepsilon_j",
        "What several releases cost together. About the same records, their epsilons add up. "
        "About parts that share no record, as training and test records, one person pays only "
        "for the part that they are in: the larger one.",
    ),
}


def show() -> None:
    """A row of words at the foot of a page."""
    with st.container(horizontal=True, gap="small", key="glossary"):
        for word, (formula, meaning) in WORDS.items():
            with st.popover(word, type="tertiary", icon=":material/dictionary:"):
                st.markdown(f"**{word}**")
                st.latex(formula)
                st.markdown(meaning)
