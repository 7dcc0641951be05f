"""Targets: batches have the law of single draws."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import ks_2samp

from dpcore.audit import kinds, mechanism_target, presets
from dpcore.audit.target import (
    Pair,
    Redrawn,
    Repeatable,
    numbers,
    one_by_one,
    pair_rows,
    table,
)
from dpcore.errors import BudgetExceeded
from dpcore.mechanisms import Exponential, Geometric, Laplace, OneShot
from dpcore.noise import SeededNoise
from dpcore.privacy import Ledger, Loss, Neighbors
from dpcore.release import release


def differing(pair: Pair) -> list[tuple[str, str, str]]:
    return [(row.label, row.d, row.d_prime) for row in pair_rows(pair) if row.differs]


def test_numbers_stand_side_by_side_and_long_runs_are_folded() -> None:
    here = np.array([0.0] * 5 + [1.0, 2.0])
    rows = pair_rows(Pair(d=here, d_prime=here + (here == 2), words=""))
    assert [(row.label, row.d, row.d_prime) for row in rows] == [
        ("numbers 1 to 5", "0", "0"),
        ("number 6", "1", "1"),
        ("number 7", "2", "3"),
    ]


def test_the_added_record_is_the_one_that_differs() -> None:
    assert differing(presets()["threshold-testing"].pair) == [("record (1, 0)", "0", "1")]
    assert differing(presets()["noisycut"].pair) == [
        ("record (100 x 0, 100 x 1)", "1", "0"),
        ("record (100 x 1, 100 x 0)", "0", "1"),
    ]
    assert differing(presets()["smooth-published"].pair) == [("record (1)", "0", "1")]


@pytest.mark.parametrize("name", kinds())
def test_every_kind_shows_a_difference(name: str) -> None:
    kind = kinds()[name]
    for method in kind.methods().values():
        for neighbors in method.neighbors:
            assert differing(kind.pairs(method, neighbors)[0]), (method.name, neighbors)


def test_what_cannot_be_shown_is_left_to_words() -> None:
    assert pair_rows(Pair(d=np.zeros(2), d_prime=np.zeros(3), words="")) == ()


def test_a_pair_cannot_be_changed() -> None:
    pair = Pair(d=[1], d_prime=[2], words="one more")
    assert pair.neighbors == "add-remove"
    with pytest.raises(FrozenInstanceError):
        pair.d = [3]  # type: ignore[misc]


class Two(NamedTuple):
    counts: np.ndarray
    share: Fraction


@dataclass
class Whole:
    two: Two
    name: str
    absent: None
    flags: list[bool]


def test_everything_that_is_a_number_is_collected_in_order() -> None:
    output = Whole(Two(np.array([[1, 2], [3, 4]]), Fraction(1, 2)), "x", None, [True, False])
    assert numbers(output).tolist() == [1, 2, 3, 4, 0.5, 1, 0]
    assert numbers("text").size == 0
    assert numbers({"b": 2, "a": np.array(["x"])}).tolist() == [2]


def test_rows_of_different_length_stay_different() -> None:
    rows = table([np.array([1.0]), np.array([1.0, 0.0]), np.array([1.0, np.nan])])
    assert rows.shape == (3, 2)
    assert rows[0, 1] != rows[1, 1]
    assert np.isfinite(rows).all()
    assert table([np.zeros(0), np.zeros(0)]).shape == (2, 1)


SCORES = np.array([0.0, 1.0, 3.0])


@pytest.mark.parametrize("mechanism", [Exponential(epsilon=1), OneShot(epsilon=1, k=2)])
def test_repeated_draws_are_those_that_follow_each_other(mechanism: Any) -> None:
    noise = SeededNoise(3)
    single = [numbers(mechanism.draw(SCORES, noise)).tolist() for _ in range(50)]
    many = Redrawn(mechanism, 50).draw(SCORES, SeededNoise(3))
    assert [numbers(one).tolist() for one in many] == single
    assert len({tuple(one) for one in single}) > 1


def test_all_draws_are_charged_before_the_first() -> None:
    ledger = Ledger(Loss(2))
    with pytest.raises(BudgetExceeded):
        release(
            Redrawn(Exponential(epsilon=1), 3),
            SCORES,
            label="",
            ledger=ledger,
            noise=SeededNoise(0),
        )
    assert ledger.spent == Loss(0)
    release(
        Redrawn(Exponential(epsilon=1), 2),
        SCORES,
        label="",
        ledger=ledger,
        noise=SeededNoise(0),
    )
    assert ledger.spent == Loss(2)


def test_only_some_mechanisms_can_be_repeated() -> None:
    assert isinstance(Exponential(epsilon=1), Repeatable)
    assert not isinstance(Geometric(epsilon=1), Repeatable)


@pytest.mark.parametrize("mechanism", [Geometric(epsilon=1), Laplace(epsilon=1)])
def test_a_batch_is_many_draws(mechanism: Geometric | Laplace) -> None:
    target, value = mechanism_target(mechanism), np.array([3, -2])
    batch = target.sample(value, 2000, SeededNoise(1))
    noise = SeededNoise(2)
    single = np.stack([mechanism.draw(value, noise) for _ in range(2000)])
    assert batch.shape == single.shape
    for column in (0, 1):
        # Ties only make the test more cautious; another scale is noticed.
        assert ks_2samp(batch[:, column], single[:, column]).pvalue > 1e-6
        assert ks_2samp(batch[:, column] * 1.5, single[:, column]).pvalue < 1e-6
    assert abs(np.corrcoef(batch.T)[0, 1]) < 0.12


def test_others_are_drawn_one_by_one_and_read() -> None:
    target = mechanism_target(
        Exponential(epsilon=100), name="pick", read=lambda index: np.eye(3)[index]
    )
    assert target.name == "pick"
    assert target.sample(np.array([0.0, 9.0, 1.0]), 2, SeededNoise(0)).tolist() == [[0, 1, 0]] * 2
    assert target.proven


def test_one_by_one_shares_the_stream() -> None:
    sample = one_by_one(lambda data, noise: noise.uniform(1) + data)
    rows = sample(5, 3, SeededNoise(0))
    assert np.unique(rows).size == 3


def test_a_pair_states_its_relation() -> None:
    assert Pair(d=0, d_prime=1, words="", neighbors=Neighbors.REPLACE).neighbors == "replace"
