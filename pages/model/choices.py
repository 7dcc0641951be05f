"""What can be chosen on the Model page beside the study: no Streamlit in here."""

from dataclasses import dataclass

from dpcore.figures.roc_panels import MOST_METHODS
from dpcore.study import PHASES
from pages.session import page_fields
from pages.session.page_fields import choice
from pages.session.study_fields import NO_LOCK
from pages.widgets import model_words

MOST_DRAWS = 20
LOCKS = (NO_LOCK, *PHASES)
# The methods that are compared first.
USUAL = "auto,vaidya,smooth-published,objective"


@dataclass(frozen=True)
class ModelChoice:
    """Checked choices of the page; `locked` are the shares of epsilon that stay where they are."""

    view: str = choice("model", page_fields.one_of)
    threshold: float = choice("0.5", page_fields.number, 0, 1)
    methods: tuple[str, ...] = choice(
        USUAL, page_fields.several, model_words.every_method, most=MOST_METHODS
    )
    measure: str = choice("auc", page_fields.one_of)
    draws: int = choice("3", page_fields.whole, 1, MOST_DRAWS)
    locked: tuple[str, ...] = choice(NO_LOCK, page_fields.several, LOCKS, most=len(LOCKS))


DEFAULTS, read = page_fields.declared(ModelChoice, "model_")
