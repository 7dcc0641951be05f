"""The seven algorithms side by side, and on which neighbours each of them loses most."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import streamlit as st

from dpcore._numbers import short
from dpcore._typing import FloatArray
from dpcore.curves.selection import variants
from dpcore.figures import Picture
from dpcore.figures.selection import Line, lines_picture
from dpcore.privacy import shown
from dpcore.selection import selectors
from dpcore.selection.exact import counterexample
from dpcore.study.python import Expression, Script
from pages.session import state
from pages.session.text import said
from pages.sparse_vector_lab.choices import PREFIX, QUESTIONS, LabChoice
from pages.widgets import badges, cards, forms, pin, plot, python_code

EPSILONS = tuple(forms.grid("0.05", "10"))


@lru_cache(maxsize=1)
def odds() -> variants.ClusterOdds:
    """Both examples over epsilon."""
    return variants.cluster_odds(EPSILONS)


def show_clusters(choice: LabChoice) -> None:
    """Verdict, words, figure and table."""
    st.markdown("#### Clusters of features give themselves away")
    badges.word(selectors()["cluster-published"].guarantee)
    st.markdown(cards.words_of("sparse_vector_lab", "clusters")[0])
    plot.show(picture(choice), key="clusters")
    st.html(_cluster_table())
    python_code.show(clusters_code, key="python clusters")


def clusters_code() -> Script:
    """The lines that follow both examples over epsilon."""
    script = Script()
    odds = script.call(variants.cluster_odds, script.exactly("epsilons", EPSILONS))
    return python_code.written("odds of clusters", script, odds=odds)


def picture(choice: LabChoice) -> Picture:
    """Probabilities of what one data set answers, and the other hardly ever or never."""
    found = odds()
    lines = [
        Line("counts 6 and 7: the second alone", found.epsilons, found.alone),
        Line("counts 6 and 6: never", found.epsilons, np.zeros(found.epsilons.size), "reference"),
        Line("count 1,001: selected", found.epsilons, found.above),
        Line("count 1,000: selected", found.epsilons, found.below),
    ]
    told = {"name": "cluster-odds", "y_title": "probability", "y_range": (-0.02, 1.03)}
    return lines_picture(lines, **told, **_along(replace(choice, across="epsilon")))


def _cluster_table() -> str:
    """The same as numbers, at a few points."""
    found = odds()
    columns = (
        (found.epsilons, ".4g"), (found.alone, ".3f"), (np.zeros(found.epsilons.size), ".0f"),
        (found.above, ".4g"), (found.below, ".3g"), (found.loss, ".3g"),
    )  # fmt: skip
    rows = [[_text(values[i], how) for values, how in columns] for i in _few(found.epsilons)]
    header = "published ε", "6 and 7", "6 and 6", "1,001", "1,000", "loss of the last two"
    return cards.table(header, rows, caption=said("one round"))


def _few(at: FloatArray) -> list[int]:
    """A few points of a curve, for a table."""
    return np.unique(np.linspace(0, at.size - 1, 8).astype(int)).tolist()


def _text(value: float, how: str = ".3g") -> str:
    return f"{value:{how}}".replace("e-", "e−")


SIZES = tuple(
    sorted({round(10 ** (power / 6)) for power in range(int(6 * np.log10(QUESTIONS[-1])) + 1)})
)

# Logarithm of a number so small that it has few digits left.
TINY = -680.0

YES_NO = {True: "yes", False: "no"}


def show(choice: LabChoice) -> None:
    """Headline, losses of all, the table of the paper, and the counterexamples."""
    found = [variants.facts(algorithm, **_asked(choice)) for algorithm in variants.ALGORITHMS]
    cards.headline(headline(choice, found))
    pin.show(losses_picture(choice), key="losses")
    st.html(table(choice, found))
    python_code.show(lambda: losses_code(choice))
    one_algorithm(choice, found[choice.algorithm - 1])
    # One more published method that fails by a counterexample.
    show_clusters(choice)


def _asked(choice: LabChoice) -> dict[str, Any]:
    return {"epsilon": choice.epsilon, "size": choice.questions, **_settings(choice)}


def _settings(choice: LabChoice) -> dict[str, Any]:
    """What every algorithm is told, however much it may spend and is asked."""
    return {"cutoff": choice.c, "monotone": choice.monotone, "ratio": choice.ratio}


def headline(choice: LabChoice, found: list[variants.VariantFacts]) -> str:
    """Who keeps the promise, and by how much the others break it."""
    over = [one for one in found if one.loss > float(choice.epsilon) * (1 + 1e-9)]
    words = ", ".join(f"Alg. {one.algorithm}: {loss_text(one.loss)}" for one in over)
    # Of few questions others lose no more either; of more they do, and 4 at its published epsilon.
    proven = [one for one in found if one.guarantee.holds and one.algorithm != 4]
    keep = ", ".join(str(one.algorithm) for one in proven)
    if not over:
        return said("all seven keep it").format(choice.questions, shown(choice.epsilon))
    told = shown(choice.epsilon), choice.questions, words, keep
    return said("some of the seven lose more").format(*told)


def loss_text(loss: float) -> str:
    """A loss as a reader writes it."""
    return "infinite" if np.isinf(loss) else short(loss, digits=3)


# As many as there are stops to be dragged through, and some.
_losses = lru_cache(maxsize=128)(variants.losses)


def series(choice: LabChoice) -> dict[int, variants.Series]:
    """Losses over epsilon, or over the number of questions."""
    epsilons, sizes = _places(choice)
    return _losses(epsilons=epsilons, sizes=sizes, **_settings(choice))


def _places(choice: LabChoice) -> tuple[tuple[Fraction, ...], tuple[int, ...]]:
    """Epsilons and numbers of questions, one of them alone."""
    if choice.across == "epsilon":
        return EPSILONS, (choice.questions,)
    return (choice.epsilon,), SIZES


def losses_code(choice: LabChoice, algorithm: int | None = None) -> Script:
    """The lines that compute the loss of every algorithm, or all that is seen of one."""
    script = Script()
    epsilons, sizes = _places(choice)
    told = {"epsilons": script.exactly("epsilons", epsilons), "sizes": Expression([*sizes])}
    found = script.call(variants.losses, **told, **_settings(choice))
    name = "losses of all" if algorithm is None else "loss of one"
    return python_code.written(name, script, found=found, algorithm=algorithm)


def losses_picture(choice: LabChoice) -> Picture:
    """The loss of each algorithm, and what was claimed."""
    found = series(choice)
    # Told by what no slider changes: the lines stay the same ones at every stop.
    same = choice.ratio == "1:1" and not choice.monotone
    lines = [Line("claimed: loss = ε", found[1].at, found[1].bound, role="reference")]
    for n in (1, 2, 3, 4, 6) if same else (1, 2, 3, 4, 6, 7):
        name = "Alg. 1, 7" if same and n == 1 else f"Alg. {n}"
        # A loss of zero has no logarithm.
        lines.append(Line(name, found[n].at, np.where(found[n].loss > 0, found[n].loss, np.nan)))
    told = {"name": "sparse-vector-losses", "y_title": "exact privacy loss", "log_y": True}
    return lines_picture(lines, **told, **_along(choice))


def _along(choice: LabChoice) -> dict[str, Any]:
    """What figures have in common that are computed, and not drawn, along epsilon or questions."""
    title, at = {
        "epsilon": ("published ε", float(choice.epsilon)),
        "questions": ("questions n", choice.questions),
    }[choice.across]
    about = {"theme": state.theme(), "simulated": False}
    return {"x_title": title, "marker": at, "log_x": True, **about}


def table(choice: LabChoice, found: list[variants.VariantFacts]) -> str:
    """The table of the paper, with what is really drawn and lost."""
    rows = [
        ("published by", *(one.origin for one in found)),
        ("verdict", *(one.guarantee.badge for one in found)),
        ("true loss", *(one.truth for one in found)),
        (f"loss with {choice.questions} questions", *(loss_text(one.loss) for one in found)),
        ("threshold noise", *(one.threshold_noise for one in found)),
        ("its scale here", *(short(one.drawn.threshold_scale) for one in found)),
        ("drawn again after a yes", *(YES_NO[one.drawn.refresh] for one in found)),
        ("query noise", *(one.query_noise for one in found)),
        ("its scale here", *(short(one.drawn.query_scale) for one in found)),
        ("answers a yes by the number", *(YES_NO[one.drawn.numeric] for one in found)),
        ("stops after c yes", *(YES_NO[one.drawn.stops] for one in found)),
    ]
    header = ("sensitivity 1", *(f"Alg. {one.algorithm}" for one in found))
    caption = (
        f"The seven algorithms at ε = {shown(choice.epsilon)}, c = {choice.c}. Alg. 4 runs "
        "here at its true loss, which makes it private; as published it is not"
    )
    return cards.table(header, rows, caption=caption, wrapping=True)


def one_algorithm(choice: LabChoice, one: variants.VariantFacts) -> None:
    """The two data sets on which an algorithm loses most, and what they answer."""
    st.markdown("#### The worst two neighbours")
    forms.segments(
        f"{PREFIX}algorithm",
        {str(number): f"Alg. {number}" for number in variants.ALGORITHMS},
        label="Of which algorithm?",
        help_text="Two data sets that differ by one record, made to let the algorithm lose much.",
    )
    badges.verdict(selectors()[variants.selector_of(one.algorithm)])
    st.markdown(_moral(choice, one))
    st.html(neighbours(choice))
    plot.show(odds_picture(choice), key="odds")
    st.html(odds_table(choice))
    python_code.show(lambda: losses_code(choice, choice.algorithm), key="python odds")


def _moral(choice: LabChoice, one: variants.VariantFacts) -> str:
    """What the counterexample shows."""
    usual = "it keeps its loss" if one.guarantee.holds else "it loses without bound"
    name = {4: "it costs more than published", 5: "it answers never"}.get(one.algorithm, usual)
    told = {"epsilon": shown(choice.epsilon), "loss": loss_text(one.loss), "truth": one.truth}
    return said(name).format(**told, questions=choice.questions)


def neighbours(choice: LabChoice) -> str:
    """Both data sets and the answer, question by question."""
    worst = counterexample(choice.algorithm, **_asked(choice))
    both = zip(variants.answers_of(worst.here), variants.answers_of(worst.there), strict=True)
    rows = [(times, score, other[1], answer) for (times, score, answer), other in both]
    header = "asked", "score on D", "score on D'", "this answer"
    caption = "Scores less the threshold; D and D' differ by one record, so no score by over 1"
    return cards.table(header, rows, caption=caption)


def odds_picture(choice: LabChoice) -> Picture:
    """Probability of the same answer on both data sets, and what epsilon-DP allows."""
    found = series(choice)[choice.algorithm]
    low, high = np.sort([found.log_here, found.log_there], axis=0)
    never = not np.isfinite(low).any()
    if not never:
        high, low = (np.where(one > TINY, one, np.nan) for one in (high, low))
    allowed = np.exp(low + found.bound)
    # Alg. 5 answers with a chance on one data set and never on the other, which no logarithm shows.
    lines = [
        Line("on one data set", found.at, np.exp(high)),
        Line("on the other" + (": never" if never else ""), found.at, np.exp(low)),
        Line("most that ε-DP allows on the first", found.at, allowed, role="reference"),
    ]
    told = {"log_y": not never, "y_range": (-0.02, 0.55) if never else None}
    told |= {"name": f"algorithm-{choice.algorithm}-odds", **_along(choice)}
    return lines_picture(lines, y_title=f"{_kind(choice)} of this answer", **told)


def _kind(choice: LabChoice) -> str:
    return "density" if choice.algorithm == 3 else "probability"


def odds_table(choice: LabChoice) -> str:
    """The same as numbers, at a few points."""
    found = series(choice)[choice.algorithm]
    columns = (
        (found.at, short), (found.log_here, _probability), (found.log_there, _probability),
        (found.loss, loss_text), (found.bound, short),
    )  # fmt: skip
    rows = [[how(float(values[i])) for values, how in columns] for i in _few(found.at)]
    both = f"{_kind(choice)} on D", f"{_kind(choice)} on D'"
    caption = "Computed exactly, by integrating over the noise of the threshold"
    header = _along(choice)["x_title"], *both, "loss", "claimed"
    return cards.table(header, rows, caption=caption)


def _probability(log: float) -> str:
    if np.isneginf(log):
        return "0"
    # Beyond what a number in double precision can hold there is still its logarithm.
    return _text(np.exp(log)) if log > TINY else f"1e−{-log / np.log(10):.0f}"
