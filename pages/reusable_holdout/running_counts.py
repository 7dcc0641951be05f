"""A section of a page: counts that are published after every step of a stream."""

import math
from typing import Any

import numpy as np
import streamlit as st

from dpcore._numbers import band_names
from dpcore._typing import IntArray
from dpcore.evaluation import RunningCounts, private_running_counts, running_count_methods
from dpcore.evaluation.running_counts.api import noise_deviation
from dpcore.figures.holdout import running_counts_picture
from dpcore.noise import SeededNoise
from dpcore.noise.seeded import monte_carlo
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy import Loss, Neighbors, shown
from dpcore.study.python import Expression, Script
from pages.reusable_holdout import choices
from pages.reusable_holdout.choices import COUNTS, DELTA, CountsChoice
from pages.session import state
from pages.session.text import said
from pages.widgets import cards, forms, fragments, plot, python_code, score_pages

RATE = 4.0
# Names the stream of its noise.
STAGE = "running counts"


def stream(steps: int, seed: int) -> IntArray:
    """Events at each step: a quiet night, a morning and an evening."""
    hour = np.arange(steps) / steps
    rate = (
        0.15 + np.exp(-(((hour - 0.35) / 0.08) ** 2)) + 1.4 * np.exp(-(((hour - 0.8) / 0.1) ** 2))
    )
    return np.asarray(monte_carlo(seed).poisson(RATE * rate), dtype=np.int64)


def code(choice: CountsChoice, seed: int) -> Script:
    """The lines that publish the counts of the same stream."""
    script = python_code.simulated()
    noise = Expression(f'{script.name_of(SeededNoise)}({seed}).child("{STAGE}")')
    told = {"noise": noise, **asked(choice)}
    counts = script.call(private_running_counts, Expression("events"), **told)
    about = {"steps": choice.steps, "rate": Expression(f"{RATE:g}"), "seed": seed}
    return python_code.written("running counts", script, **about, counts=counts)


def asked(choice: CountsChoice) -> dict[str, Any]:
    """What is asked of `private_running_counts`."""
    loss = choice.loss
    return {"epsilon": loss.epsilon, "delta": loss.delta, "method": choice.method.name}


def headline(told: RunningCounts, true: IntArray) -> str:
    """The takeaway of the section."""
    worst = float(np.abs(told.counts - true).max())
    if worst > true[-1]:
        possible = f"any number of the {true[-1]:,} events"
        return nothing_said("a count", possible, told.loss.short)
    fresh = math.sqrt(2.0) * true.size / float(told.loss.epsilon)
    return said("counts published").format(true.size, told.loss, worst, true[-1], fresh)


def table(choice: CountsChoice) -> str:
    """Standard deviation of one count under four ways to publish all."""
    steps, epsilon = choice.steps, float(choice.epsilon)
    levels = (steps - 1).bit_length() + 1
    pure, approximate = Loss(choice.epsilon), Loss(choice.epsilon, DELTA)
    pay, found = f"{(levels + 1) // 2} of {levels} intervals pay", []
    delta = f"epsilon {shown(choice.epsilon)}, delta 10⁻⁶"
    for words, cost, loss in (("Laplace", str(pure), pure), ("Gaussian", delta, approximate)):
        off = noise_deviation(words.lower(), loss, Neighbors.ADD_REMOVE, steps)
        found.append((f"{words}, {pay}", cost, f"{off:,.1f}"))
    usual, fresh = math.sqrt(2.0 * levels**3) / epsilon, math.sqrt(2.0) * steps / epsilon
    found.append(("Laplace, the usual tree: all intervals pay", str(pure), f"{usual:,.1f}"))
    found.append(("Laplace, fresh noise for every count", str(pure), f"{fresh:,.1f}"))
    header = "noise", "cost of all", "deviation of one count"
    caption = f"{steps:,} steps, L + 1 = {levels} intervals around each"
    return cards.table(header, found, caption=caption)


@fragments.fragment
def section() -> None:
    """Figure, controls and table; nothing else reruns while they move."""
    choice = score_pages.choice(choices.read_counts, choices.COUNTS_DEFAULTS)
    seed = int(state.chosen()[f"{choices.PREFIX}seed"])
    events = stream(choice.steps, seed)
    told = private_running_counts(events, noise=SeededNoise(seed).child(STAGE), **asked(choice))
    true = np.cumsum(events)
    st.subheader("Running counts", anchor=False)
    figure, side = st.columns([5, 2], gap="large")
    with figure:
        cards.headline(headline(told, true))
        with forms.moves("counts"):
            forms.epsilon_slider(f"{COUNTS}epsilon")
        about = {"theme": state.theme(), "band_name": band_names(0.9)[0]}
        picture = running_counts_picture(told.counts, true, told.band, **about)
        plot.show(picture, key="running counts")
        st.html(table(choice))
        python_code.show(lambda: code(choice, seed), key="python counts")
    with side:
        controls(choice)
    told_of = cards.words_of("reusable_holdout", "running counts")
    cards.what_is_this(*told_of, choice.method, Neighbors.ADD_REMOVE)


def controls(choice: CountsChoice) -> None:
    """Noise and length of the stream."""
    name, methods, now = f"{COUNTS}method", running_count_methods(), choice.method.name
    with forms.method_settings(name, methods, now, f"{choice.steps:,} steps", key="counts"):
        forms.stops(f"{COUNTS}steps")
