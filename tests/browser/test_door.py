"""From an odd, real-looking file of predictions to its curve: five presses at most."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page
from sklearn.metrics import roc_auc_score

from tests.browser.conftest import Visit
from tests.browser.serving import settle
from tests.data.reading.corpus import LABELS, PROBABILITIES, Case
from tests.data.reading.corpus_predictions import predictions

MOST_PRESSES = 5
JOURNEYS = ("five models", "aligned columns", "empty rows", "Excel", "credit scores",
            "twelve missing")  # fmt: skip
CASES = {case.name: case for case in predictions()}


def true_auc(case: Case) -> float:
    """What scikit-learn makes of the same rows."""
    first = 12 if case.name == "twelve missing" else 0
    labels, scores = LABELS[first:], PROBABILITIES[first:]
    if case.name == "credit scores":
        return float(roc_auc_score(labels, (850 - 550 * scores).round()))
    return float(roc_auc_score(labels, scores))


class Presses:
    """A visitor who counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.number = page, 0

    def press(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]
        self.number += 1

    def give(self, name: str, content: bytes) -> None:
        """Choose a file: one press on the place for it."""
        file = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.page.locator("input[type=file]").first.set_input_files(file)
        self.number += 1


@pytest.mark.parametrize(
    "name", [JOURNEYS[0], *(pytest.param(one, marks=pytest.mark.slow) for one in JOURNEYS[1:])]
)
def test_a_file_becomes_a_curve(visit: Visit, name: str) -> None:
    case = CASES[name]
    title = f"{name.replace(' ', '-')}.{'xlsx' if name == 'Excel' else 'csv'}"
    visitor = Presses(page := visit("data"))
    visitor.press("radio", "My predictions")
    page.get_by_text("A table with a label and a score").wait_for()
    visitor.give(title, case.content)
    page.get_by_text(f"{title}: {case.rows} predictions").first.wait_for()
    visitor.press("link", "See the ROC curve")
    page.get_by_text("the true one is").wait_for()
    settle(page)
    assert visitor.number <= MOST_PRESSES
    told = re.search(r"the true one is ([\d.]+)", page.locator("body").inner_text())
    assert told is not None
    assert abs(float(told[1].rstrip(".")) - true_auc(case)) <= 0.0005 + 1e-9
