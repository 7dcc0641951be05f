"""The guided first visit: five short steps in a corner, which can be skipped at any of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.session import mode


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
    "Rates": Word(
        formula=r"\mathrm{PPV}=\frac{TP}{TP+FP},\quad\ \mathrm{NPV}=\frac{TN}{TN+FN},\quad\ "
        r"\mathrm{net\ benefit}(t)=\frac{TP}{n}-\frac{FP}{n}\,\frac{t}{1-t}",
        meaning="Whoever scores at least the threshold is alarmed. **Sensitivity** of a test "
        "(recall; not that of a query) is the share of the positives that are, **specificity** the "
        "share of the negatives that are not. **PPV** (precision) is the share of the alarmed that "
        "are positive, **NPV** the share of the others that are negative. **Gains** show how many "
        "of the positives are among the highest scores. **Net benefit** counts a false alarm as "
        "$t/(1-t)$ of a true one, as somebody does who acts from a probability of $t$ on.",
    ),
}


# Every other term that the pages use, in the order of the alphabet; one sentence or two for each.
TERMS = {
    "AUC": "The area under the ROC curve: the chance that a random positive record scores above a "
    "random negative one. 0.5 is guessing, 1 is perfect.",
    "Band for the population": "Where the curve of the people lies from whom these records were "
    "drawn: privacy noise and sampling together.",
    "Calibration error": "How far, on average over the records, a score is from how often it comes "
    "true.",
    "Charge": "What one release has cost, in epsilon, as the ledger writes it down before noise is "
    "drawn.",
    "Delta": "A small probability with which the promise of epsilon may fail; 0 for most methods "
    "here.",
    "ECDF": "Empirical cumulative distribution function: the share of records whose score is at "
    "most so much.",
    "Exact, not private": "Stands over what was computed from the records without noise. It cannot "
    "be published.",
    "F1": "How well the chosen features agree with the true ones: 1 if they are the same, 0 if "
    "none is right.",
    "H": "The Hosmer-Lemeshow statistic: squared differences between observed and expected "
    "numbers, summed over groups. It takes noisy counts for exact ones.",
    "Holdout": "Test records that answer questions again and again. Each answer that chooses a "
    "model uses some of them up.",
    "Ledger": "The list of all charges, each sealed by those before it, so that a change shows.",
    "Not private": "A counterexample shows that the method does not keep the epsilon that was "
    "claimed for it. It runs on simulated noise only.",
    "Privacy band": "Where the exact curve of these very records lies, given what was published, "
    "with the stated confidence.",
    "Privacy proven": "A theorem says that the method keeps its epsilon. It says nothing about how "
    "accurate the method is.",
    "ROC curve": "For every threshold, the share of the positives found against the share of the "
    "negatives flagged by mistake.",
    "Row bound r": "The most features of one record that count. Fewer need less noise, and throw "
    "more away.",
    "Seed": "The number from which simulated noise is made: the same seed, the same picture.",
    "Simulation": "Noise was drawn from a seed that is known, so nothing is hidden by it.",
    "T": "A test of whether groups deviate from a calibrated model in any way, noise allowed for.",
    "T2": "The same for two ways alone: scores all too high or low (shift), too extreme or timid "
    "(slope). It finds these sooner.",
    "Total epsilon": "What all phases of a study may spend together.",
    "Trust model": "Whom the parties of a federation must believe so that their records "
    "stay hidden.",
}


GLOSSARY = "\n\n".join(f"**{name}.** {meaning}" for name, meaning in TERMS.items())


def show_glossary() -> None:
    """A row of words at the foot of a page, and all other terms behind one."""
    with st.container(horizontal=True, gap="small", key="glossary"):
        for name, word in WORDS.items():
            with st.popover(name, type="tertiary", icon=":material/dictionary:"):
                st.markdown(f"**{name}**")
                st.latex(word.formula)
                st.markdown(word.meaning)
        with st.popover("Glossary", type="tertiary", icon=":material/menu_book:"):
            st.markdown(GLOSSARY)


_FOLDER = Path(__file__).parent

_guide = st.components.v2.component(
    "guide",
    html=(_FOLDER / "guide.html").read_text(encoding="utf-8"),
    css=(_FOLDER / "guide.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "guide.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


class Step(NamedTuple):
    """One step: its page ("" is the overview), what the button to it says, and the words.

    What stands at the place `about`, a CSS selector, comes into sight.
    """

    page: str
    name: str
    title: str
    words: str
    about: str = ""


STEPS = (
    Step(
        page="",
        name="Overview",
        title="See what privacy costs",
        words="The solid curve is the truth, the dashed one is what could be published. All noise "
        "here is simulated, so you can try anything.",
        about=".dpcore-headline",
    ),
    Step(
        page="data",
        name="Data",
        title="Bring records",
        words="Pick a sample, or upload a table or the labels and scores of your own model. The "
        "first curve needs no more than a file.",
        about=".stButtonGroup",
    ),
    Step(
        page="model",
        name="Model",
        title="Divide the budget",
        words="Training and evaluation each pay for what they learn, in epsilon. What one person "
        "pays of it stands beneath the first slider.",
        about=".st-key-split",
    ),
    Step(
        page="roc",
        name="ROC",
        title="Drag epsilon",
        words="Smaller is more private, and noisier. The address bar keeps every choice: a copied "
        "link shows the same picture.",
        about=".stSlider",
    ),
    Step(
        page="release_desk",
        name="Release desk",
        title="When it is meant",
        words="In Private mode no truth is shown. A release is one confirmed button, and is "
        "charged to the ledger before it is drawn.",
    ),
)


def show(page: str) -> None:
    """Guide a first visit through Teach mode; in Private mode there is nothing to try out."""
    steps = () if mode.is_private() else filter(lambda step: mode.shows(step.page), STEPS)
    _guide(key="guide", data={"steps": [step._asdict() for step in steps], "page": page}, height=0)


def invitation() -> None:
    """A button that begins the guide again; the browser hears it, the server need not."""
    st.html('<button type="button" class="dpcore-again" data-guide="again">Guided visit</button>')
