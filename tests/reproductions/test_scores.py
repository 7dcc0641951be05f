"""Scores of held-out records."""

from __future__ import annotations

import pytest

from reproductions import PaperData
from reproductions.scores import held_out_scores


@pytest.mark.parametrize("fraction", [0.1, 0.5])
def test_the_share_that_is_held_out(fraction: float) -> None:
    scores = held_out_scores(PaperData(None), "heart", test_fraction=fraction, most=2000)
    held_out = scores.n_positive + scores.n_negative
    # Five standard deviations of a coin per record.
    assert abs(held_out - 2000 * fraction) < 5 * (2000 * fraction * (1 - fraction)) ** 0.5


def test_scores_separate_the_classes() -> None:
    assert held_out_scores(PaperData(None), "bank", most=5000).auc() > 0.6
