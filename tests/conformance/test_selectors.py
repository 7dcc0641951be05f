"""What every selector must do, found in the registry, with every score."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore import Ledger, Loss, Part, SeededNoise, SystemNoise
from dpcore.errors import BudgetExceeded, InvalidArgument, NotPrivate
from dpcore.selection import select_features, select_top_k, selectors
from dpcore.selection.problem import Selector
from dpcore.selection.scores import SCORES, Score
from tests.models._records import SPACE

selectors = cast(dict[str, Selector], selectors())
SCORE = cast(dict[str, Score], SCORES())
CASES = [
    (name, rule, score)
    for name, selector in selectors.items()
    for rule in (selector.rules if selector.spends else ("",))
    for score in SCORE
    if SCORE[score].of_counts is not None or not selector.reads_records
]


def every_selector(test: Callable[..., None]) -> Callable[..., None]:
    """Each selector by each of its rules, and each score; every one with every other is slow."""
    cases = pytest.mark.parametrize("name, rule, score", CASES)(test)
    return pytest.mark.spanning("name+rule", "score")(cases)


RNG = np.random.default_rng(0)
X = (RNG.random((300, 12)) < np.linspace(0.02, 0.9, 12)).astype(float)
Y = (RNG.random(300) < 0.5).astype(np.int64)


# Between two true scores each.
THRESHOLDS = {
    "total-count": 100.0,
    "difference-count": 7.5,
    "purity-index": 16.0,
    "information-gain": 0.3,
}


def run(name: str, rule: str, score: str, **arguments: Any) -> Any:
    limit = {"top_k": 4, "threshold": THRESHOLDS[score]}
    stated = {rule: limit[rule]} if rule else {}
    defaults = {"noise": SeededNoise(0), "epsilon": 1, "max_rows": 300} | stated
    matrix = arguments.pop("matrix", X)
    return select_features(matrix, Y, method=name, score=score, **(defaults | arguments))


@every_selector
def test_selected_are_increasing_columns(name: str, rule: str, score: str) -> None:
    picked = run(name, rule, score)
    assert picked.selected.dtype == np.int64
    assert (np.diff(picked.selected) > 0).all()
    assert set(picked.selected.tolist()) <= set(range(12))
    if rule == "top_k":
        assert picked.selected.size == 4
    assert picked.scores is None or picked.scores.shape == (12,)


@every_selector
@pytest.mark.parametrize("epsilon", ["1.9e-6", "1e-9", "1e-15"])
def test_too_little_epsilon_is_refused_before_it_is_charged(
    name: str, rule: str, score: str, epsilon: str
) -> None:
    if not selectors[name].spends:
        return
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match="epsilon must be at least .* too wide to draw"):
        run(name, rule, score, epsilon=epsilon, ledger=ledger)
    assert ledger.charges == ()


@every_selector
@pytest.mark.parametrize("features, most", [(1, 1), (5_000, 1), (5_000, 4_000)])
def test_the_least_epsilon_can_be_drawn(
    name: str, rule: str, score: str, features: int, most: int
) -> None:
    """By every method, which draws as widely whatever the counts are."""
    matrix = (RNG.random((20, features)) < 0.5).astype(float)
    limit = {rule: {"top_k": most, "threshold": THRESHOLDS[score]}[rule]} if rule else {}
    selected = most if rule == "top_k" else features
    least = Fraction(1, 2**19) + Fraction(selected, 2**27) + Fraction(features, 2**30)
    labels = np.arange(20) % 2
    select_features(
        matrix, labels, method=name, score=score, epsilon=least, noise=SeededNoise(0),
        max_rows=20, **limit,
    )  # fmt: skip


def test_too_little_for_any_scores_is_refused_before_it_is_charged() -> None:
    """Also with real noise, where a selection of scores that are given is not rehearsed."""
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match="too wide to draw"):
        select_top_k([1, 2, 3], k=2, epsilon="1e-10", ledger=ledger, noise=SystemNoise())
    assert ledger.charges == ()


@every_selector
@pytest.mark.spanning("name+rule+neighbors", "score")
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_charges_add_up_to_epsilon_exactly(
    name: str, rule: str, score: str, neighbors: str
) -> None:
    selector = selectors[name]
    if neighbors not in [str(relation) for relation in selector.neighbors]:
        pytest.skip(f"{name} states no calibration for {neighbors}")
    part = Part("split", "train", fixed_under_replacement=True)
    ledger = Ledger(Loss(1), neighbors)
    epsilon = Fraction(1, 3)
    picked = run(name, rule, score, neighbors=neighbors, ledger=ledger, part=part, epsilon=epsilon)
    assert ledger.charges == picked.charges
    assert ledger.spent == Loss(epsilon if selector.spends else 0)
    assert {charge.part for charge in ledger.charges} <= {part}


@every_selector
def test_the_same_seed_selects_the_same(name: str, rule: str, score: str) -> None:
    once, again = (run(name, rule, score, noise=SeededNoise(5)) for _ in range(2))
    np.testing.assert_array_equal(once.selected, again.selected)
    assert once.simulated


@every_selector
def test_dense_is_sparse(name: str, rule: str, score: str) -> None:
    dense = run(name, rule, score, max_nonzeros=3)
    sparse = run(name, rule, score, max_nonzeros=3, matrix=csr_array(X), noise=SeededNoise(0))
    np.testing.assert_array_equal(dense.selected, sparse.selected)


@every_selector
def test_real_noise_releases_proven_methods_only(name: str, rule: str, score: str) -> None:
    if selectors[name].guarantee.holds:
        assert run(name, rule, score, noise=SystemNoise()).simulated is False
    else:
        with pytest.raises(NotPrivate):
            run(name, rule, score, noise=SystemNoise())


@every_selector
def test_too_small_a_budget_is_refused_before_the_charge(name: str, rule: str, score: str) -> None:
    if not selectors[name].spends:
        pytest.skip(f"{name} spends nothing")
    ledger = Ledger(Loss("0.5"))
    with pytest.raises(BudgetExceeded):
        run(name, rule, score, ledger=ledger)
    assert ledger.charges == ()


@every_selector
def test_numeric_features_are_kept(name: str, rule: str, score: str) -> None:
    arguments = {"top_k": 2} if rule == "top_k" else {}
    picked = run(name, rule, score, matrix=X[:, :7], space=SPACE, **arguments)
    assert 0 in picked.selected


@every_selector
@pytest.mark.spanning("name+rule", "score+rows")
@pytest.mark.parametrize("rows", [0, 1])
def test_hardly_any_records(name: str, rule: str, score: str, rows: int) -> None:
    stated = {rule: 4 if rule == "top_k" else 100.0} if rule else {}
    picked = select_features(
        X[:rows],
        Y[:rows],
        method=name,
        score=score,
        epsilon=1,
        max_rows=300,
        noise=SeededNoise(0),
        **stated,
    )
    assert picked.selected.size <= 12


@every_selector
def test_much_epsilon_selects_the_truth(name: str, rule: str, score: str) -> None:
    if not selectors[name].spends or not selectors[name].guarantee.holds:
        pytest.skip(f"{name} does not aim at the largest scores")
    if selectors[name].reads_records:
        pytest.skip(f"{name} accepts whole clusters")
    truth = SCORE[score].run(csr_array(X), Y)
    above = truth > THRESHOLDS[score]
    expected = above if rule == "threshold" else truth >= np.sort(truth)[-4]
    picked = run(name, rule, score, epsilon=10_000_000)
    assert picked.selected.tolist() == np.flatnonzero(expected).tolist()


@every_selector
def test_the_declaration_is_complete(name: str, rule: str, score: str) -> None:
    selector = selectors[name]
    assert selector.title
    assert selector.summary.endswith(".")
    assert selector.guarantee.reason
    assert selector.name == name
