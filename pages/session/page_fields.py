"""Choices that only one page reads, kept and linked like those of the study: no Streamlit here."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields
from fractions import Fraction
from math import inf
from types import MappingProxyType
from typing import Any, TypeVar

from dpcore import _check
from dpcore.errors import DpcoreError, InvalidArgument
from dpcore.privacy.loss import exact
from dpcore.registry import Method, Registry
from pages.session import study_fields
from pages.session.study_fields import given, typed
from pages.session.text import OPTIONS

Choice = TypeVar("Choice")
Chosen = Mapping[str, str]
# Words, or what lists them when they are asked for.
Known = Iterable[str] | Callable[[], Iterable[str]]


def register(defaults: Mapping[str, str], words: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Let every session hold these choices, and every link carry them; what their words mean."""
    study_fields.DEFAULTS.update(defaults)
    study_fields.WORDS.update(words)
    known = study_fields.APPLY_ORDER
    study_fields.APPLY_ORDER = (*known, *(name for name in defaults if name not in known))


def choice(default: object, read: Callable[..., object], *told: object, **options: object) -> Any:
    """A field of what can be chosen on a page: how it begins, and what reads its text.

    `read` is given all choices, the name of its own, and what else stands here.
    """
    return field(
        metadata={
            "usual": lambda name: {name: str(default)},
            "read": lambda chosen, name: read(chosen, name, *told, **options),
            "words": told[:1] and told[0],
        }
    )


def parameters_of(methods: Registry) -> Any:
    """A field of the parameters of the method that the field called `method` names."""

    def prefix(name: str) -> str:
        return name.removesuffix("parameters")

    def read(chosen: Chosen, name: str) -> dict[str, int | float | str]:
        now = methods.get(chosen[f"{prefix(name)}method"])
        return parameters(now, chosen, prefix(name))

    return field(metadata={"usual": lambda name: of_methods(methods(), prefix(name)), "read": read})


def declared(page: type[Choice], prefix: str) -> tuple[dict[str, str], Callable[[Chosen], Choice]]:
    """What the choices of a page are by default, and what reads and checks them all.

    The names in a link are those of the fields behind a prefix. Registers them, too.
    """
    known = {prefix + one.name: one for one in fields(page)}  # type: ignore[arg-type]
    defaults: dict[str, str] = {}
    for name, one in known.items():
        defaults |= one.metadata["usual"](name)
    register(defaults, {name: one.metadata.get("words") for name, one in known.items()})

    def read(chosen: Chosen) -> Choice:
        return page(**{one.name: one.metadata["read"](chosen, name) for name, one in known.items()})

    return defaults, read


def of_methods(methods: Mapping[str, Method], prefix: str) -> dict[str, str]:
    """Defaults of all parameters that any of the methods declares, as texts."""
    return {
        prefix + parameter.name: str(parameter.default)
        for method in methods.values()
        for parameter in method.parameters
    }


def parameters(method: Method, chosen: Chosen, prefix: str) -> dict[str, int | float | str]:
    """The chosen parameters of a method, checked."""
    return method.check(given(method.parameters, chosen, prefix))


def epsilon(chosen: Chosen, name: str, least: Fraction | int = 0) -> Fraction:
    """A choice of epsilon, exactly."""
    found = exact(chosen[name], name=name)
    _check.positive(**{name: found})
    _check.in_range(least, study_fields.LARGEST_EPSILON, **{name: found})
    return found


def number(chosen: Chosen, name: str, low: float = -inf, high: float = inf) -> float:
    """A choice of a number within bounds, if there are any."""
    found = float(typed(float, chosen[name], name))
    _check.in_range(low, high, **{name: found})
    return found


def whole(chosen: Chosen, name: str, low: int, high: int | None) -> int:
    """A choice of a whole number within bounds."""
    found = int(typed(int, chosen[name], name))
    _check.integer_in_range(low, high, **{name: found})
    return found


def method(chosen: Chosen, name: str, methods: Registry) -> Method:
    """A choice of a method."""
    return methods.get(chosen[name])


def one_of(chosen: Chosen, name: str, known: Known | None = None) -> str:
    """A choice of one word among those that are known: those of ``options.toml``, if none are."""
    _check.one_of(_words(known or OPTIONS[name]), **{name: chosen[name]})
    return chosen[name]


def _words(known: Known) -> tuple[str, ...]:
    return tuple(known() if callable(known) else known)


def several(
    chosen: Chosen, name: str, known: Known, *, most: int, fewest: int = 1
) -> tuple[str, ...]:
    """A choice of some words among those that are known, with commas between them."""
    names = tuple(dict.fromkeys(one for one in chosen[name].split(",") if one))
    for one in names:
        _check.one_of(_words(known), **{name: one})
    if not fewest <= len(names) <= most:
        wanted = f"{fewest} to {most} names with commas between them"
        raise InvalidArgument(name, chosen[name], wanted)
    return names


def flag(chosen: Chosen, name: str) -> bool:
    """A choice between yes and no."""
    return one_of(chosen, name, ("yes", "no")) == "yes"


def refused(
    read: Callable[[Mapping[str, str]], object], settled: dict[str, str], asked: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Names of choices that cannot be, each with a sentence; all others are settled."""
    try:
        read({**settled, **asked})
    except DpcoreError:
        for name, text in asked.items():
            try:
                read({**settled, name: text})
            except DpcoreError as error:
                yield name, f"The link asks for {name}={text}, which cannot be: {error}."
            else:
                settled[name] = text
    else:
        settled |= asked
