"""Demonstrations: attacks with a target, a pair, and the story that they tell."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from dpcore.audit.exact import exact_loss
from dpcore.audit.target import Pair, Read, Target, mechanism_target
from dpcore.registry import discover

_STORIES: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("stories.toml").read_text(encoding="utf-8")
)

# What is lost on the pair, or None where it is unknown.
Exact: TypeAlias = Callable[[], float | None]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The declaration that ends a file of this package, as ``PRESET``.

    Parameters
    ----------
    name : str
        For links and the command line, for example ``"threshold-testing"``.
    title : str
        For example ``"Private threshold testing gives itself away"``.
    story : str
        What to watch, in a sentence or two.
    shows : sequence of str
        Names of the registered methods and mechanisms whose verdict it demonstrates.
    target : callable
        Makes the target.
    pair : Pair
        The neighbours.
    trials : int
        Draws from each data set that it takes.
    drawn : bool, default True
        Whether so many draws refute a broken claim; else only the exact loss does.
    exact : callable
        The exact loss on the pair, or None where it is unknown.
    """

    name: str
    title: str
    story: str
    shows: Sequence[str]
    target: Callable[[], Target]
    pair: Pair
    trials: int
    drawn: bool = True
    exact: Exact


def preset(
    name: str, pair: Pair, target: Callable[[], Target], exact: Exact = lambda: None
) -> Preset:
    """A demonstration whose words are those of ``stories.toml`` under its name."""
    return Preset(name=name, pair=pair, target=target, exact=exact, **_STORIES[name])


def preset_of(
    name: str, made: Any, pair: Pair, *, called: str = "", read: Read | None = None
) -> Preset:
    """A mechanism by itself, and its loss on the pair."""
    target = partial(mechanism_target, made, name=called, read=read)
    return preset(name, pair, target, partial(exact_loss, made, pair))


@cache
def presets() -> dict[str, Preset]:
    """Every module of this package that declares ``PRESET``, by name.

    Examples
    --------
    >>> presets()["laplace"].title
    'Laplace, honest'
    """
    found = {one.name: one for one in discover("dpcore.audit.demonstrations", "PRESET", Preset)}
    return dict(sorted(found.items()))
