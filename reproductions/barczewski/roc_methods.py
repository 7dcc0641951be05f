"""The ROC methods of Figures 1, 5, 8 and 9: what the paper smooths, and what needs less noise."""

from __future__ import annotations

from typing import Any

from reproductions.rows import Role

P1, P2, TENTS, OURS = "tree, p = 1", "tree, p = 2", "hierarchical", "quantile-bins"
ROC_METHODS: dict[str, Role] = {P1: "published", P2: "published", TENTS: "ours", OURS: "ours"}
_ECDFS = {P1: ("tree", "p1"), P2: ("tree", "p2"), TENTS: ("hierarchical", "isotonic")}


def roc_settings(shown: str, *, grid: int) -> dict[str, Any]:
    """Arguments of `private_roc_curve` for one of them; adjacent data sets differ in one record.

    Parameters
    ----------
    shown
        A key of `ROC_METHODS`.
    grid
        Points of the ECDFs.

    Examples
    --------
    >>> roc_settings(OURS, grid=1024)
    {'method': 'quantile-bins', 'neighbors': 'replace'}
    """
    if shown == OURS:
        return {"method": OURS, "neighbors": "replace"}
    ecdf, smoothing = _ECDFS[shown]
    parameters = {"ecdf": ecdf, "smoothing": smoothing, "points": grid}
    return {"method": "ecdf-roc", "neighbors": "replace", **parameters}
