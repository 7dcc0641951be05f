"""What can be chosen on the Model page beside the study: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcore import _check
from dpcore.curves.model_curves import MEASURES
from dpcore.figures.roc_panels import MOST_METHODS
from dpcore.study import PHASES
from pages.session import page_fields
from pages.session.study_fields import LOCKED, NO_LOCK
from pages.widgets import model_words

VIEWS = ("model", "accuracy", "parameters", "runtime")
MOST_DRAWS = 20
DEFAULTS = {
    "model_view": "model",
    "model_threshold": "0.5",
    "model_methods": "auto,vaidya,smooth-published,objective",
    "model_measure": "auc",
    "model_draws": "3",
    LOCKED: NO_LOCK,
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class ModelChoice:
    """Checked choices of the page."""

    view: str
    threshold: float
    methods: tuple[str, ...]
    measure: str
    draws: int


def read(chosen: Mapping[str, str]) -> ModelChoice:
    """The choices of the page; raises `InvalidArgument` or `UnknownMethod`."""
    for phase in chosen[LOCKED].split(","):
        _check.one_of((NO_LOCK, *PHASES), **{LOCKED: phase})
    return ModelChoice(
        view=page_fields.one_of(VIEWS, chosen, "model_view"),
        threshold=page_fields.number(chosen, "model_threshold", 0, 1),
        methods=page_fields.several(
            model_words.every_method(), chosen, "model_methods", most=MOST_METHODS
        ),
        measure=page_fields.one_of(MEASURES, chosen, "model_measure"),
        draws=page_fields.whole(chosen, "model_draws", 1, MOST_DRAWS),
    )
