"""What the model releases: the effect of each feature, with and without noise."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from dpcore.curves.model_curves.effects import Effects, PairEffect, feature_effects
from dpcore.curves.model_curves.trainers import EncodedSplit, Trainer
from dpcore.figures import Picture
from dpcore.figures.estimates import model_effects_picture, most_telling
from dpcore.figures.pairs import pairs_picture
from dpcore.models.estimator import PrivateClassifier
from dpcore.privacy import Neighbors
from dpcore.study import WorkflowResult
from dpcore.study.python import Expression, Script
from pages.model import compare as model_records
from pages.session import memory, state
from pages.session.text import said
from pages.widgets import cards, model_words, pin, plot, python_code, score_pages

KEPT = "model effects"
# As many as a screen has room for.
MOST = 15


def show(result: WorkflowResult) -> None:
    """Headline, figure and table."""
    found = effects(result)
    adjective = model_words.method_of(result).guarantee.adjective
    if not found.names:
        cards.headline("The model has no features: it gives every record the same score.")
        return
    cards.headline(headline(found, adjective))
    pin.show(picture(result), key="model parameters")
    if found.pairs:
        st.caption(together(found.pairs))
        picture_of = pairs_picture(found.pairs, theme=state.theme(), positive=_positive())
        plot.show(picture_of, key="model pairs")
    python_code.show(lambda: code(result), result.config)
    with st.expander("All effects as a table"):
        columns = {"feature": found.names, "compared": found.contrasts}
        columns |= {f"{adjective} effect": found.released, "effect without noise": found.exact}
        st.dataframe(columns, hide_index=True)


def picture(result: WorkflowResult) -> Picture | None:
    """Bars of the effects that say most, if the model has features."""
    if not (found := effects(result)).names:
        return None
    told = {"positive": _positive(), "theme": state.theme(), "most": MOST}
    told |= {"adjective": model_words.method_of(result).guarantee.adjective}
    return model_effects_picture(found.names, found.released, found.exact, **told)


def _positive() -> str:
    return score_pages.class_names()[1]


def code(result: WorkflowResult) -> Script:
    """The lines that train the model, and change one feature at a time."""
    (one,) = model_records.trainers([result.config.model.method], result)
    script = model_records.records_code(result.config)
    about = Expression("result.model"), Expression("records"), model_records.in_python(script, one)
    found = script.call(feature_effects, *about, neighbors=result.config.neighbors)
    return python_code.written("effects of features", script, found=found)


def effects(result: WorkflowResult) -> Effects:
    """The effects of the study's model, kept while it stays."""
    chosen = model_records.selected(result)
    (one,) = model_records.trainers([result.config.model.method], result)
    return state.cached(KEPT, _effects, result.model, chosen, one, result.config.neighbors)


def _effects(
    model: PrivateClassifier, chosen: EncodedSplit, one: Trainer, neighbors: Neighbors
) -> Effects:
    with memory.reused():
        return feature_effects(model, chosen, one, neighbors=neighbors)


def together(pairs: Sequence[PairEffect]) -> str:
    """Which columns are weighed together, in a sentence."""
    return said("weighed together").format(", ".join(map(str, pairs)))


def headline(found: Effects, adjective: str) -> str:
    """How many of the strongest effects keep their direction, and how far the worst is off.

    A feature without an effect has no direction, so it is counted neither as right nor as wrong.
    """
    kept = found.directions(most_telling(found.exact, found.exact, MOST))
    if not (counted := kept.same + kept.opposite + kept.none):
        return "Without noise no feature has a direction, so there is none to get wrong."
    off = np.abs(found.released - found.exact)
    worst = int(off.argmax())
    features = (
        f"{counted} features that say most" if counted > 1 else "one feature with a direction"
    )
    told = kept.same, kept.opposite, kept.none, found.names[worst], off[worst]
    return said("directions").format(features, adjective, *told)
