"""Demonstrations: attacks with a target, a pair, and the story that they tell."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from dpcore.audit.exact import exact_loss
from dpcore.audit.target import Pair, Target, mechanism_target
from dpcore.registry import discover


def _unknown() -> None:
    return None


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
    shows : tuple of str
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
    shows: tuple[str, ...]
    target: Callable[[], Target]
    pair: Pair
    trials: int
    drawn: bool = True
    exact: Callable[[], float | None] = _unknown


def preset_of(
    mechanism: Any,
    pair: Pair,
    *,
    called: str = "",
    read: Callable[[Any], Any] | None = None,
    **told: Any,
) -> Preset:
    """A mechanism by itself: its loss on the pair is computed, unless `told` says otherwise."""
    own = {
        "target": lambda: mechanism_target(mechanism, name=called, read=read),
        "exact": lambda: exact_loss(mechanism, pair),
    }
    return Preset(**{"pair": pair, **own, **told})


@cache
def presets() -> dict[str, Preset]:
    """Every module of this package that declares ``PRESET``, by name.

    Examples
    --------
    >>> presets()["laplace"].title
    'Laplace, honest'
    """
    found = {
        preset.name: preset for preset in discover("dpcore.audit.demonstrations", "PRESET", Preset)
    }
    return dict(sorted(found.items()))
