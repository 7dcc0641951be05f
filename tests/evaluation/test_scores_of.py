"""Labels and scores in either form, and what every evaluator that takes them refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise
from dpcore.aggregates import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation import private_calibration, private_roc_curve
from dpcore.evaluation.scores_of import scores_of

Evaluator = Callable[..., Any]
EVALUATORS: list[Evaluator] = [private_roc_curve, private_calibration]


def test_counted_scores_pass_through() -> None:
    counted = ScoreHistogram.from_arrays([0, 1], [0.1, 0.9])
    assert scores_of(counted, None, None) is counted


@pytest.mark.parametrize("y_true, y_score", [([0, 1], None), (ScoreHistogram.empty(), [0.1])])
def test_scores_come_once(y_true: Any, y_score: Any) -> None:
    with pytest.raises(InvalidArgument, match="y_score must be"):
        scores_of(y_true, y_score, None)


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("labels, pos_label", [(["no", "yes"], None), ([0, 1], "yes")])
def test_no_label_could_be_positive_is_refused_before_a_charge(
    evaluator: Evaluator, labels: list[Any], pos_label: object
) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match="pos_label must be"):
        evaluator(labels * 50, [0.1, 0.9] * 50, epsilon=1, ledger=ledger, pos_label=pos_label)
    assert ledger.charges == ()


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_texts_give_what_numbers_give(evaluator: Evaluator) -> None:
    labels, scores = np.arange(500) % 2, np.linspace(0, 1, 500)
    texts = np.array(["no", "yes"])[labels]
    numbers = evaluator(labels, scores, epsilon=1, noise=SeededNoise(1))
    named = evaluator(texts, scores, epsilon=1, noise=SeededNoise(1), pos_label="yes")
    assert numbers.to_json() == named.to_json()
