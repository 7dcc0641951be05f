"""The sections of a report on the AUC by itself and on the counts at a threshold."""

from __future__ import annotations

import numpy as np

from dpcore import SeededNoise
from dpcore.evaluation import private_auc, private_confusion_matrix
from dpcore.publications.decisions import auc_section, threshold_section

Y = np.array([0, 0, 0, 1] * 500)
SCORES = np.linspace(0.0, 1.0, Y.size)


def test_an_area_is_told_with_both_intervals() -> None:
    area = private_auc(Y, SCORES, epsilon=1, noise=SeededNoise(1))
    html = auc_section(area)
    assert f"a chance of {area.auc:.4f}" in html
    assert "these records (noise)" in html
    assert "people like these (noise and sampling)" in html
    silent = auc_section(private_auc([0, 1], [0.1, 0.9], epsilon=0.01, noise=SeededNoise(1)))
    assert "a chance of" not in silent


def test_counts_are_per_thousand_records() -> None:
    matrix = private_confusion_matrix(Y, SCORES, threshold=0.5, epsilon=1, noise=SeededNoise(1))
    html = threshold_section(matrix)
    assert "<h2>Alarm from a score of 0.5 on</h2>" in html
    assert f"{round(matrix.per_thousand['tp'])} positives alarmed" in html
    assert "negative predictive value" in html


def test_what_was_not_asked_for_has_no_section() -> None:
    assert auc_section(None) == threshold_section(None) == ""
