"""The bars of Figures 1 and 2."""

from __future__ import annotations

import pytest

from reproductions import PaperData
from reproductions.stoddard.bars import (
    MAJORITY,
    SELECTORS,
    exact_bars,
    private_bars,
    workflow,
)
from reproductions.stoddard.word_filter import PTT


@pytest.mark.parametrize("selector", SELECTORS)
def test_only_the_threshold_test_goes_without_sampling(selector: str) -> None:
    chosen = workflow(selector, words=7)
    assert (chosen.selector, chosen.words) == (selector, 7)
    assert chosen.share == ("0.5" if selector == "noisy-scores" else "0.2")
    assert chosen.per_text == (None if selector == PTT else 10)


def test_information_gain_is_left_out_for_clusters() -> None:
    bars = list(private_bars(30, "l1-counts"))
    assert {(name, short) for name, _, _, short in bars} == {
        (name, short)
        for name in SELECTORS
        for short in ("TC", "DC", "IG")
        if not (short == "IG" and name.startswith("cluster"))
    }
    assert {(chosen.words, chosen.model) for _, _, chosen, _ in bars} == {(30, "l1-counts")}


def test_bars_without_noise_and_the_majority() -> None:
    rows = list(exact_bars(PaperData(None).design("sms", 1500), "SMS", "naive-bayes", folds=1))
    assert [(row.method, row.x) for row in rows[-2:]] == [
        ("naive Bayes without noise", "IG"),
        (MAJORITY, "All"),
    ]
    assert all(row.value > rows[-1].value for row in rows[:-1])
