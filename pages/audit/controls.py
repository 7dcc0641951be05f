"""What a visitor can set on the Audit page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from dpcore.audit import presets
from pages.audit import choices
from pages.audit.choices import OWN, AuditChoice
from pages.session import page_fields, state
from pages.widgets import forms

TRIALS = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)


def chosen() -> tuple[AuditChoice, list[str]]:
    """The checked choices, and a sentence for each that a link asks for in vain."""
    defaults, refused = choices.DEFAULTS, []
    for name, sentence in list(page_fields.refused(choices.read, defaults, state.chosen())):
        state.set_choice(name, defaults[name])
        refused.append(sentence)
    return choices.read(state.chosen()), refused


def forget(*names: str) -> None:
    """Choices that depend on the one just made go back to the first that there is."""
    for name in names:
        state.set_choice(name, choices.DEFAULTS[name])


def take(dependent: Iterable[str], name: str, offered: Collection[str]) -> None:
    """Callback of a list: what it shows becomes the choice."""
    if state.has_widget(name):
        state.choice_from_widget(name, offered)
        forget(*dependent)


def listed(label: str, name: str, words: Mapping[str, str], now: str, *dependent: str) -> None:
    """One of a list, on which other choices depend."""
    forms.listed(label, name, words, now=now, on_change=partial(take, dependent))


def show_picker(choice: AuditChoice) -> None:
    """The presets, and the way to a choice of one's own."""
    words = {name: preset.title for name, preset in presets().items()}
    first = "threshold-testing"
    ordered = {first: words[first], **words, OWN: "My own choice of method and pair"}
    listed("Attack", "audit_show", ordered, choice.preset or OWN, "audit_trials")


def own_choice(choice: AuditChoice) -> None:
    """Kind, method, relation and pair."""
    kinds = choices.kind_words()
    rest = ("audit_method", "audit_neighbors", "audit_pair")
    listed("Kind of method", "audit_kind", kinds, choice.kind, *rest)
    names = choices.method_names(choice.kind)
    listed("Method", "audit_method", names, choice.method, *rest[1:])
    known = choices.relations(choice.kind, choice.method)
    words = {one.value: one.words for one in known}
    listed("Neighbours", "audit_neighbors", words, choice.neighbors.value, rest[2])
    pairs = choices.pairs_of(choice.kind, choice.method, choice.neighbors)
    numbered = {str(place): pair.words for place, pair in enumerate(pairs, start=1)}
    listed("Pair of data sets", "audit_pair", numbered, str(choice.pair))


def draws(choice: AuditChoice) -> None:
    """How many draws, and of which noise."""
    forms.stops(
        "Draws from each data set",
        "audit_trials",
        TRIALS,
        "Half of them choose the event, half count it.",
        now=str(choice.trials),
        format_func=lambda text: f"{int(text):,}",
    )
    label, words = f"Attack again (seed {choice.seed})", "With other noise, from the next seed."
    forms.draw_again(label, state.set_choice, "audit_seed", choice.seed + 1, help_text=words)
