"""The test sets are of the paper's size and nobody trained on them."""

from __future__ import annotations

from reproductions import PaperData
from reproductions.stoddard.held_out_sets import held_out_sets
from tests._real_data import real_data


def test_on_the_real_files() -> None:
    folder = real_data("SMSSpamCollection.gz").parent
    real_data("sentiment140_sample20k.csv.gz")
    (sms, first), (tweets, second) = held_out_sets(PaperData(folder))
    assert (sms, tweets) == ("SMS", "Twitter")
    # The paper has 558 and 684.
    assert abs(first.n_positive + first.n_negative - 558) < 60
    assert abs(second.n_positive + second.n_negative - 684) < 60
    assert 0.85 < first.auc() < 0.99
    assert 0.6 < second.auc() < 0.8


def test_stand_ins_are_scored_the_same_way_each_time() -> None:
    first, again = (
        [scores.auc() for _, scores in held_out_sets(PaperData(None))] for _ in range(2)
    )
    assert first == again
    assert all(auc > 0.6 for auc in first)
