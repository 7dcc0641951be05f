"""The guarantee of everything that is registered, as one table."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from dpcore.audit.demonstrations import presets
from dpcore.audit.mechanism_cases import mechanism_classes
from dpcore.audit.method_targets import kinds
from dpcore.privacy import Guarantee
from dpcore.registry import Method

__all__ = ["END", "START", "guarantee_table"]

START = "<!-- made by: python -m dpcore audit --markdown -->"
END = "<!-- end of what was made -->"
_HEAD = ("| method | verdict | relations | why | backed by |", "|---|---|---|---|---|")


def guarantee_table() -> str:
    """Every mechanism and every registered method with its verdict, in Markdown.

    Returns
    -------
    str
        From the line `START` to the line `END`, as it stands in ``docs/privacy-model.md``.

    Examples
    --------
    >>> guarantee_table().splitlines()[0] == START
    True
    """
    sections = [("Mechanisms", list(_mechanism_lines()))]
    for name, kind in kinds().items():
        title = f"{name[0].upper()}{name[1:]}s"
        sections.append((title, [_method_line(method) for method in kind.methods().values()]))
    blocks = ["\n".join([f"### {title}", "", *_HEAD, *lines]) for title, lines in sections]
    return "\n\n".join([START, *blocks, END])


def _mechanism_lines() -> Iterator[str]:
    for name, mechanism in mechanism_classes().items():
        verdict = mechanism.guarantee
        if not isinstance(verdict, Guarantee):
            # The verdict depends on how it is made; the registered methods below state each.
            yield _line(name, "by variant", "both", "see the methods made of it", mechanism)
        else:
            yield _line(name, verdict.word, "both", verdict.reason, mechanism)


def _method_line(method: Method) -> str:
    relations = ", ".join(relation.value for relation in method.neighbors)
    both = "both" if len(method.neighbors) == 2 else relations
    return _line(method.name, method.guarantee.word, both, method.guarantee.reason, method.run)


def _line(name: str, word: str, relations: str, why: str, made_by: Any) -> str:
    shown = [preset.name for preset in presets().values() if name in preset.shows]
    folder = inspect.getmodule(inspect.unwrap(made_by))
    place = "" if folder is None else "/".join(folder.__name__.split(".")[1:-1])
    backed = [f"`tests/{place}`", *(f"preset `{preset}`" for preset in shown)]
    return f"| `{name}` | {word} | {relations} | {why.replace('|', '/')} | {', '.join(backed)} |"
