"""Choices that only one page reads, kept and linked like those of the study: no Streamlit here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from dpcore import _check
from dpcore.errors import DpcoreError, InvalidArgument
from dpcore.privacy.loss import exact
from dpcore.registry import Method
from pages.session import study_fields
from pages.session.study_fields import typed


def register(defaults: Mapping[str, str]) -> None:
    """Let every session hold these choices, and every link carry them."""
    study_fields.DEFAULTS.update(defaults)
    known = study_fields.APPLY_ORDER
    study_fields.APPLY_ORDER = (*known, *(name for name in defaults if name not in known))


def of_methods(methods: Mapping[str, Method], prefix: str) -> dict[str, str]:
    """Defaults of all parameters that any of the methods declares, as texts."""
    return {
        prefix + parameter.name: str(parameter.default)
        for method in methods.values()
        for parameter in method.parameters
    }


def parameters(
    method: Method, chosen: Mapping[str, str], prefix: str
) -> dict[str, int | float | str]:
    """The chosen parameters of a method, checked."""
    return method.check(
        {
            parameter.name: typed(parameter.kind, chosen[prefix + parameter.name], parameter.name)
            for parameter in method.parameters
        }
    )


def epsilon(chosen: Mapping[str, str], name: str, least: Fraction | int = 0) -> Fraction:
    """A choice of epsilon, exactly."""
    found = exact(chosen[name], name=name)
    _check.positive(**{name: found})
    _check.in_range(least, study_fields.LARGEST_EPSILON, **{name: found})
    return found


def number(chosen: Mapping[str, str], name: str, low: float, high: float) -> float:
    """A choice of a number within bounds."""
    found = float(typed(float, chosen[name], name))
    _check.in_range(low, high, **{name: found})
    return found


def whole(chosen: Mapping[str, str], name: str, low: int, high: int) -> int:
    """A choice of a whole number within bounds."""
    found = int(typed(int, chosen[name], name))
    _check.integer_in_range(low, high, **{name: found})
    return found


def one_of(known: Iterable[str], chosen: Mapping[str, str], name: str) -> str:
    """A choice of one word among those that are known."""
    _check.one_of(tuple(known), **{name: chosen[name]})
    return chosen[name]


def several(
    known: Iterable[str], chosen: Mapping[str, str], name: str, *, most: int, fewest: int = 1
) -> tuple[str, ...]:
    """A choice of some words among those that are known, with commas between them."""
    names = tuple(dict.fromkeys(one for one in chosen[name].split(",") if one))
    for one in names:
        _check.one_of(tuple(known), **{name: one})
    if not fewest <= len(names) <= most:
        wanted = f"{fewest} to {most} names with commas between them"
        raise InvalidArgument(name, chosen[name], wanted)
    return names


def flag(chosen: Mapping[str, str], name: str) -> bool:
    """A choice between yes and no."""
    return one_of(("yes", "no"), chosen, name) == "yes"


def refused(
    read: Callable[[Mapping[str, str]], object],
    defaults: Mapping[str, str],
    chosen: Mapping[str, str],
) -> Iterator[tuple[str, str]]:
    """Names of choices that cannot be, each with a sentence; nothing if all can be together."""
    try:
        read(chosen)
    except DpcoreError:
        settled = dict(defaults)
        for name in defaults:
            try:
                read({**settled, name: chosen[name]})
            except DpcoreError as error:
                yield name, f"The link asks for {name}={chosen[name]}, which cannot be: {error}."
            else:
                settled[name] = chosen[name]
