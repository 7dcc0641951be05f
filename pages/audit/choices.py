"""What can be chosen on the Audit page: no Streamlit in here."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from dpcore import Neighbors, _check
from dpcore.audit import Pair, Target, cases, exact_loss, kinds, presets
from dpcore.errors import UnknownMethod
from pages.session import page_fields, study_fields
from pages.session.page_fields import Chosen, choice
from pages.widgets import badges

OWN, MECHANISM = "own", "mechanism"
FEWEST, MOST, USUAL = 100, 200_000, 2_000
# What draws cannot refute needs no patience.
IN_VAIN = 4_000
FIRST = "threshold-testing"


def attacks() -> dict[str, str]:
    """The presets, and the way to a choice of one's own."""
    words = {name: preset.title for name, preset in presets().items()}
    return {FIRST: words[FIRST], **words, OWN: "My own choice of method and pair"}


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


def _method(chosen: Chosen, name: str) -> str:
    names = method_names(chosen["audit_kind"])
    method = chosen[name] or next(iter(names))
    if method not in names:
        raise UnknownMethod("method", method, list(names))
    return method


def _relation(chosen: Chosen, name: str) -> Neighbors:
    known = relations(chosen["audit_kind"], _method(chosen, "audit_method"))
    relation = chosen[name] or known[0].value
    _check.one_of(tuple(one.value for one in known), **{name: relation})
    return Neighbors.of(relation)


def _pair(chosen: Chosen, name: str) -> int:
    method, relation = _method(chosen, "audit_method"), _relation(chosen, "audit_neighbors")
    return page_fields.whole(chosen, name, 1, len(pairs_of(chosen["audit_kind"], method, relation)))


def _trials(chosen: Chosen, name: str) -> int:
    usual = USUAL
    if (shown := chosen["audit_show"]) != OWN:
        preset = presets()[shown]
        usual = preset.trials if preset.drawn else min(preset.trials, IN_VAIN)
    return page_fields.whole({name: chosen[name] or str(usual)}, name, FEWEST, MOST)


@dataclass(frozen=True)
class AuditChoice:
    """Checked choices of the page; an empty text is the first there is, or the preset's own."""

    show: str = choice(FIRST, page_fields.one_of, attacks)
    kind: str = choice(MECHANISM, page_fields.one_of, kind_words)
    method: str = choice("", _method)
    neighbors: Neighbors = choice("", _relation)
    pair: int = choice("1", _pair)
    trials: int = choice("", _trials)
    seed: int = choice("0", page_fields.whole, 0, 2**62)

    @property
    def preset(self) -> str | None:
        """What is shown; None for a method of the visitor's own choice."""
        return None if self.show == OWN else self.show


DEFAULTS, read = page_fields.declared(AuditChoice, "audit_")
page_fields.register(
    {}, {"audit_method": _titles, "audit_neighbors": study_fields.WORDS["neighbors"]}
)


def subject(asked: AuditChoice) -> Subject:
    """What the choices attack."""
    if asked.preset is not None:
        preset = presets()[asked.preset]
        target, titles = preset.target(), _titles()
        known = (titles[name] for name in (target.name, *preset.shows) if name in titles)
        title = next(known, target.name)
        return Subject(title, preset.story, target, preset.pair, preset.exact)
    pair = pairs_of(asked.kind, asked.method, asked.neighbors)[asked.pair - 1]
    if asked.kind == MECHANISM:
        case = cases()[asked.method][asked.neighbors]
        return Subject(case.name, "", case.target, pair, lambda: exact_loss(case.mechanism, pair))
    kind = kinds()[kind_words()[asked.kind]]
    method = kind.methods()[asked.method]
    target = kind.target(method, asked.neighbors)
    return Subject(method.title, method.summary, target, pair, lambda: None)
