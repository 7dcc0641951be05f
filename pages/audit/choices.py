"""What can be chosen on the Audit page: no Streamlit in here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from dpcore import _check
from dpcore.audit import Pair, Preset, Target, cases, exact_loss, kinds, presets
from dpcore.errors import UnknownMethod
from dpcore.privacy import Neighbors
from pages.session import page_fields, study_fields
from pages.widgets import badges

OWN, MECHANISM = "own", "mechanism"
FEWEST, MOST, USUAL = 100, 200_000, 2_000
# What draws cannot refute needs no patience.
IN_VAIN = 4_000
# An empty text is the first that there is, or what the preset asks for.
DEFAULTS = {
    "audit_show": "threshold-testing",
    "audit_kind": MECHANISM,
    "audit_method": "",
    "audit_neighbors": "",
    "audit_pair": "1",
    "audit_trials": "",
    "audit_seed": "0",
}


def attacks() -> dict[str, str]:
    """The presets, and the way to a choice of one's own."""
    words = {name: preset.title for name, preset in presets().items()}
    first = DEFAULTS["audit_show"]
    return {first: words[first], **words, OWN: "My own choice of method and pair"}


@dataclass(frozen=True, eq=False)
class Subject:
    """What is attacked on which pair; `title` is what people see that it is called.

    `exact` computes the loss on the pair, and gives None where nobody knows how.
    """

    title: str
    story: str
    target: Target
    pair: Pair
    exact: Callable[[], float | None]


@dataclass(frozen=True)
class AuditChoice:
    """Checked choices of the page; `preset` is None for a method of the visitor's own choice."""

    preset: str | None
    kind: str
    method: str
    neighbors: Neighbors
    pair: int
    trials: int
    seed: int


def read(chosen: Mapping[str, str]) -> AuditChoice:
    """The choices of the page; raises `InvalidArgument` or `UnknownMethod`."""
    shown = page_fields.one_of(chosen, "audit_show", (*presets(), OWN))
    kind = page_fields.one_of(chosen, "audit_kind", kind_words())
    names = method_names(kind)
    method = chosen["audit_method"] or next(iter(names))
    if method not in names:
        raise UnknownMethod("method", method, list(names))
    known = relations(kind, method)
    relation = chosen["audit_neighbors"] or known[0].value
    _check.one_of(tuple(one.value for one in known), audit_neighbors=relation)
    neighbors = Neighbors.of(relation)
    pairs = len(pairs_of(kind, method, neighbors))
    usual = trials_of(presets()[shown]) if shown != OWN else USUAL
    told = chosen["audit_trials"] or str(usual)
    return AuditChoice(
        preset=None if shown == OWN else shown,
        kind=kind,
        method=method,
        neighbors=neighbors,
        pair=page_fields.whole(chosen, "audit_pair", 1, pairs),
        trials=page_fields.whole({"audit_trials": told}, "audit_trials", FEWEST, MOST),
        seed=page_fields.whole(chosen, "audit_seed", 0, 2**62),
    )


def trials_of(preset: Preset) -> int:
    """Draws that the preset takes, fewer if they cannot show what it shows."""
    return preset.trials if preset.drawn else min(preset.trials, IN_VAIN)


@cache
def kind_words() -> dict[str, str]:
    """Kinds of methods for a link, each with its name."""
    return {MECHANISM: MECHANISM, **{name.replace(" ", "-").lower(): name for name in kinds()}}


def method_names(kind: str) -> dict[str, str]:
    """Methods of a kind, each with its title; those that are broken say so."""
    if kind == MECHANISM:
        return {name: name for name in cases()}
    return badges.names_with_verdicts(kinds()[kind_words()[kind]].methods())


def relations(kind: str, method: str) -> tuple[Neighbors, ...]:
    """Relations in which a method can be attacked."""
    if kind == MECHANISM:
        return tuple(cases()[method])
    return kinds()[kind_words()[kind]].methods()[method].neighbors


def pairs_of(kind: str, method: str, neighbors: Neighbors) -> tuple[Pair, ...]:
    """Neighbours that a method can be attacked on."""
    if kind == MECHANISM:
        return cases()[method][neighbors].pairs
    chosen = kinds()[kind_words()[kind]]
    return chosen.pairs(chosen.methods()[method], neighbors)


@cache
def _titles() -> dict[str, str]:
    """Registered methods, each with its title."""
    return {one.name: one.title for kind in kinds().values() for one in kind.methods().values()}


WORDS = {"audit_show": attacks, "audit_kind": kind_words, "audit_method": _titles}
page_fields.register(DEFAULTS, WORDS | {"audit_neighbors": study_fields.WORDS["neighbors"]})


def subject(choice: AuditChoice) -> Subject:
    """What the choices attack."""
    if choice.preset is not None:
        preset = presets()[choice.preset]
        target, titles = preset.target(), _titles()
        known = (titles[name] for name in (target.name, *preset.shows) if name in titles)
        title = next(known, target.name)
        return Subject(title, preset.story, target, preset.pair, preset.exact)
    pair = pairs_of(choice.kind, choice.method, choice.neighbors)[choice.pair - 1]
    if choice.kind == MECHANISM:
        case = cases()[choice.method][choice.neighbors]
        return Subject(case.name, "", case.target, pair, lambda: exact_loss(case.mechanism, pair))
    kind = kinds()[kind_words()[choice.kind]]
    method = kind.methods()[choice.method]
    target = kind.target(method, choice.neighbors)
    return Subject(method.title, method.summary, target, pair, lambda: None)
