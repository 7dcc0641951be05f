"""What every selector goes through: checks before charges, columns spread back."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from dpcore import Charge, Ledger, Loss, Part, SeededNoise, SystemNoise
from dpcore.errors import (
    BudgetExceeded,
    DataError,
    InvalidArgument,
    NeighborsMismatch,
    NotPrivate,
    UnknownMethod,
)
from dpcore.selection import SelectionRelease, select_features, selectors, trace_sparse_vector

SCORES = [5.0, 100.0, 20.0, 80.0]


@pytest.mark.parametrize("algorithm", range(1, 8))
def test_much_epsilon_finds_what_lies_above(algorithm: int) -> None:
    trace = trace_sparse_vector(
        SCORES, algorithm=algorithm, epsilon=10_000, k=2, threshold=50, noise=SeededNoise(0)
    )
    assert sorted(trace.selected.tolist()) == [1, 3]
    assert trace.threshold == pytest.approx(50)


def test_as_they_are() -> None:
    trace = trace_sparse_vector(SCORES, epsilon=10, k=4, shuffle=False, noise=SeededNoise(0))
    assert [query.index for query in trace.queries] == [0, 1, 2, 3]


def test_retraversal_goes_on() -> None:
    arguments = {"epsilon": 1, "k": 2, "boost": 5.0, "noise": SeededNoise(1)}
    trace = trace_sparse_vector([20.0] * 6, retraverse=True, **arguments)  # type: ignore[arg-type]
    assert trace.selected.size == 2
    assert trace.queries[-1].round > 1


@pytest.mark.parametrize("algorithm", [1, 7])
def test_real_noise_is_refused(algorithm: int) -> None:
    with pytest.raises(NotPrivate, match="trace shows"):
        trace_sparse_vector(SCORES, algorithm=algorithm, epsilon=1, k=1, noise=SystemNoise())


def test_there_are_seven() -> None:
    with pytest.raises(InvalidArgument, match="^algorithm must be"):
        trace_sparse_vector(SCORES, algorithm=8, epsilon=1, k=1, noise=SeededNoise(0))


CHARGE = Charge("feature scores", "Geometric", Loss("0.1"))


def test_json_has_null_where_a_feature_was_not_scored() -> None:
    scores = np.array([np.nan, 3.0])
    release = SelectionRelease(np.array([0, 1]), scores, (CHARGE,), True, "noisy-scores")
    document = json.loads(release.to_json())
    assert document["scores"] == [None, 3.0]
    assert document["selected"] == [0, 1]
    assert document["simulated"] is True
    assert document["charges"][0]["epsilon"] == "1/10"


def test_json_without_scores() -> None:
    release = SelectionRelease(np.array([], dtype=np.int64), None, (), False, "none")
    document = json.loads(release.to_json())
    assert document["scores"] is None
    assert document["selected"] == []


@pytest.mark.parametrize("method", ["noisy-scores", "best", "none"])
def test_what_was_written_reads_back(method: str) -> None:
    spends = {} if method == "none" else {"top_k": 2, "epsilon": "0.3"}
    picked = select_features(
        np.eye(4), method=method, noise=SeededNoise(0), part=Part("split", "train"), **spends
    )
    again = SelectionRelease.from_json(picked.to_json())
    assert again.to_json() == picked.to_json()
    assert (again.selected.tolist(), again.selected.dtype) == (picked.selected.tolist(), np.int64)
    assert (again.charges, again.simulated, again.method) == (picked.charges, True, method)
    assert (again.scores is None) is (picked.scores is None)


def test_a_feature_without_a_score_stays_without_one() -> None:
    release = SelectionRelease(np.array([0]), np.array([np.nan, 3.5]), (CHARGE,), False, "best")
    again = SelectionRelease.from_json(release.to_json())
    np.testing.assert_array_equal(again.scores, [np.nan, 3.5])
    assert again.simulated is False


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"selected": 1}', "null"])
def test_another_text_is_no_selection(text: str) -> None:
    with pytest.raises(DataError, match="this is not an exported selection"):
        SelectionRelease.from_json(text)


ROWS = np.array([[1, 0, 1], [1, 1, 0], [1, 0, 0]])


def test_the_selectors_of_this_release() -> None:
    assert {"none", "noisy-scores", "exponential-peeling"} <= set(selectors())


def test_charge_is_exact_and_on_the_part() -> None:
    ledger, part = Ledger(Loss(1)), Part("split", "train")
    picked = select_features(
        ROWS,
        method="noisy-scores",
        top_k=1,
        epsilon=Fraction(1, 3),
        ledger=ledger,
        part=part,
        noise=SeededNoise(0),
    )
    assert picked.charges == ledger.charges
    assert [(c.loss, c.part) for c in picked.charges] == [(Loss(Fraction(1, 3)), part)]


class Silent(SeededNoise):
    """Noise that must not be drawn."""

    def discrete_laplace(self, scale: object, size: int) -> np.ndarray:  # type: ignore[override]
        raise AssertionError("drawn")


@pytest.mark.parametrize(
    "arguments, error",
    [
        ({"epsilon": 2}, BudgetExceeded),
        ({"epsilon": 1, "neighbors": "replace"}, NeighborsMismatch),
        ({"epsilon": 0}, InvalidArgument),
        ({"epsilon": -1}, InvalidArgument),
        ({}, InvalidArgument),
        ({"epsilon": 1, "top_k": 4}, InvalidArgument),
        ({"epsilon": 1, "top_k": 0}, InvalidArgument),
        ({"epsilon": 1, "method": "noisy-score"}, UnknownMethod),
        ({"epsilon": 1, "score": "total"}, UnknownMethod),
        ({"epsilon": 1, "sharpness": 3}, InvalidArgument),
    ],
)
def test_what_is_refused_is_refused_before_the_charge(
    arguments: dict[str, object], error: type[Exception]
) -> None:
    ledger = Ledger(Loss(1))
    defaults = {"method": "noisy-scores", "top_k": 1}
    with pytest.raises(error):
        select_features(ROWS, ledger=ledger, noise=Silent(0), **(defaults | arguments))
    assert ledger.charges == ()


def test_an_epsilon_left_out_is_asked_for() -> None:
    with pytest.raises(InvalidArgument, match="^epsilon must be given, because 'noisy-scores'"):
        select_features(ROWS, method="noisy-scores", top_k=1)


def test_none_needs_no_epsilon_and_no_budget() -> None:
    ledger = Ledger(Loss(0))
    picked = select_features(ROWS, method="none", epsilon=5, ledger=ledger, noise=Silent(0))
    assert picked.selected.tolist() == [0, 1, 2]
    assert picked.charges == ()
