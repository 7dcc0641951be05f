"""One run, query by query: figure, what is said at each step, and the table beneath."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore._numbers import rate, signed
from dpcore._typing import FloatArray
from dpcore.curves.selection.variants import selector_of
from dpcore.figures import Picture
from dpcore.figures.sparse_vector_walk import sparse_vector_walk_picture
from dpcore.noise import SeededNoise
from dpcore.privacy import shown
from dpcore.selection import SparseVectorTrace, TracedQuery, selectors, trace_sparse_vector
from dpcore.study.python import Expression, Script
from pages.session import state
from pages.session.text import said
from pages.sparse_vector_lab import choices
from pages.sparse_vector_lab.choices import PREFIX, LabChoice
from pages.widgets import cards, pin, python_code

_number, _signed = partial(rate, digits=1), partial(signed, digits=1)
ITEMS, MOST_QUERIES = 20, 60
STEP = f"{PREFIX}step"
HEADER = (
    "query", "item", "exact score", "query noise", "noisy score", "noisy threshold", "answer",
    "budget left",
)  # fmt: skip


def trace(choice: LabChoice) -> SparseVectorTrace:
    """The run that the choices describe, on the largest counts."""
    scores = choices.counts(choice).largest(ITEMS)
    return trace_sparse_vector(scores, noise=SeededNoise(choices.seed()), **asked(choice, scores))


def asked(choice: LabChoice, scores: FloatArray) -> dict[str, Any]:
    """What is asked of `trace_sparse_vector`."""
    return {
        "algorithm": choice.algorithm,
        "epsilon": choice.epsilon,
        "k": min(choice.c, scores.size - 1),
        "ratio": choice.ratio,
        "boost": choice.boost if choice.retraverse else 0.0,
        "retraverse": choice.retraverse,
        # Counts: a record more, and none of them falls.
        "monotone": True,
        "most": MOST_QUERIES,
    }


def code(choice: LabChoice) -> Script:
    """The lines that run it, on the same counts."""
    scores, script = choices.counts(choice).largest(ITEMS), python_code.simulated()
    noise = Expression(f"{script.name_of(SeededNoise)}({choices.seed()})")
    told = asked(choice, scores) | {"noise": noise}
    about = {"run": script.call(trace_sparse_vector, Expression("scores"), **told)}
    numbers = ", ".join(f"{score:.12g}" for score in scores.tolist())
    return python_code.written("one run", script, **about, scores=Expression(numbers))


def show(choice: LabChoice) -> None:
    """Headline, figure with its player, and the table."""
    run = trace(choice)
    cards.headline(headline(choice, run))
    step = _step(choice, run)
    told = {"at": step - 1, "on_step": lambda at: state.set_choice(STEP, at + 1)}
    pin.show(picture(choice, run, step), key="sparse vector run", **told)
    press = "Press Next to ask one question after the other."
    if choice.step == 0:
        press = "This is the whole run; press Next to begin at its first question."
    above = "Each dot is a noisy score: above the dashed line the answer is yes, below it no."
    st.caption(f"{above} {press}")
    st.html(numbers(choice, run) + table(run))
    python_code.show(lambda: code(choice))


def _step(choice: LabChoice, run: SparseVectorTrace) -> int:
    """How many queries the figure shows."""
    return min(choice.step or len(run.queries), len(run.queries))


def drawn(choice: LabChoice) -> Picture:
    """The figure that the choices describe."""
    run = trace(choice)
    return picture(choice, run, _step(choice, run))


def headline(choice: LabChoice, run: SparseVectorTrace) -> str:
    """How many of the answers are what they would be without noise."""
    asked = len(run.queries)
    wrong = sum(query.passed != (query.score > run.threshold) for query in run.queries)
    passed = int(run.selected.size)
    ends = (
        f"stops after {passed} yes"
        if passed == choice.c and choice.algorithm not in (5, 6)
        else f"asks all, and says yes {passed} times"
        if run.complete
        else f"is still going after {asked} queries"
    )
    proven = selectors()[selector_of(choice.algorithm)].guarantee.holds
    claimed = "epsilon" if proven else "a claimed epsilon"
    told = choice.algorithm, claimed, shown(choice.epsilon), ends, wrong, asked
    return said("how a run ends").format(*told)


def picture(choice: LabChoice, run: SparseVectorTrace, step: int) -> Picture:
    """All queries up to a step, with a frame for every step."""
    size = len(run.queries)
    names = [_said(place, size, query) for place, query in enumerate(run.queries, start=1)]
    about = {"theme": state.theme(), "epsilon": float(choice.epsilon), "step": step}
    return sparse_vector_walk_picture(run, names, **about)


def _said(place: int, size: int, query: TracedQuery) -> str:
    """One step in words: both noises, the comparison, the answer, and what is left."""
    sign, answer = ">" if query.passed else "≤", _answer(query)
    if query.numeric_answer is not None:
        answer = f"the number {answer}"
    noise = _signed(query.query_noise)
    added = f"{noise[0]} {noise[1:]}" if noise[0] in "+−" else f"+ {noise}"
    compared = _number(query.noisy_score), sign, _number(query.noisy_threshold)
    told = (place, size, query.index + 1, _number(query.score), added, *compared, answer)
    return said("a query").format(*told, float(query.budget_left))


def _answer(query: TracedQuery) -> str:
    if query.numeric_answer is not None:
        return _number(query.numeric_answer)
    return "yes" if query.passed else "no"


def numbers(choice: LabChoice, run: SparseVectorTrace) -> str:
    """What stays the same during the run."""
    first = run.queries[0]
    spread = float(np.std([query.query_noise for query in run.queries]))
    wanted = set(range(min(choice.c, ITEMS)))
    hits = len(wanted & set(run.selected.tolist()))
    raised = ", raised" if choice.retraverse and choice.algorithm == 7 else ""
    between = f"between the c-th and the next score{raised}; a secret"
    drawn = "at first; drawn again after each yes" if choice.algorithm == 2 else "drawn once"
    return cards.numbers(
        [
            ("Threshold", _number(run.threshold), between),
            ("Its noise", _signed(first.threshold_noise), drawn),
            ("Query noise", _number(spread), "standard deviation seen in this run"),
            ("Found", f"{hits} of {len(wanted)}", "of the c items that truly score best"),
        ]
    )


def table(run: SparseVectorTrace) -> str:
    """Every query of the run."""
    rows = [
        (
            str(place) + (f" (round {query.round})" if query.round > 1 else ""),
            str(query.index + 1),
            _number(query.score),
            _signed(query.query_noise),
            _number(query.noisy_score),
            _number(query.noisy_threshold),
            _answer(query),
            f"{float(query.budget_left):.3g}",
        )
        for place, query in enumerate(run.queries, start=1)
    ]
    caption = "Only the column “answer” is ever published; all else stays secret"
    return cards.table(HEADER, rows, caption=caption)
