"""The paper's workflow on texts."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.noise import SeededNoise
from dpcore.privacy import Loss
from dpcore.schema import Design
from reproductions import PaperData
from reproductions.stoddard.word_filter import (
    ALL,
    PTT,
    Filter,
    _select,
    accuracy,
    exact_scores,
    majority,
    non_private,
)


@pytest.fixture(scope="module")
def design() -> Design:
    return PaperData(None).design("sms", 2000)


@pytest.mark.parametrize("model", ["truncated-counts", "l1-counts", "objective-chaudhuri"])
def test_a_large_budget_beats_the_majority(design: Design, model: str) -> None:
    chosen = Filter(selector="noisy-scores", model=model)
    assert accuracy(design, chosen, "1000", folds=2) > majority(design) - 0.02


def test_a_tiny_budget_does_not(design: Design) -> None:
    good, bad = (
        accuracy(design, Filter(selector="noisy-scores"), epsilon, folds=2)
        for epsilon in ("1000", "0.001")
    )
    assert bad < good - 0.05


@pytest.mark.parametrize("score", ["total-count", "difference-count", "information-gain"])
def test_ptt_keeps_the_number_of_words_asked_for(design: Design, score: str) -> None:
    chosen = Filter(selector="threshold-testing-published", score=score, words=30)
    assert 0.5 < accuracy(design, chosen, "100", folds=1) <= 1


def test_exact_scores_are_sums_of_bounded_rows(design: Design) -> None:
    whole, cut = (exact_scores(design, "total-count", most) for most in (None, 3))
    assert (cut <= whole).all()
    assert cut.sum() <= 3 * design.matrix.shape[0]
    np.testing.assert_array_equal(whole, np.asarray((design.matrix != 0).sum(axis=0)).ravel())


def test_without_noise_a_few_hundred_words_are_enough(design: Design) -> None:
    everything = non_private(design, "naive-bayes", ALL, 0, folds=1)
    some = non_private(design, "naive-bayes", "total-count", 300, folds=1)
    assert some > everything - 0.05


def test_sampling_bounds_the_selection_of_all_but_the_threshold_test(design: Design) -> None:
    """Where no noise is left, what a selector keeps is what lies above its own threshold."""
    kept = {
        (selector, most): _select(
            design,
            Filter(selector=selector, per_text=most, words=40, share="0.5"),
            Loss(10**6),
            SeededNoise(0),
        )[0].tolist()
        for selector in ("noisy-scores", PTT)
        for most in (3, None)
    }
    assert kept[PTT, 3] == kept[PTT, None]
    assert kept["noisy-scores", 3] != kept["noisy-scores", None]
