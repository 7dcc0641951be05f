"""Verdicts on methods, wherever one can be chosen, and the glossary that they and terms lead to."""

from __future__ import annotations

import re
from collections.abc import Mapping

import streamlit as st

from dpcore.privacy import Guarantee
from dpcore.registry import Method
from pages.session.text import escape, stated

# Every term that the pages use and that has no formula, in the order of the alphabet; a sentence or
# two for each.
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

# Terms within a label; letters alone mean something else in other places.
_TERM = re.compile(rf"\b({'|'.join(sorted(TERMS, key=len, reverse=True))})\b")


def place_of(term: str) -> str:
    """Where its entry stands on the page."""
    return f"term-{re.sub('[^a-z0-9]+', '-', term.lower())}"


def linked(label: str) -> str:
    """HTML of a label; the first term in it leads to its entry.

    Examples
    --------
    >>> linked("True AUC")
    'True <a href="#term-auc">AUC</a>'
    """
    return _TERM.sub(
        lambda term: f'<a href="#{place_of(term[0])}">{term[0]}</a>', escape(label), count=1
    )


def word(guarantee: Guarantee) -> None:
    """The badge alone; it leads to what it means."""
    proven = guarantee.holds
    icon = ":material/verified:" if proven else ":material/gpp_bad:"
    badge = f":{'green' if proven else 'red'}-badge[{icon} {guarantee.badge}]"
    st.markdown(f"[{badge}](#{place_of(guarantee.badge)})")


def verdict(method: Method) -> None:
    """Badge, summary, and the theorem or the counterexample in words."""
    proven = method.guarantee.holds
    word(method.guarantee)
    st.markdown(method.summary)
    if proven:
        st.caption(f"Why it is private: {stated(method.guarantee.reason)}")
    else:
        st.error(
            f"Not private. {stated(method.guarantee.reason)} It runs here because all noise is "
            "simulated; it cannot release anything."
        )


def name_with_verdict(method: Method) -> str:
    """How a picker lists a method."""
    return method.title if method.guarantee.holds else f"{method.title} ({method.guarantee.badge})"


def names_with_verdicts(methods: Mapping[str, Method]) -> dict[str, str]:
    """How a list of several shows methods."""
    return {name: name_with_verdict(method) for name, method in methods.items()}
