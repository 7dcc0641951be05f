"""Registered methods as targets: they declare what they charge, and give rows of numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, SeededNoise
from dpcore.audit import kinds
from dpcore.audit.method_targets import methods_of_all_kinds, space_of
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.privacy import Neighbors


def test_kinds_have_names_of_their_own_in_the_order_of_the_alphabet() -> None:
    known = {"ROC method", "ECDF method", "calibration method", "selection method"}
    assert known | {"feature score", "naive Bayes method", "logistic method"} <= set(kinds())
    assert list(kinds()) == sorted(kinds())
    assert len({kind.methods.package for kind in kinds().values()}) == len(kinds())


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 10)])
def test_targets_declare_at_most_what_they_may_spend(epsilon: Fraction) -> None:
    for one in methods_of_all_kinds():
        if epsilon < 1 and not one.method.guarantee.holds:
            # A published method may spend what it was printed with.
            continue
        target = one.kind.target(one.method, one.neighbors, epsilon)
        delta = target.loss.delta
        assert target.loss.within(Loss(epsilon, delta)), one.label
        assert delta < 0.001
        assert target.name == one.method.name
        pairs = one.kind.pairs(one.method, one.neighbors)
        assert {pair.neighbors for pair in pairs} == {one.neighbors}


@pytest.mark.parametrize("name", kinds())
def test_neighbours_give_rows_of_numbers(name: str) -> None:
    kind = kinds()[name]
    method = next(one for one in kind.methods().values() if one.guarantee.holds)
    for neighbors in method.neighbors:
        target, pair = kind.target(method, neighbors), kind.pairs(method, neighbors)[0]
        for data in (pair.d, pair.d_prime):
            rows = target.sample(data, 3, SeededNoise(0))
            assert rows.shape[0] == 3
            assert np.isfinite(rows).all()


def test_a_sample_is_not_one_output_again_and_again() -> None:
    roc = kinds()["ROC method"]
    method = roc.methods()["laplace"]
    target = roc.target(method, Neighbors.ADD_REMOVE)
    rows = target.sample(roc.pairs(method, Neighbors.ADD_REMOVE)[0].d, 5, SeededNoise(0))
    assert np.unique(rows, axis=0).shape[0] > 1


def test_every_holdout_method_answers_and_declares_what_it_charges() -> None:
    kind = kinds()["holdout method"]
    losses = {}
    for method in kind.methods().values():
        target = kind.target(method, Neighbors.REPLACE)
        (pair,) = kind.pairs(method, Neighbors.REPLACE)
        losses[method.name] = target.loss
        for data in (pair.d, pair.d_prime):
            rows = target.sample(data, 3, SeededNoise(0))
            assert rows.shape[0] == 3
            assert np.isfinite(rows).all()
    assert losses["thresholdout"] == Loss(1)
    assert losses["naive-reuse"] == Loss(0)


@pytest.mark.parametrize("neighbors", Neighbors)
def test_each_running_count_gets_the_budget_that_it_takes(neighbors: Neighbors) -> None:
    kind = kinds()["running-count method"]
    deltas = {}
    for method in kind.methods().values():
        target, pair = kind.target(method, neighbors), kind.pairs(method, neighbors)[0]
        deltas[method.name] = float(target.loss.delta)
        rows = target.sample(pair.d, 3, SeededNoise(0))
        assert rows.shape == (3, np.size(pair.d))
    assert deltas["laplace"] == 0.0
    assert deltas["gaussian"] == 1e-6


def test_training_pairs_differ_by_one_record() -> None:
    kind = kinds()["naive Bayes method"]
    for method in kind.methods().values():
        for neighbors in method.neighbors:
            (pair,) = kind.pairs(method, neighbors)
            more = pair.d_prime.classes.size - pair.d.classes.size
            assert more == neighbors.pick(add_remove=1, replace=0)
            assert pair.d_prime.space == space_of(method)


def test_odd_records_are_of_kinds_that_read_records() -> None:
    def has_some(name: str) -> bool:
        kind = kinds()[name]
        methods = kind.methods().values()
        return any(kind.odd_pairs(method, method.neighbors[0]) for method in methods)

    assert has_some("ROC method")
    assert has_some("naive Bayes method")
    # These count values that were read before, or draw from scores that are no records.
    assert not has_some("running-count method")
    assert not has_some("selection method")


def test_a_method_that_accepts_no_space_is_named() -> None:
    def refuse(training: object, **arguments: object) -> None:
        raise InvalidArgument("training", "these columns", "other columns")

    method = replace(kinds()["naive Bayes method"].methods()["moments"], name="picky", run=refuse)
    with pytest.raises(MissingResource, match="'picky' accepts none of the feature spaces"):
        space_of(method)
    assert Neighbors.REPLACE in method.neighbors
