"""What can be chosen on the release desk, and the request that it makes: no Streamlit in here."""

from collections.abc import Mapping
from dataclasses import replace

from dpcore.desk import Assumed, Request, publications
from dpcore.errors import DpcoreError
from dpcore.publications.publication import grouping
from dpcore.registry import Method
from dpcore.schema import Schema
from dpcore.selection import selectors
from dpcore.study import DataSource, NoiseChoice, Workflow, sections
from pages.session import page_fields, study_fields

PREFIX = "release_desk_"
WHAT = f"{PREFIX}what"
TARGET = f"{PREFIX}target"
GROUP = f"{PREFIX}group"
STAGES = ("select", "training")
# What a request does not take over from the study.
USUAL = ("data", "method", "number_bins")


def method_name(kind: str) -> str:
    """Name of the choice that holds the evaluation method of a kind of release."""
    return f"{PREFIX}{kind}_method"


def prefix(kind: str) -> str:
    """How the parameters and options of a kind of release begin."""
    return f"{PREFIX}{kind}."


def _defaults() -> dict[str, str]:
    found = {WHAT: "roc", TARGET: "0.03", GROUP: ""}
    found |= {f"{PREFIX}n": "5000", f"{PREFIX}prevalence": "0.3", f"{PREFIX}auc": "0.8"}
    for name, kind in publications().items():
        if kind.methods is not None:
            found[method_name(name)] = kind.default
            found |= page_fields.of_methods(kind.methods(), prefix(name))
        found |= {prefix(name) + option.name: str(option.default) for option in kind.options}
    return found


DEFAULTS = _defaults()
page_fields.register(DEFAULTS)


def usable(methods: Mapping[str, Method], neighbors: str) -> dict[str, Method]:
    """Methods that may meet real noise under a relation between neighbours."""
    return {
        name: method
        for name, method in methods.items()
        if method.guarantee.holds and neighbors in {known.value for known in method.neighbors}
    }


def stage_methods(chosen: Mapping[str, str], stage: str) -> dict[str, Method]:
    """The usable methods of selection or training."""
    known = selectors() if stage == "select" else sections.trainers(chosen["model"])
    return usable(known, chosen["neighbors"])


def declared(chosen: Mapping[str, str], source: DataSource, schema: Schema | None) -> DataSource:
    """What is declared of the data; of a table with the column of its groups, if it has one."""
    columns = grouping(schema)
    if not columns or chosen[WHAT] != "groups":
        return source
    return replace(source, group=chosen[GROUP] if chosen[GROUP] in columns else columns[0])


def request(chosen: Mapping[str, str], source: DataSource) -> Request:
    """The request that the choices make; raises what dpcore refuses."""
    name = chosen[WHAT]
    kind = publications().get(name)
    told, options, method = {}, {}, ""
    for option in kind.options if kind is not None else ():
        text = chosen[prefix(name) + option.name]
        options[option.name] = page_fields.typed(option.kind, text, option.name)
    if kind is not None and kind.methods is not None:
        method = chosen[method_name(name)]
        if method in kind.methods():
            told = page_fields.parameters(kind.methods()[method], chosen, prefix(name))
    return Request(
        what=name, study=study(chosen, source), method=method, parameters=told, options=options
    )


def study(chosen: Mapping[str, str], source: DataSource) -> Workflow:
    """The study behind the request, on declared data and with the system's noise."""
    # The ROC page's own method and parameters are no part of a request, nor are bins of numbers.
    own = {name: value for name, value in chosen.items() if name not in USUAL}
    usual = {name: study_fields.DEFAULTS[name] for name in USUAL}
    return replace(study_fields.workflow({**own, **usual}), data=source, noise=NoiseChoice(None))


def assumed(chosen: Mapping[str, str]) -> Assumed:
    """What the preview takes for granted."""
    return Assumed(
        n=page_fields.whole(chosen, f"{PREFIX}n", 20, 1_000_000),
        prevalence=float(page_fields.typed(float, chosen[f"{PREFIX}prevalence"], "prevalence")),
        auc=float(page_fields.typed(float, chosen[f"{PREFIX}auc"], "auc")),
    )


def target(chosen: Mapping[str, str]) -> float:
    """The error that is wanted."""
    return float(page_fields.typed(float, chosen[TARGET], "target"))


def settled(chosen: Mapping[str, str]) -> dict[str, str]:
    """Choices to be changed because they cannot be released, by their names."""
    changes = {}
    for stage in STAGES:
        methods = stage_methods(chosen, stage)
        now = study_fields.method_of(chosen, stage).name
        if now not in methods:
            changes[stage] = "none" if stage == "select" else next(iter(methods))
    for name, kind in publications().items():
        if kind.methods is None:
            continue
        methods = usable(kind.methods(), chosen["neighbors"])
        if chosen[method_name(name)] not in methods:
            usual = kind.default if kind.default in methods else next(iter(methods))
            changes[method_name(name)] = usual
    if chosen[WHAT] not in publications():
        changes[WHAT] = DEFAULTS[WHAT]
    for read in (assumed, target):
        try:
            read({**chosen, **changes})
        except DpcoreError:
            names = TARGET, *(f"{PREFIX}{part}" for part in ("n", "prevalence", "auc"))
            changes |= {name: DEFAULTS[name] for name in names}
    return changes
