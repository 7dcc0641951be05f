"""Choices that only one page reads, kept and linked like those of the study: no Streamlit here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from dpcore import _check
from dpcore.errors import DpcoreError, InvalidArgument
from dpcore.registry import Method
from pages.session import study_fields


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


def typed(kind: type, text: str, name: str) -> int | float | str:
    """A choice as a number, or a sentence that says what is expected."""
    try:
        return kind(text)
    except ValueError:
        raise InvalidArgument(name, text, "a whole number" if kind is int else "a number") from None


def whole(text: str, name: str, low: int, high: int) -> int:
    """A choice as a whole number within bounds."""
    number = typed(int, text, name)
    _check.integer_in_range(low, high, **{name: number})
    return int(number)


def flag(text: str, name: str) -> bool:
    """A choice between yes and no."""
    _check.one_of(("yes", "no"), **{name: text})
    return text == "yes"


def refused(
    read: Callable[[Mapping[str, str]], object],
    defaults: Mapping[str, str],
    chosen: Mapping[str, str],
) -> Iterator[tuple[str, str]]:
    """Names of choices that cannot be, each with a sentence; nothing if all can be together."""
    try:
        read(chosen)
    except DpcoreError:
        yield from _each(read, defaults, chosen)


def _each(
    read: Callable[[Mapping[str, str]], object],
    defaults: Mapping[str, str],
    chosen: Mapping[str, str],
) -> Iterable[tuple[str, str]]:
    settled = dict(defaults)
    for name in defaults:
        try:
            read({**settled, name: chosen[name]})
        except DpcoreError as error:
            sentence = f"The link asks for {name}={chosen[name]}, which cannot be: {error}."
            yield name, sentence
        else:
            settled[name] = chosen[name]
