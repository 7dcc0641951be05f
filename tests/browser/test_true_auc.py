"""Odd files of scores, from the upload to the four pages: what is called true is true."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page
from sklearn.metrics import roc_auc_score

from tests.browser.conftest import Visit
from tests.browser.serving import settle
from tests.browser.test_upload import give

RNG = np.random.default_rng(4)
POSITIVE = RNG.random(1_500) < 0.3
HIDDEN = RNG.normal(1.3 * POSITIVE, 1.0)
MERGES = "The public cells merge scores that differ"


def as_log_odds(page: Page) -> None:
    """A choice that merges many, for what it costs must be said; calibration needs a scale."""
    page.get_by_role("link", name="See the ROC curve").wait_for()
    settle(page)
    # The scale is a part of the sentence that says how the file was read.
    page.locator(".st-key-read-scale button").first.click()
    page.get_by_role("radio", name="log-odds", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_text(MERGES).first.wait_for()


def as_it_is(page: Page) -> None:
    """Nothing has to be chosen; rows without label or score are left out."""


def missing(scores: NDArray[np.float64]) -> list[str]:
    """Rows of which some lack the label, others the score."""
    labels = np.where(RNG.random(scores.size) < 0.02, "", POSITIVE.astype(int).astype(str))
    cells = np.where(RNG.random(scores.size) < 0.03, "", scores.round(4).astype(str))
    return [f"{label},{cell}" for label, cell in zip(labels, cells, strict=True)]


def complete(scores: NDArray[np.float64]) -> list[str]:
    return [f"{int(one)},{score!r}" for one, score in zip(POSITIVE, scores.tolist(), strict=True)]


FILES = {
    "credit scores": (complete(np.clip(np.round(540 + 60 * HIDDEN), 300, 850)), as_log_odds, True),
    "margins": (complete(np.clip(np.round(40 + 110 * HIDDEN), -300, 550)), as_log_odds, True),
    "near 1e-9": (complete(np.exp(np.log(1.2e-9) + 0.8 * HIDDEN)), as_it_is, True),
    "missing cells": (missing(1.0 / (1.0 + np.exp(1.0 - HIDDEN))), as_it_is, False),
}


def scikit_learns(rows: list[str]) -> float:
    cells = [row.split(",") for row in rows]
    known = [(int(label), float(score)) for label, score in cells if label and score]
    return float(roc_auc_score(*zip(*known, strict=True)))


# Quick is a file of five models on the ROC page, in test_door.py.
@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_the_true_auc_is_scikit_learns_on_four_pages(visit: Visit, name: str) -> None:
    rows, choose, merges = FILES[name]
    expected = f"{scikit_learns(rows):.3f}"
    page = visit("data")
    page.get_by_role("radio", name="My predictions").click()
    page.get_by_text("A table with a label and a score").wait_for()
    give(page, "scores.csv", "\n".join(["label,score", *rows]).encode())
    choose(page)
    page.get_by_role("link", name="See the ROC curve").wait_for()
    settle(page)
    assert page.get_by_text(MERGES).count() == int(merges)
    for place, heading, read in (
        ("Overview", "What does privacy cost?", in_the_headline),
        ("ROC", "ROC curve", in_the_headline),
        ("ECDF", "Score distributions", in_a_box),
        ("Calibration", "Calibration", in_a_box),
    ):
        page.get_by_role("link", name=place, exact=True).click()
        page.get_by_role("heading", name=heading, level=1, exact=True).wait_for()
        page.locator(".dpcore-headline").wait_for()
        settle(page)
        assert read(page) == expected, place
        # What the cells cost is said wherever it is to be seen.
        assert page.get_by_text(MERGES).count() == int(merges), place


def in_the_headline(page: Page) -> str:
    words = page.locator(".dpcore-headline").inner_text()
    return next(iter(re.findall(r"the true one is (\d\.\d{3})", words)), words)


def in_a_box(page: Page) -> str:
    box = page.locator(".dpcore-numbers div").filter(has_text="True AUC")
    return box.locator("dd").first.inner_text()
