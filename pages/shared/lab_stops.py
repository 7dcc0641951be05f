"""The laboratory's figures at every stop of their sliders, to be dragged through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpcore.figures import Picture
from pages.shared import lab_algorithms, lab_clusters, lab_data, lab_run, state, stops
from pages.shared.sparse_vector_lab_fields import BOOSTS, MOST_C, LabChoice

EPSILON, CUT_OFF, BOOST = "Epsilon of the whole run", "Cut-off c", "Raise the threshold by, in D"
Draw = Callable[[LabChoice], Picture]
# Curves over c are averages of many runs: they are computed when a slider is let go.
FIGURES: dict[str, dict[str, Draw]] = {
    "run": {"sparse vector run": lab_run.drawn},
    "algorithms": {
        "losses": lab_algorithms.losses_picture,
        "odds": lab_algorithms.odds_picture,
        "clusters": lab_clusters.picture,
    },
    "errors": {},
}


def follow(choice: LabChoice) -> None:
    """Let every figure of the view move while a slider is dragged; call after the figures."""
    for figure, draw in FIGURES[choice.view].items():
        stops.follow_all(_sliders(choice, draw), figure=figure)


def _sliders(choice: LabChoice, draw: Draw) -> list[stops.Slider]:
    common = lab_data.counts(choice).digest, lab_data.seed(), state.theme().name

    def at_epsilon(epsilon: Fraction) -> Picture:
        return draw(replace(choice, epsilon=epsilon))

    fits = replace(choice, epsilon=Fraction(1)), *common
    found = [
        stops.of_epsilon(EPSILON, at_epsilon, fits),
        stops.Slider(
            CUT_OFF,
            [str(c) for c in range(1, MOST_C + 1)],
            lambda text: draw(replace(choice, c=int(text))),
            (replace(choice, c=1), *common),
        ),
    ]
    if choice.view == "run" and choice.retraverse:
        found.append(
            stops.Slider(
                BOOST,
                [f"{boost:.2f}" for boost in BOOSTS],
                lambda text: draw(replace(choice, boost=float(text))),
                (replace(choice, boost=0.0), *common),
            )
        )
    return found
