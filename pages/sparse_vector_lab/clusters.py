"""The published clustering of features: what one record changes, as epsilon grows."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import streamlit as st

from dpcore.curves.selection.variants import ClusterOdds, cluster_odds
from dpcore.figures import Picture
from dpcore.figures.selection_lines import Line, selection_lines_picture
from dpcore.selection import selectors
from pages.session import state
from pages.sparse_vector_lab.choices import LabChoice
from pages.widgets import badges, cards, figure, forms

EPSILONS = tuple(forms.grid("0.05", "10"))
WORDS = """
The authors of Algorithm 5 also select features by *clusters*: noise is added to the sizes and sums
of clusters of counts, and whole clusters are taken or left. **Which feature is in which cluster
gets no noise.** Two features with counts 6 and 6 are always together; with 6 and 7, and centres 3
and 10, they are not, and the second can be selected alone, which on 6 and 6 *never* happens.

And the points are features, not people: a feature of count 1,000 lies with 50 features of count 0,
one record more and it crosses over to the other centre (0 or 2,001) with its whole count, so a sum
changes by 1,001 where the noise is made for 1.
"""


@lru_cache(maxsize=1)
def odds() -> ClusterOdds:
    """Both examples over epsilon."""
    return cluster_odds(EPSILONS)


def show(choice: LabChoice) -> None:
    """Verdict, words, figure and table."""
    st.markdown("#### Clusters of features give themselves away")
    badges.word(selectors()["cluster-published"])
    st.markdown(WORDS)
    figure.show(picture(choice), key="clusters")
    st.html(table())


def picture(choice: LabChoice) -> Picture:
    """Probabilities of what one data set answers, and the other hardly ever or never."""
    found = odds()
    never = np.zeros(found.epsilons.size)
    lines = [
        Line("counts 6 and 7: the second alone", found.epsilons, found.alone),
        Line("counts 6 and 6: never", found.epsilons, never, role="reference"),
        Line("count 1,001: selected", found.epsilons, found.above),
        Line("count 1,000: selected", found.epsilons, found.below),
    ]
    return selection_lines_picture(
        lines,
        theme=state.theme(),
        name="cluster-odds",
        x_title="published ε",
        y_title="probability",
        log_x=True,
        y_range=(-0.02, 1.03),
        marker=float(choice.epsilon),
        simulated=False,
    )


def table() -> str:
    """The same as numbers, at a few points."""
    found = odds()
    places = np.unique(np.linspace(0, found.epsilons.size - 1, 8).astype(int))
    rows = [
        (
            f"{found.epsilons[i]:.4g}",
            f"{found.alone[i]:.3f}",
            "0",
            f"{found.above[i]:.4g}",
            f"{found.below[i]:.3g}".replace("e-", "e−"),
            f"{found.loss[i]:.3g}",
        )
        for i in places
    ]
    header = (
        "published ε", "6 and 7", "6 and 6", "1,001", "1,000", "loss of the last two",
    )  # fmt: skip
    return cards.table(
        header,
        rows,
        caption=(
            "One round, sensitivity 1, accepted from a centre of 5 and of 50. Computed exactly, by "
            "integrating over the noise of the sizes"
        ),
    )
