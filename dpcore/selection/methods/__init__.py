"""Selection methods: one file each, and their words in ``words.toml``."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpcore.privacy import Guarantee
from dpcore.registry import Registry
from dpcore.selection.problem import Selected, Selector

selectors = Registry("dpcore.selection.methods", "selection method")

_WORDS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)


def declared(
    name: str, run: Callable[..., Selected], guarantee: Guarantee, **more: Any
) -> Selector:
    """A selector whose title, summary and reference are those of ``words.toml``."""
    return Selector(name=name, run=run, guarantee=guarantee, **_WORDS[name], **more)
