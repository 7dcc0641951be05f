"""What every method charges for epsilon = 1, frozen: (label, mechanism, exact epsilon)."""

from __future__ import annotations

import pytest

from dpcore import SeededNoise
from dpcore.evaluation import private_roc_curve
from tests.evaluation.roc._data import beta_scores

Charges = list[tuple[str, str, str]]


def medians(mechanism: str, levels: int) -> Charges:
    each = [(f"medians of level {i + 1}", mechanism, f"1/{5 * levels}") for i in range(levels)]
    return [*each, ("counts between thresholds", "HaarCounts", "4/5")]


SPACED: Charges = [
    ("number of records", "Geometric", "1/20"),
    ("counts between thresholds", "HaarCounts", "19/20"),
]
ALL_COUNTS: Charges = [("counts between thresholds", "HaarCounts", "1")]
BINS: Charges = [("class sizes", "Geometric", "1/20"), ("quantile bins", "QuantileBins", "19/20")]
POSITIVES: Charges = [("true and false positives", "Geometric", "1")]

GOLDEN: dict[tuple[str, str], Charges] = {
    ("laplace", "add-remove"): POSITIVES,
    ("laplace", "replace"): POSITIVES,
    ("fixed-space", "add-remove"): SPACED,
    ("fixed-space", "replace"): ALL_COUNTS,
    ("fixed-space-parallel", "add-remove"): SPACED,
    ("fixed-space-parallel", "replace"): ALL_COUNTS,
    ("recursive-medians", "add-remove"): medians("SmoothMedians", 10),
    ("recursive-medians", "replace"): medians("SmoothMedians", 10),
    ("recursive-medians-published", "add-remove"): medians("PublishedSmoothMedians", 10),
    ("recursive-medians-published", "replace"): medians("PublishedSmoothMedians", 10),
    # Classes are disjoint: each may spend the whole epsilon, and a person pays it once.
    ("ecdf-roc", "add-remove"): [("ECDFs of both classes", "ParallelComposition", "1")],
    ("ecdf-roc", "replace"): [("ECDFs of both classes", "RemovalAndAddition", "1")],
    ("equal-width", "add-remove"): [("counts per bin", "Geometric", "1")],
    ("equal-width", "replace"): [("counts per bin", "Geometric", "1")],
    ("quantile-tree", "add-remove"): [("tree of each class", "TreeCounts", "1")],
    ("quantile-tree", "replace"): [("tree of each class", "TreeCounts", "1")],
    ("quantile-bins", "add-remove"): BINS,
    ("quantile-bins", "replace"): BINS,
}


@pytest.mark.parametrize("method, neighbors", GOLDEN)
def test_charges(method: str, neighbors: str) -> None:
    curve = private_roc_curve(
        beta_scores(500), epsilon=1, method=method, neighbors=neighbors, noise=SeededNoise(0)
    )
    charged = [(c.label, c.mechanism, str(c.loss.epsilon)) for c in curve.charges]
    assert charged == GOLDEN[method, neighbors]
