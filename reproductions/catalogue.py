"""The experiments: found in the folders of the papers, not listed."""

from __future__ import annotations

from functools import cache

from dpcore.errors import UnknownMethod
from dpcore.registry import discover
from reproductions.experiment import PAPERS, Experiment


@cache
def _found() -> dict[str, Experiment]:
    found: dict[str, Experiment] = {}
    for paper in PAPERS:
        declared = discover(f"reproductions.{paper}", "EXPERIMENT", Experiment)
        found |= {one.name: one for one in sorted(declared, key=_place)}
    return found


def _place(one: Experiment) -> tuple[str, int]:
    """Figure 4 comes before figure 13."""
    kind, _, number = one.name.rpartition("-")
    return (kind, int(number)) if number.isdigit() else (one.name, 0)


def experiments() -> dict[str, Experiment]:
    """All experiments by name: every module of a paper's folder that declares ``EXPERIMENT``.

    Examples
    --------
    >>> experiments()["stoddard-table-1"].figures
    'Table 1'
    """
    return dict(_found())


def experiment(name: str) -> Experiment:
    """The experiment of a name, or of one of its figures.

    Raises
    ------
    UnknownMethod
        If there is none; the message has the nearest spelling.

    Examples
    --------
    >>> experiment("stoddard-table-1").name
    'stoddard-table-1'
    """
    known = {one.name: one for one in _found().values()}
    known |= {alias: one for one in _found().values() for alias in one.aliases}
    try:
        return known[name]
    except KeyError:
        raise UnknownMethod("experiment", name, known) from None
