"""What is said of an AUC by itself and of counts at a threshold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.evaluation import (
    private_auc,
    private_confusion_matrix,
)
from dpcore.evaluation.decisions.confusion import CELLS, cell_shares
from dpcore.figures.operating import People
from dpcore.publications import Found, publication
from dpcore.publications.decisions import flagged

Y = np.array([0, 0, 0, 1] * 500)
SCORES = np.linspace(0.0, 1.0, Y.size)


def seeded() -> dict[str, Any]:
    """Noise from its beginning: one source for all would make each test depend on those before."""
    return {"epsilon": 1, "noise": SeededNoise(1)}


MATRIX = private_confusion_matrix(Y, SCORES, threshold=0.5, **seeded())


def found(release: object, truth: object = None, noise: str = "seed:1") -> Found:
    return Found(release=release, epsilon=Fraction(1), noise=noise, truth=truth)


def test_an_area_is_told_with_both_intervals() -> None:
    area, one = private_auc(Y, SCORES, **seeded()), publication("auc")
    assert f"AUC is {area.auc:.3f}" in one.headline(found(area))
    header, rows = one.table(found(area))
    assert rows == [["AUC", area.auc, *area.interval, *area.population_interval]]
    assert len(header) == len(rows[0])
    silent = private_auc([0, 1], [0.1, 0.9], epsilon="0.01", noise=SeededNoise(1))
    assert "AUC is" not in one.headline(found(silent))


def test_counts_are_of_a_thousand_people() -> None:
    one, shares = publication("threshold"), cell_shares(MATRIX)
    assert sum(shares[name].value for name in CELLS) == pytest.approx(1.0)
    assert shares["alert_rate"].value == pytest.approx(0.5, abs=0.01)
    sentence = one.headline(found(MATRIX, np.array([250, 750, 250, 750])))
    assert f"{1000 * shares['alert_rate'].value:.0f} are flagged" in sentence
    assert sentence.endswith("True: 500, 25.0 % of them rightly.")
    header, rows = one.table(found(MATRIX))
    assert [len(row) for row in rows] == [len(header)] * 12
    assert "True" not in one.headline(found(MATRIX, noise="system"))


def test_the_counts_of_a_table_without_records_say_nothing() -> None:
    one, silent = publication("threshold"), 0
    for seed in range(40):
        empty = private_confusion_matrix([], [], threshold=0.5, epsilon=1, noise=SeededNoise(seed))
        silent += "any number of flagged people" in one.headline(found(empty))
    # In about every second draw; in the others noise alone looks like a few records.
    assert silent >= 10


def test_counts_of_very_many_records_are_not_rounded_to_one_number() -> None:
    """ "392 (392 to 392)" would claim to know them exactly."""
    share = 0.3921, (0.3918, 0.3924)
    right = 0.67185, (0.67139, 0.67228)
    told = flagged("Here", share, right, np.array([264, 129, 117, 490]), "1")
    assert "392.1 are flagged (391.8 to 392.4)" in told
    assert "67.2 % of them rightly (67.1 % to 67.2 %)" in told
    assert told.endswith("True: 393.0, 67.2 % of them rightly.")
    label = People(
        words="positives missed", count=117.0, lower=116.79, upper=117.2, true=117.1
    ).label
    assert label == "positives missed: <b>117.0</b> (116.8 to 117.2); true 117.1"
    few = flagged("Here", (0.392, (0.38, 0.41)), (0.67, (0.6, 0.7)), None, "1")
    assert "392 are flagged (380 to 410); about 2 of 3 of them rightly (60 % to 70 %)" in few
