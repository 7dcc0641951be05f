"""Every case of every mechanism."""

from __future__ import annotations

import numpy as np

from dpcore.audit import mechanism_target
from dpcore.audit.mechanism_cases import (
    Case,
    field_names,
    mechanism_cases,
    mechanism_classes,
    recipes,
)
from dpcore.mechanisms import Geometric, TreeCounts
from dpcore.noise import SeededNoise
from dpcore.privacy import Neighbors


def test_fields() -> None:
    assert field_names(Geometric) == {"epsilon", "l1_sensitivity", "neighbors"}
    assert field_names(int) == frozenset()
    assert sum(recipe.fits(TreeCounts) for recipe in recipes()) == 1


def every_case() -> list[Case]:
    return [
        case
        for mechanism in mechanism_classes().values()
        for neighbors in Neighbors
        for case in mechanism_cases(mechanism, neighbors)
    ]


def test_pairs_are_in_the_relation_of_their_mechanism() -> None:
    for case in every_case():
        assert case.pairs
        assert {pair.neighbors for pair in case.pairs} == {case.mechanism.neighbors}
        assert all(pair.words for pair in case.pairs)


def test_every_mechanism_draws_on_its_first_pair() -> None:
    for case in every_case():
        target = mechanism_target(case.mechanism, read=case.read)
        for data in (case.pairs[0].d, case.pairs[0].d_prime):
            assert np.isfinite(target.sample(data, 2, SeededNoise(0))).all()
