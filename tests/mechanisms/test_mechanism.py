"""The shipped mechanisms keep the protocol that the gate relies on."""

from __future__ import annotations

import importlib

import pytest

import dpcore.mechanisms
from dpcore import Guarantee, Loss, Neighbors
from dpcore.mechanisms import Exponential, Geometric, Laplace, Mechanism


@pytest.mark.parametrize("kind", [Geometric, Laplace, Exponential])
@pytest.mark.parametrize("relation", list(Neighbors))
def test_protocol(kind: type[Geometric], relation: Neighbors) -> None:
    mechanism: Mechanism = kind(epsilon="0.7", neighbors=relation)  # type: ignore[type-arg]
    assert mechanism.loss == Loss("0.7")
    assert mechanism.neighbors is relation
    assert isinstance(mechanism.guarantee, Guarantee)
    assert mechanism.guarantee.holds


@pytest.mark.parametrize(
    "name",
    [
        "BinnedClasses",
        "Clusters",
        "Grouped",
        "HoldoutSession",
        "KNormCounts",
        "Median",
        "NoisyTents",
        "Partitions",
        "PublishedHoldoutSession",
        "RATIOS",
        "Repeated",
        "RowPart",
        "RowsOrPartitions",
        "SparseVectorTrace",
        "Statistic",
        "Summed",
        "TracedQuery",
        "TracedSparseVector",
        "Variance",
        "cauchy_loss",
        "cauchy_rate",
        "similar_sizes",
    ],
)
def test_what_was_listed_once_is_given_with_its_new_place(name: str) -> None:
    with pytest.warns(FutureWarning, match=f"^{name} is in dpcore.mechanisms") as told:
        found = getattr(dpcore.mechanisms, name)
    (place,) = [str(one.message).split(" is in ")[1].split()[0] for one in told]
    assert found is getattr(importlib.import_module(place), name)


def test_nothing_else_is_given() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Lapalce'"):
        _ = dpcore.mechanisms.Lapalce  # type: ignore[attr-defined]
