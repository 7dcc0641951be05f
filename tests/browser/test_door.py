"""From an odd, real-looking file to its curve in five presses, to the better model in seven."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page
from sklearn.metrics import roc_auc_score

from tests.app.test_compare_page import MODELS, content, true_difference
from tests.browser.conftest import Visit
from tests.browser.serving import settle
from tests.data.reading.corpus import LABELS, PROBABILITIES, Case
from tests.data.reading.corpus_predictions import predictions

MOST_PRESSES, MOST_TO_COMPARE = 5, 7
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


# tests/app/test_compare_page.py asks for the same sentence without a browser.
@pytest.mark.slow
def test_nine_columns_become_which_model_is_better(visit: Visit) -> None:
    """With a private interval that holds what scikit-learn makes of the two scores."""
    visitor = Presses(page := visit("data"))
    visitor.press("radio", "My predictions")
    page.get_by_text("A table with a label and a score").wait_for()
    visitor.give("clinic.csv", content())
    page.get_by_text("clinic.csv: 2,999 predictions").or_(
        page.get_by_text("clinic.csv: 3,000 predictions")
    ).first.wait_for()
    visitor.press("link", "Compare two models")
    page.get_by_text("On these records model B is better by").first.wait_for()
    settle(page)
    assert visitor.number <= MOST_TO_COMPARE
    words = page.locator("body").inner_text()
    told = re.search(r"model B is better by [\d.]+ \(([\d.]+) to ([\d.]+)\)", words)
    assert told is not None
    assert float(told[1]) <= true_difference(*MODELS[:2]) <= float(told[2])
    assert "B less A, private" in words
