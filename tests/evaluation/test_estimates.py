"""Ends of intervals, and releases as JSON."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import DataError
from dpcore.evaluation import (
    ConfusionRelease,
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
)
from dpcore.evaluation.estimates import around, ends, ends_of_each


def test_a_draw_that_says_nothing_leaves_all_that_is_possible() -> None:
    drawn = np.linspace(0.4, 0.6, 101)
    assert ends(drawn, 0.9) == pytest.approx((0.41, 0.59))
    drawn[:20] = np.nan
    assert ends(drawn, 0.9, lowest=-1.0) == (-1.0, 1.0)
    assert around(0.7, (0.4, 0.6)) == (0.4, 0.7)


@pytest.mark.parametrize("true", [0.0, 0.03, 0.5, 1.0])
@pytest.mark.parametrize("scale", [0.01, 0.3, 10.0])
def test_an_interval_beyond_what_is_possible_keeps_its_arms(true: float, scale: float) -> None:
    """As many hold the truth as promised, and none is short because noise went far."""
    law = np.random.default_rng(1).laplace(scale=scale, size=2001)
    tail = np.quantile(law, 0.95)
    centres = true + np.random.default_rng(2).laplace(scale=scale, size=500)
    held = [ends(centre - law, 0.9) for centre in centres]
    assert np.mean([low <= true <= high for low, high in held]) >= 0.87
    assert min(high - low for low, high in held) >= 0.9 * min(tail, 1.0)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.9999])
@pytest.mark.parametrize("draws", [1, 2, 1000, 4001])
def test_ends_are_the_quantiles_of_numpy_to_the_bit(confidence: float, draws: int) -> None:
    drawn = np.random.default_rng(draws).normal(size=(3, draws))
    tail = (1.0 - confidence) / 2.0
    expected = np.quantile(drawn, [tail, 1.0 - tail], axis=1).T
    found = ends_of_each(drawn, confidence, np.array([[-np.inf, np.inf]] * 3))
    assert np.array(found).tobytes() == expected.tobytes()


def test_an_unknown_number_is_null_and_is_read_again() -> None:
    found = private_confusion_matrix([0, 0], [0.1, 0.2], threshold=0.5, epsilon=90,
                                     noise=SeededNoise(1))  # fmt: skip
    document = json.loads(found.to_json())
    assert document["ppv"][0] is None
    again = ConfusionRelease.from_json(found.to_json())
    assert np.isnan(again.ppv.value)
    assert again.to_json() == found.to_json()
    for text in ("{}", "[]", "no JSON", json.dumps(document | {"neighbors": "x"})):
        with pytest.raises((DataError, ValueError), match=r"confusion matrix|neighbors"):
            ConfusionRelease.from_json(text)


class AsIfReal(SeededNoise):
    """Noise that can be repeated, and whoever draws it does not know."""

    simulated = False


@contextmanager
def silence() -> Iterator[None]:
    """A warning within is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


LABELS, SCORES = np.array(["no", "yes"] * 500), np.linspace(0.1, 0.9, 1000)
EVALUATORS = {
    "curve": partial(private_roc_curve, LABELS, SCORES),
    "area": partial(private_auc, LABELS, SCORES),
    "calibration": partial(private_calibration, LABELS, SCORES),
    "matrix": partial(private_confusion_matrix, LABELS, SCORES, threshold=0.5),
    "comparison": partial(private_model_comparison, LABELS, SCORES, SCORES[::-1]),
    "groups": partial(private_group_evaluation, LABELS, SCORES, [*"aabb"] * 250, levels=("a", "b")),
}


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("seed", [1, 5, 17, 22])
@pytest.mark.parametrize("pos_label", [None, "yes"])
def test_a_release_that_says_nothing_warns_its_caller_where_no_error_may(
    evaluator: str, pos_label: str | None, seed: int
) -> None:
    """No label is a 1, so that all records are negative: a private call may not refuse that."""
    told = "the noise leaves .*: .* not as pos_label says"
    heard = pytest.warns(UserWarning, match=told) if pos_label is None else silence()
    with heard as found:
        EVALUATORS[evaluator](epsilon=1, pos_label=pos_label, noise=AsIfReal(seed))
    assert found is None or found[0].filename == __file__


def test_classes_that_no_record_has_are_brought_up_too() -> None:
    both = np.stack([1.0 - SCORES, SCORES], axis=1)
    with silence():
        private_macro_auc(LABELS, both, classes=("no", "yes"), epsilon=1, noise=AsIfReal(1))
    with pytest.warns(UserWarning, match="everything possible: .* not as classes say"):
        private_macro_auc(LABELS, both, classes=(0, 1), epsilon=1, noise=AsIfReal(1))


def test_counted_scores_that_say_nothing_were_read_by_somebody_else() -> None:
    counted = ScoreHistogram.from_arrays([0] * 1000, [0.5] * 1000)
    with silence():
        assert private_roc_curve(counted, epsilon=1, noise=AsIfReal(1)).says_nothing
        private_confusion_matrix(counted, threshold=0.5, epsilon=1, noise=AsIfReal(1))
        private_macro_auc([counted] * 2, classes=(0, 1), epsilon=1, noise=AsIfReal(1))
