"""The shipped mechanisms keep the protocol that the gate relies on."""

from __future__ import annotations

import importlib

import pytest

import dpcore.mechanisms
from dpcore import Guarantee, Loss, Neighbors
from dpcore.audit.mechanism_cases import mechanism_classes
from dpcore.mechanisms import Exponential, Geometric, Laplace, Mechanism
from dpcore.mechanisms.regression import parted_objective
from dpcore.mechanisms.samplers import norm_noise
from dpcore.registry import modules_of


@pytest.mark.parametrize("kind", [Geometric, Laplace, Exponential])
@pytest.mark.parametrize("relation", list(Neighbors))
def test_protocol(kind: type[Geometric], relation: Neighbors) -> None:
    mechanism: Mechanism = kind(epsilon="0.7", neighbors=relation)  # type: ignore[type-arg]
    assert mechanism.loss == Loss("0.7")
    assert mechanism.neighbors is relation
    assert isinstance(mechanism.guarantee, Guarantee)
    assert mechanism.guarantee.holds


def test_mechanisms_whose_noise_is_a_real_vector_state_the_risk_that_remains() -> None:
    """Those whose file, or the file of whose parts, takes a law from `norm_noise`."""
    files = norm_noise.__name__, parted_objective.__name__
    modules = {module.__name__: module for module in modules_of("dpcore.mechanisms")}
    concerned = {
        name: " ".join((kind.__doc__ or "").split())
        for name, kind in mechanism_classes().items()
        if any(
            str(getattr(one, "__module__", "")) in files
            for one in vars(modules[kind.__module__]).values()
        )
    }
    assert {"BlockObjective", "KNormHistograms", "OutputPerturbation"} <= concerned.keys()
    stated = "doubles from 52-bit uniforms; that they are not real numbers is a risk"
    assert [name for name, words in concerned.items() if stated not in words] == []


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
