"""The names of all choices, and the study that they make: no Streamlit in here."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, cast

from dpcore import _check, study
from dpcore.data.reading import samples
from dpcore.errors import InvalidArgument
from dpcore.evaluation import roc_methods
from dpcore.privacy import Neighbors, exact
from dpcore.registry import Method, Parameter
from dpcore.selection import selectors
from dpcore.selection.problem import Selector
from dpcore.selection.scores import SCORES, Score
from dpcore.selection.scoring import ROW_BOUNDS
from dpcore.study import DataSource, Epsilons, Evaluation, Model, NoiseChoice, Workflow, sections
from pages.session import memory
from pages.session.page_list import WITHOUT_RECORDS
from pages.session.text import table

UPLOAD = "upload"
# What a visit begins with: numbers and levels, positives that are rare, and noise that shows.
SAMPLE = "heart-risk"
# A score of features that looks at the label, and is as little sensitive as a plain count.
SCORE = "difference-count"
TOP_K = "select.top_k"
# The short name is that of the curve, which every study pays for.
EPSILON = {phase: f"epsilon.{phase}" for phase in ("selection", "training")}
EPSILON["evaluation"] = "epsilon"
# Which shares of epsilon stay where they are, with commas between them: the Model page's locks.
LOCKED, NO_LOCK = "model_locked", "none"
DEFAULTS: dict[str, str] = {"data": SAMPLE, **table(Path(__file__).with_suffix(".toml"))}
# Of the parameters of each stage's method: the ROC page owns the short names.
PREFIXES = {"select": "select.", "training": "training.", "method": ""}
# What depends on another choice comes after it: a selector needs its epsilon, parameters a method.
APPLY_ORDER = ("epsilon.selection", *(name for name in DEFAULTS if name != "epsilon.selection"))
# The study's own choices. Pages may add others of theirs to DEFAULTS; see page_fields.
OF_THE_STUDY = tuple(DEFAULTS)
LARGEST_EPSILON = 100
# What the words of a choice mean, or what lists it: as the controls say it.
WORDS: dict[str, Any] = {
    "data": samples,
    "select": selectors,
    "method": roc_methods,
    "training": lambda: {**sections.trainers("naive-bayes"), **sections.trainers("logistic")},
    "neighbors": {one.value: one.words for one in Neighbors},
}
# What a selector may be told about the rows; without it the bound of the schema holds.
ROW_FACTS = (
    Parameter(name="max_nonzeros", default=10, minimum=1, maximum=100_000),
    Parameter(name="row_bound", default="truncate", choices=ROW_BOUNDS),
    Parameter(name="max_rows", default=100_000, minimum=1),
)
MOST_ROWS = 100_000


def method_of(chosen: Mapping[str, str], stage: str) -> Method:
    """The method chosen for a stage; raises `UnknownMethod` with the nearest spelling."""
    if stage == "select":
        return sections.selector(chosen["select"])
    if stage == "method":
        return sections.evaluator(chosen["method"])
    _check.one_of(tuple(sections.ESTIMATORS), model=chosen["model"])
    kind = chosen["model"]
    return sections.trainer(kind, chosen["training"] or sections.default_method(kind))


def with_model(address: Mapping[str, str], model: str) -> Mapping[str, str]:
    """A link with its kind of model, where it names a training method of another kind alone."""
    name = address.get("training")
    if name is None or "model" in address or name in sections.trainers(model):
        return address
    kinds = [kind for kind in sections.ESTIMATORS if name in sections.trainers(kind)]
    return {**address, "model": kinds[0]} if kinds else address


def declared(chosen: Mapping[str, str], stage: str) -> tuple[Parameter, ...]:
    """What the method chosen for a stage can be told."""
    return _declared(method_of(chosen, stage))


def _declared(method: Method, *, facts: bool = False) -> tuple[Parameter, ...]:
    """The parameters of a method; with what a selector that reads data may be told about rows."""
    if not isinstance(method, Selector):
        return method.parameters
    about_rows = ROW_FACTS if facts and method.spends else ()
    return (*sections.selection_parameters(method), *about_rows)


def given(
    known: Iterable[Parameter], chosen: Mapping[str, str], prefix: str
) -> dict[str, int | float | str]:
    """What is chosen for some parameters, each in its kind."""
    return {
        one.name: typed(one.kind, chosen[prefix + one.name], one.name)
        for one in known
        if prefix + one.name in chosen
    }


def parameters(chosen: Mapping[str, str], stage: str) -> dict[str, int | float | str]:
    """The parameters of a stage's method, read from the choices, checked and completed."""
    method, prefix = method_of(chosen, stage), PREFIXES[stage]
    told = given(_declared(method, facts=True), chosen, prefix)
    if isinstance(method, Selector):
        score = str(told.setdefault("score", SCORE)) if method.spends else ""
        if score in SCORES.names() and cast(Score, SCORES.get(score)).needs_max_rows:
            told.setdefault("max_rows", MOST_ROWS)
        return sections.check_selection(method, told)
    return method.check(told)


def bins(chosen: Mapping[str, str]) -> int | None:
    """Into how many bins numbers are cut; None if they stay numbers."""
    return _count(chosen["number_bins"], "number_bins") or None


def workflow(chosen: Mapping[str, str]) -> Workflow:
    """The study that the choices describe, checked by dpcore."""
    return _workflow(tuple(chosen.items()))


@memory.briefly
def _workflow(choices: tuple[tuple[str, str], ...]) -> Workflow:
    chosen = dict(choices)
    name = {stage: method_of(chosen, stage).name for stage in PREFIXES}
    seed, redraws = (_count(chosen[name], name) for name in ("seed", "redraw"))
    told = {stage: parameters(chosen, stage) for stage in PREFIXES}
    losses = {phase: _epsilon(chosen[name], name) for phase, name in EPSILON.items()}
    return Workflow(
        data=_source(chosen["data"]),
        split=study.Split(test_fraction=typed(float, chosen["test"], "test")),
        selection=study.Selection(
            method=name["select"], parameters=told["select"], bins=bins(chosen)
        ),
        model=Model(kind=chosen["model"], method=name["training"], parameters=told["training"]),
        evaluation=Evaluation(
            method=name["method"],
            parameters=told["method"],
            seed=seed + redraws if redraws else None,
        ),
        epsilon=Epsilons(**losses),
        neighbors=chosen["neighbors"],
        noise=NoiseChoice(seed),
    )


def address(chosen: Mapping[str, str], page: str = "") -> dict[str, str]:
    """What the address bar of a page shows: all that the study depends on, and the page's own.

    Choices of other pages are shown only where they were changed; a page's own begin with its name.
    """
    return dict(_address(tuple(chosen.items()), page))


@memory.briefly
def _address(choices: tuple[tuple[str, str], ...], page: str) -> dict[str, str]:
    chosen = dict(choices)
    own = f"{page}_"
    shown = {
        name: chosen[name]
        for name, default in DEFAULTS.items()
        if name in OF_THE_STUDY or name.startswith(own) or chosen[name] != default
    }
    shown["training"] = method_of(chosen, "training").name
    for stage, prefix in PREFIXES.items():
        for name, value in parameters(chosen, stage).items():
            # As long as nobody says how many features to keep, it follows from the records.
            if (place := prefix + name) != TOP_K or TOP_K in chosen:
                shown[place] = str(value)
    return shown


def difference(pinned: Mapping[str, str], chosen: Mapping[str, str], page: str) -> dict[str, str]:
    """What a pinned setting has other than the present one; empty where it has nothing.

    Only what the figures of a page depend on: those of made-up records on the page's own choices.
    """
    then, now = address(pinned, page), address(chosen, page)
    made_up = page in WITHOUT_RECORDS
    made_up = made_up and "own" not in {one.get(f"{page}_data") for one in (then, now)}

    def is_drawn(name: str) -> bool:
        of_a_study = name == "seed" if made_up else name in OF_THE_STUDY or name not in DEFAULTS
        return of_a_study or name.startswith(f"{page}_")

    names = filter(is_drawn, {**then, **now})
    return {name: then.get(name, "") for name in names if then.get(name) != now.get(name)}


def upstream(chosen: Mapping[str, str]) -> dict[str, str]:
    """The choices that lead to the scores; what only the ROC curve depends on is left out."""
    own = ("epsilon", "method", "redraw")
    prefixed = (PREFIXES["select"], PREFIXES["training"])
    return {
        name: value
        for name, value in chosen.items()
        if (name in OF_THE_STUDY and name not in own) or name.startswith(prefixed)
    }


def in_order(names: Collection[str]) -> tuple[list[str], list[str]]:
    """Sort the names of a link: those that mean something, methods first, and the others."""
    chosen_first = [name for name in APPLY_ORDER if name in names]
    trained = chain(*(sections.trainers(kind).values() for kind in sections.ESTIMATORS))
    every = selectors().values(), trained, roc_methods().values()
    parameters = {
        prefix + parameter.name
        for prefix, methods in zip(PREFIXES.values(), every, strict=True)
        for method in methods
        for parameter in _declared(method, facts=True)
    }
    told = [name for name in names if name in parameters and name not in DEFAULTS]
    others = [name for name in names if name not in DEFAULTS and name not in parameters]
    return chosen_first + told, others


def _source(name: str) -> DataSource:
    if name == UPLOAD:
        return DataSource(file="upload.csv", schema="upload.toml")
    return DataSource(sample=name)


def _epsilon(text: str, name: str) -> Fraction:
    value = exact(text, name=name)
    if value < 0:
        raise InvalidArgument(name, text, "zero or positive")
    if value > LARGEST_EPSILON:
        raise InvalidArgument(name, text, f"at most {LARGEST_EPSILON}")
    return value


def _count(text: str, name: str) -> int:
    number = int(typed(int, text, name))
    _check.integer_in_range(0, 2**62, **{name: number})
    return number


def typed(kind: type, text: str, name: str) -> int | float | str:
    """A choice as a number, or a sentence that says what is expected."""
    try:
        return kind(text)
    except ValueError:
        raise InvalidArgument(name, text, "a whole number" if kind is int else "a number") from None
