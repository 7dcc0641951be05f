"""What can be chosen on the Model page beside the study: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcore import _check
from dpcore.curves.model_curves import MEASURES
from dpcore.errors import InvalidArgument
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
    "model_measure": "accuracy",
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
    _check.one_of(VIEWS, model_view=chosen["model_view"])
    threshold = float(page_fields.typed(float, chosen["model_threshold"], "model_threshold"))
    _check.in_range(0, 1, model_threshold=threshold)
    names = tuple(dict.fromkeys(name for name in chosen["model_methods"].split(",") if name))
    for name in names:
        _check.one_of(tuple(model_words.every_method()), model_methods=name)
    if not 1 <= len(names) <= MOST_METHODS:
        wanted = f"1 to {MOST_METHODS} names of methods with commas between them"
        raise InvalidArgument("model_methods", chosen["model_methods"], wanted)
    for phase in chosen[LOCKED].split(","):
        _check.one_of((NO_LOCK, *PHASES), **{LOCKED: phase})
    _check.one_of(tuple(MEASURES), model_measure=chosen["model_measure"])
    return ModelChoice(
        view=chosen["model_view"],
        threshold=threshold,
        methods=names,
        measure=chosen["model_measure"],
        draws=page_fields.whole(chosen["model_draws"], "model_draws", 1, MOST_DRAWS),
    )
