"""Workflows as JSON: one stable text per configuration, and no key that is silently ignored."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.privacy import shown
from dpcore.study.config import SECTIONS, Workflow
from dpcore.study.sections import NoiseChoice


def to_json(config: Workflow) -> str:
    """Write a configuration; equal configurations give equal texts.

    Examples
    --------
    >>> from dpcore.study import DataSource
    >>> study = Workflow(data=DataSource(sample="messages"))
    >>> from_json(to_json(study)) == study
    True
    """
    return json.dumps(plain(config), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def from_json(text: str) -> Workflow:
    """Read a configuration; what is left out takes its default.

    Raises
    ------
    InvalidArgument
        If the text is not JSON, or a field is out of range.
    UnknownMethod
        If a key or a method is unknown; the message has the nearest spelling.
    """
    try:
        document = json.loads(text, object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        where = f"valid JSON; line {error.lineno}, column {error.colno}: {error.msg}"
        raise InvalidArgument("study", text[error.pos : error.pos + 20], where) from None
    given = _keys_of(Workflow, document, "the study")
    if "data" not in given:
        raise InvalidArgument("data", None, 'given, for example {"sample": "bank-calls"}')
    sections = {
        name: section(**_keys_of(section, _renamed(given[name]), name))
        for name, section in SECTIONS.items()
        if name in given
    }
    return Workflow(**{**given, **sections})


def digest(config: Workflow) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(to_json(config).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Turn a configuration or a part of it into JSON types; numbers stay exact."""
    if is_dataclass(value) and not isinstance(value, NoiseChoice):
        present = {part.name: getattr(value, part.name) for part in fields(value)}
        return {name: plain(item) for name, item in present.items() if item is not None}
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return shown(value) if Fraction(shown(value)) == value else str(value)
    return str(value) if isinstance(value, NoiseChoice) else value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise InvalidArgument("study", key, "an object that gives every key once")
    return dict(pairs)


def _renamed(section: Any) -> Any:
    """A section with the present names: what scores are was called their link."""
    if not isinstance(section, dict) or "link" not in section:
        return section
    warnings.warn('"link" of a study is now called "scale"', DeprecationWarning, stacklevel=3)
    old = section["link"]
    rest = {name: told for name, told in section.items() if name != "link"}
    return {"scale": "log-odds" if old == "logit" else old, **rest}


def _keys_of(section: type, given: Any, where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise InvalidArgument(where, given, "a JSON object")
    known = [part.name for part in fields(section)]
    for key in given:
        if key not in known:
            raise UnknownMethod(f"field of {where}", key, known)
    return given
