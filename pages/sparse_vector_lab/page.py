"""The sparse vector laboratory: one run step by step, seven algorithms, and what each misses."""

import streamlit as st

from dpcore.curves.selection.variants import selector_of
from dpcore.mechanisms.threshold.sparse_vector import RATIOS
from dpcore.privacy import Neighbors
from dpcore.selection import selectors
from pages.session import state
from pages.shell import page_shell
from pages.sparse_vector_lab import algorithms as lab_algorithms
from pages.sparse_vector_lab import choices, export, run, stops
from pages.sparse_vector_lab import errors as lab_errors
from pages.sparse_vector_lab.choices import (
    AVERAGED_EPSILONS,
    BOOSTS,
    LARGEST_CUTS,
    MOST_C,
    PREFIX,
    QUESTIONS,
    RUNS,
    LabChoice,
)
from pages.widgets import badges, cards, forms, score_pages

VIEWS = {"run": "One run", "algorithms": "Seven algorithms", "errors": "What is missed"}
ALGORITHMS = {str(number): f"Alg. {number}" for number in range(1, 8)}
WORDS = {
    "run": """
Somebody asks many questions: is this score above a threshold? The **sparse vector technique**
answers *yes* or *no*, and pays for the *yes* only: a stream with few yes answers can go on for as
long as it likes. Here the questions are counts of items, asked in a random order, and the threshold
lies between the c-th and the next count.

Blue is exact and secret. One noise is added to the threshold (dashed) when the run starts. A fresh
noise is added to each score (grey stick from the blue mark to the dot). The dot is compared with
the dashed line: above is a yes (green, filled), below is a no (ring). **Only the row of ticks and
crosses is published.** The strip at the bottom is the budget: the threshold noise takes its share
at once, a no is free, each yes takes a c-th of the rest, and after c yes the run must stop.

Press **Next** to begin at the first question and to ask one after the other (the buttons work from
the keyboard), or **Play**. **Redraw** runs everything again with other noise.
""",
    "algorithms": """
Seven versions of the technique were published; they differ in five places, which the table lists.
Three of the published proofs are wrong. A proof fails on a **counterexample**: two data sets that
differ by one record, and an answer that is far likelier on one than on the other. The *privacy
loss* of an answer is the logarithm of that ratio of probabilities; ε-DP promises that no answer
loses more than ε. Lines above the dotted one break the promise.

Why is a no free? If every score rises by 1 and the noisy threshold by 1 too, every no stays a no:
one shift of *one* noise covers them all. That argument needs the threshold to stay secret and the
yes answers to be paid for separately. Algorithm 3 publishes a number that lies above the noisy
threshold, and so tells about it. Algorithm 5 adds no noise to the scores, so yes and no answers
together pin the threshold between two exact scores. Algorithm 6 never stops, and nobody pays for
its yes answers; Algorithm 4 stops after c of them, but pays for one.

Probabilities here are computed by integration, not simulated.
""",
    "errors": """
All methods spend the same epsilon to find the c items with the largest counts. The **score error
rate** is the share of the true top counts that is missed; the **false negative rate** the share of
the true top items. Both are 0 for the right set and near 1 for a random one.

The sparse vector technique is made for questions that arrive one by one. If all counts are there
from the start, the exponential mechanism is better, and a method that first asks how many items
stand out of the noise at all is better still. *Retraversal* raises the threshold by a few standard
deviations D and goes round until c items have passed.
""",
}
FORMULAS = {
    "run": (
        r"a_i=\text{yes}\iff q_i+\nu_i>T+\rho,\quad\rho\sim\mathrm{Lap}(1/\varepsilon_1),\quad"
        r"\nu_i\sim\mathrm{Lap}(2c/\varepsilon_2)\ \ (c/\varepsilon_2\text{ if monotone})"
    ),
    "algorithms": (
        r"\mathrm{loss}(a)=\left|\ln\frac{\Pr[a\mid D]}{\Pr[a\mid D']}\right|,\qquad"
        r"\Pr[a\mid D]=\int p_\rho(z)\prod_{a_i=\text{no}}\Pr[q_i+\nu_i\le T+z]"
        r"\prod_{a_i=\text{yes}}\Pr[q_i+\nu_i>T+z]\,dz"
    ),
    "errors": (
        r"\mathrm{SER}=1-\frac{\sum_{i\in S}q_i}{\sum_{i\in\mathrm{top}\,c}q_i},\qquad"
        r"\mathrm{FNR}=1-\frac{|S\cap\mathrm{top}\,c|}{c}"
    ),
}
RATIO_HELP = (
    "How epsilon is divided between the noise of the threshold and that of the comparisons; the "
    "last makes their sum least noisy."
)


def declared(choice: LabChoice):
    """The method whose verdict stands beside."""
    if choice.view == "errors":
        return selectors()["best"]
    if choice.view == "run" and choice.algorithm == 7 and choice.retraverse:
        return selectors()["sparse-vector-retraversal"]
    return selectors()[selector_of(choice.algorithm)]


def sliders(choice: LabChoice) -> None:
    """What is moved while looking at the figure."""
    left, right = forms.moves().columns([3, 2])
    with left:
        forms.epsilon_slider(
            stops.EPSILON,
            f"{PREFIX}epsilon",
            help_text="Smaller is more private, and noisier.",
            stops=AVERAGED_EPSILONS if choice.view == "errors" else forms.EPSILON_GRID,
        )
    with right:
        if choice.view == "errors":
            help_text = "How many items are to be found, at most."
            forms.stops(stops.LARGEST, f"{PREFIX}largest", LARGEST_CUTS, help_text)
        else:
            forms.slider(
                stops.CUT_OFF, f"{PREFIX}c", 1, MOST_C, "After so many yes answers the run stops."
            )


def controls(choice: LabChoice) -> None:
    """What is chosen now and then."""
    if choice.view == "errors":
        errors_controls()
    elif choice.view == "run":
        key = f"{PREFIX}algorithm"
        forms.listed("Algorithm", key, ALGORITHMS, "As Lyu, Su and Li number them.")
        badges.verdict(declared(choice))
    if choice.view == "algorithms":
        across = {"epsilon": "ε", "questions": "questions n"}
        forms.segments("Follow", f"{PREFIX}across", across, "What grows along the figures.")
        forms.stops(stops.ASKED, f"{PREFIX}questions", QUESTIONS, "In each counterexample.")
    else:
        choices.pick(choice)
    # What only retraversal takes is asked where it is compared.
    compared = choice.view == "errors" and "retraversal" in choice.methods
    retraversed = choice.view == "run" and choice.algorithm == 7
    if compared or retraversed or choice.view == "algorithms":
        with forms.settings(f"budget {choice.ratio}"):
            settings(choice, with_boost=compared or retraversed)
    if choice.view == "algorithms":
        forms.toggle(
            "Scores move together",
            f"{PREFIX}monotone",
            "Counts do when a record is added or removed (monotone); that needs less noise.",
        )


def settings(choice: LabChoice, *, with_boost: bool) -> None:
    """What most visitors leave as it is."""
    forms.listed(
        "Budget, threshold to comparisons",
        f"{PREFIX}ratio",
        {ratio: ratio for ratio in RATIOS},
        RATIO_HELP,
    )
    if with_boost:
        boost(choice)


def boost(choice: LabChoice) -> None:
    """How far the threshold is raised, and whether those that failed are asked again."""
    if choice.view == "run":
        forms.toggle(
            "Ask again (retraversal)",
            f"{PREFIX}retraverse",
            "Those that failed are asked again until c have passed.",
        )
        if not choice.retraverse:
            return
    words = "In standard deviations D of the query noise."
    forms.slider(stops.BOOST, f"{PREFIX}boost", BOOSTS[0], BOOSTS[-1], words, step=BOOSTS[1])


def errors_controls() -> None:
    """What only the curves over c have."""
    forms.segments(
        "Measure",
        f"{PREFIX}measure",
        {"ser": "By score", "fnr": "By item"},
        "Score error rate: what is missed of the scores. False negative rate: of the items.",
    )
    forms.stops(stops.AVERAGED, f"{PREFIX}runs", RUNS, "More runs, smoother and slower.")


def redraw() -> None:
    """Other noise, and the whole run."""
    for name, value in (("redraw", int(state.chosen()[f"{PREFIX}redraw"]) + 1), ("step", 0)):
        state.set_choice(PREFIX + name, value)


def laboratory() -> None:
    """Controls and figures; not a fragment, because a click in one does not end a long run."""
    choice = score_pages.choice(choices.read, choices.DEFAULTS)
    forms.segments(
        "View", f"{PREFIX}view", VIEWS, "Start with one run, then see who broke the promise."
    )
    figure, side = st.columns([5, 2], gap="large")
    with side:
        controls(choice)
        if choice.view != "algorithms":
            redraws = f" (redraw {choice.redraw})" if choice.redraw else ""
            st.button(
                f"Redraw the noise{redraws}",
                icon=":material/casino:",
                on_click=redraw,
                width="stretch",
            )
    with figure:
        sliders(choice)
        shown = {
            "run": run.show, "algorithms": algorithms, "errors": errors,
        }[choice.view]  # fmt: skip
        shown(choice)
    with side:
        score_pages.offer(export.files(choice))
    words, formula = WORDS[choice.view], FORMULAS[choice.view]
    cards.what_is_this(words, formula, declared(choice), Neighbors.ADD_REMOVE)
    stops.follow(choice)


def algorithms(choice: LabChoice) -> None:
    """The seven, and one more published method that fails by a counterexample."""
    lab_algorithms.show(choice)
    lab_algorithms.show_clusters(choice)


def errors(choice: LabChoice) -> None:
    """Curves over c, under their picker."""
    lab_errors.picker(choice)
    lab_errors.show(choice)


def body() -> None:
    cards.heading(
        "Sparse vector lab",
        "How can endless questions be answered with a finite budget, and where did proofs go "
        "wrong? Nothing here touches your records: scores are made up, or counts that you bring.",
    )
    laboratory()


page_shell.run(body)
