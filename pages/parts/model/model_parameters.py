"""What the model releases: the effect of each feature, noisy against true."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from dpcore.figures.model_effects import model_effects_picture, most_telling
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.privacy import Neighbors
from dpcore.studies.model_curves.effects import Effects, feature_effects
from dpcore.studies.model_curves.trainer import Records, Trainer
from dpcore.studies.workflow import WorkflowResult
from pages.parts.model import model_records, model_words
from pages.shared import beside_roc, cards, plot, state

KEPT = "model effects"
MOST = 25


def show(result: WorkflowResult) -> None:
    """Headline, figure and table."""
    found = effects(result)
    adjective = model_words.adjective(model_words.method_of(result))
    if not found.names:
        cards.headline("The model has no features: it gives every record the same score.")
        return
    cards.headline(headline(found, adjective))
    plot.show(
        model_effects_picture(
            list(found.names),
            found.released,
            theme=state.theme(),
            exact=found.exact,
            positive=beside_roc.class_names()[1],
            adjective=adjective,
            most=MOST,
            simulated=result.simulated,
        ),
        key="model parameters",
    )
    with st.expander("All effects as a table"):
        st.dataframe(
            {
                "feature": found.names,
                "compared": found.contrasts,
                f"{adjective} effect": found.released,
                "true effect": found.exact,
            },
            hide_index=True,
        )


@dataclass(frozen=True)
class _Named:
    """Records that are equal if their names are."""

    digest: str
    records: Records = field(compare=False)


def effects(result: WorkflowResult) -> Effects:
    """The effects of the study's model, kept while it stays."""
    chosen = model_records.selected(result)
    (one,) = model_records.trainers([result.config.model.method], result)
    assert result.model is not None
    return state.kept(
        KEPT, _effects, result.model, _Named(chosen.digest, chosen), one, result.config.neighbors
    )


def _effects(
    model: DPNaiveBayes | DPLogisticRegression, chosen: _Named, one: Trainer, neighbors: Neighbors
) -> Effects:
    return feature_effects(model, chosen.records, one, neighbors=neighbors)


def headline(found: Effects, adjective: str) -> str:
    """How many of the strongest effects point the right way, and how far the worst is off."""
    strongest = most_telling(found.exact, found.exact, MOST)
    right = int(np.sum(np.sign(found.released[strongest]) == np.sign(found.exact[strongest])))
    off = np.abs(found.released - found.exact)
    worst = int(off.argmax())
    return (
        f"Of the {strongest.size} features that truly say most, the {adjective} model has the "
        f"direction of {right} right; noise moves “{found.names[worst]}” farthest, by "
        f"{off[worst]:.2f}."
    )
