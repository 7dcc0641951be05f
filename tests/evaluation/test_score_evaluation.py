"""Several releases about one set of scores, and their account."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.errors import BudgetExceeded, InvalidArgument, NotPrivate
from dpcore.evaluation.score_evaluation import evaluate_scores
from tests.data.counting._files import predictions
from tests.evaluation._kinds import OF_ONE_SCORE


@pytest.fixture(scope="module")
def scores() -> ScoreHistogram:
    frame = predictions(4000)
    return ScoreHistogram.from_arrays(frame["y"], frame["p"])


@pytest.mark.parametrize("wanted", [("roc",), ("ecdf",), ("calibration", "roc"), OF_ONE_SCORE])
def test_the_ledger_has_spent_epsilon_exactly(scores: ScoreHistogram, wanted: tuple) -> None:
    found = evaluate_scores(scores, epsilon="1/3", wanted=wanted, seed=1)
    assert found.ledger.spent.epsilon == Fraction(1, 3)
    for name in OF_ONE_SCORE:
        assert (getattr(found, name) is not None) == (name in wanted)
    with pytest.raises(BudgetExceeded):
        found.ledger.require(found.ledger.spent, None)


def test_a_private_release_holds_no_exact_figure(scores: ScoreHistogram) -> None:
    found = evaluate_scores(scores, epsilon=1, wanted=OF_ONE_SCORE)
    document = json.loads(found.to_json())
    assert found.truth is None
    assert "truth" not in document
    assert not document["simulated"]
    assert not document["roc"]["simulated"]


def test_a_simulation_repeats_and_its_parts_have_noise_of_their_own(
    scores: ScoreHistogram,
) -> None:
    one, two = (evaluate_scores(scores, epsilon=1, wanted=OF_ONE_SCORE, seed=2) for _ in range(2))
    assert one.to_json() == two.to_json()
    assert (
        one.to_json() != evaluate_scores(scores, epsilon=1, wanted=OF_ONE_SCORE, seed=3).to_json()
    )
    negative, positive = one.ecdf
    assert (negative.noisy[:50] != positive.noisy[:50]).any()


def test_refusals(scores: ScoreHistogram) -> None:
    for wanted in ((), ("pr",), ("roc", "x")):
        with pytest.raises(InvalidArgument, match="wanted"):
            evaluate_scores(scores, epsilon=1, wanted=wanted)
    for name in ("groups", "compare", "classes"):
        with pytest.raises(InvalidArgument, match="left out, or given with what it is counted"):
            evaluate_scores(scores, epsilon=1, wanted=("roc", name))
    with pytest.raises(InvalidArgument, match="epsilon"):
        evaluate_scores(scores, epsilon=0)
    with pytest.raises(NotPrivate):
        evaluate_scores(scores, epsilon=1, method="recursive-medians-published")


def test_both_classes_cost_one_charge_in_either_relation(scores: ScoreHistogram) -> None:
    for relation in ("add-remove", "replace"):
        found = evaluate_scores(scores, epsilon=1, wanted=("ecdf",), neighbors=relation, seed=1)
        assert [str(charge.loss) for charge in found.ledger.charges] == ["epsilon 1"]
