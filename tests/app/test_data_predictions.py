"""Predictions on the data page: which class is positive, what the scores are, rows left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.data.counting import ScoreHistogram
from dpcore.study import DataSource
from dpcore.study.sources import open_source
from pages.widgets.downloads import LATEST
from tests.app.opening import assert_calm, html, open_page, sentences
from tests.app.test_data import choose, upload

N = 60
SCORES = [(place * 37 % N) / N for place in range(N)]


def table(negative: str, positive: str, form: str = "{:.3f}", times: float = 1.0) -> bytes:
    """Predictions whose higher scores mostly belong to the positive class."""
    labels = [positive if score + (place % 3) / 10 > 0.6 else negative
              for place, score in enumerate(SCORES)]  # fmt: skip
    rows = (f"{label},{form.format(times * score)}\n"
            for label, score in zip(labels, SCORES, strict=True))  # fmt: skip
    return ("label,score\n" + "".join(rows)).encode()


@pytest.fixture
def page() -> AppTest:
    return choose(open_page("data"), "My predictions")


def give(app: AppTest, content: bytes, name: str = "p.csv") -> AppTest:
    return upload(app, "predictions file", name, content)


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def scores_are(app: AppTest, link: str) -> AppTest:
    return app.segmented_control(key="control score link").set_value(link).run()


def positive_class(app: AppTest) -> str | None:
    return next((box.value for box in app.selectbox if box.label.startswith("Positive")), None)


def headline(app: AppTest) -> str:
    return next(line for line in html(app).splitlines() if "dpcore-headline" in line)


def ways_on(app: AppTest) -> list[str]:
    return [element.proto.label for element in app.get("page_link")]


def test_labels_of_0_and_1_need_no_choice(page: AppTest) -> None:
    give(page, table("0", "1"))
    assert_calm(page)
    assert positive_class(page) is None
    assert "p.csv: 60 predictions; scores are about “1”" in headline(page)
    assert ways_on(page) == ["See the ROC curve"]


def test_the_guessed_class_is_said_and_can_be_changed(page: AppTest) -> None:
    give(page, table("healthy", "ill"))
    assert_calm(page)
    assert positive_class(page) == "ill"
    assert "“ill” is a guess" in " ".join(caption.value for caption in page.caption)
    box = next(box for box in page.selectbox if box.label.startswith("Positive"))
    box.set_value("healthy").run()
    assert "scores are about “healthy”" in headline(page)
    assert "is a guess" not in " ".join(caption.value for caption in page.caption)


def test_classes_the_other_way_round_are_pointed_out_here_and_beside_the_curve(
    page: AppTest,
) -> None:
    give(page, table("survived", "died"))
    (warning,) = sentences(page)
    assert "below one half" in warning
    page.switch_page("pages/roc/page.py").run()
    assert sentences(page) == [warning]
    before = headline(page)
    press(page, "Count “died” as positive")
    assert_calm(page)
    assert headline(page) != before
    page.switch_page("pages/data/page.py").run()
    assert_calm(page)
    assert positive_class(page) == "died"
    # What the scores are is told anew; which class they are about has been told already.
    scores_are(page, "percent")
    assert positive_class(page) == "died"


def test_an_auc_that_is_below_one_half_by_chance_is_no_reason_to_ask(page: AppTest) -> None:
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 2, 400), rng.random(400).round(3)
    labels = labels if ScoreHistogram.from_arrays(labels, scores).auc() < 0.5 else 1 - labels
    assert 0.45 < ScoreHistogram.from_arrays(labels, scores).auc() < 0.5
    rows = [f"{label},{score}" for label, score in zip(labels, scores, strict=True)]
    text = "label,score\n" + "\n".join(rows) + "\n"
    give(page, text.encode())
    assert_calm(page)


def test_0_and_1_the_other_way_round_can_be_turned_and_turned_back(page: AppTest) -> None:
    give(page, table("1", "0"))
    press(page, "Count “0” as positive")
    assert_calm(page)
    assert positive_class(page) == "0"


@pytest.mark.parametrize(
    "content, words, link",
    [
        (table("0", "1", "{:.1f}", 100), "percentages", "percent"),
        (table("0", "1", "{:.1f}%", 100), "percentages", "percent"),
        (table("0", "1", "-{:.1f}", 9), "log-odds", "logit"),
    ],
)
def test_other_scores_are_read_as_what_they_look_like(
    page: AppTest, content: bytes, words: str, link: str
) -> None:
    give(page, content)
    (sentence,) = sentences(page)
    assert sentence.endswith(f"not between 0 and 1; these look like {words}")
    assert ways_on(page) == []
    press(page, f"Read them as {words}")
    assert "p.csv: 60 predictions" in headline(page)
    assert page.segmented_control(key="control score link").value == link


def test_a_file_that_is_open_is_read_again_when_it_is_said_what_the_scores_are(
    page: AppTest,
) -> None:
    give(page, table("0", "1", "{:.1f}", 100))
    scores_are(page, "percent")
    assert_calm(page)
    first = page.dataframe[0].value["score"].tolist()
    assert max(first) <= 1
    page.switch_page("pages/ecdf/page.py").run()
    page.switch_page("pages/data/page.py").run()
    assert page.segmented_control(key="control score link").value == "percent"
    scores_are(page, "logit")
    assert page.dataframe[0].value["score"].tolist() != first
    scores_are(page, "probability")
    assert "p.csv cannot be read this way. You still work on p.csv" in headline(page)
    press(page, "Read them as percentages")
    assert page.dataframe[0].value["score"].tolist() == first


def test_probabilities_that_were_called_something_else_are_pointed_out(page: AppTest) -> None:
    scores_are(page, "percent")
    give(page, table("0", "1"))
    assert sentences(page) == ["Every score lies between 0 and 1. Are they probabilities?"]
    press(page, "Read them as probabilities")
    assert_calm(page)


def test_incomplete_rows_are_left_out_by_one_switch_that_says_how_many(page: AppTest) -> None:
    give(page, table("0", "1") + b",0.5\n1,\n,0.1\n")
    assert "3 of 63 rows lack a label or a score" in sentences(page)[0]
    (switch,) = page.toggle
    assert switch.label == "Leave out 3 of 63 rows"
    switch.set_value(True).run()
    assert_calm(page)
    assert "p.csv: 60 predictions; 3 rows are left out" in headline(page)
    page.toggle[0].set_value(False).run()
    assert len(sentences(page)) == 1


def test_nothing_old_is_shown_beside_a_refusal(page: AppTest) -> None:
    give(page, table("0", "1"), "good.csv")
    give(page, b"label,score\n1,0.5\n1,0.6\n", "one.csv")
    assert "one.csv was not opened. You still work on good.csv: 60 predictions." in headline(page)
    assert sentences(page)[0].endswith("upload rows of both classes")
    assert ways_on(page) == []
    assert len(page.dataframe) == 0
    give(page, table("0", "1"), "good.csv")
    assert_calm(page)
    assert ways_on(page) == ["See the ROC curve"]


def test_an_empty_uploader_says_what_is_still_open(page: AppTest) -> None:
    assert "Nothing is opened yet. You still work on " in headline(page)
    give(page, table("0", "1"))
    choose(page, "Sample")
    assert "No sample is chosen yet. You still work on p.csv" in headline(page)
    choose(page, "My table")
    assert "Nothing is opened yet. You still work on p.csv" in headline(page)


def test_labels_are_shown_as_they_are_in_the_file(page: AppTest) -> None:
    give(page, table("no", "yes"))
    assert set(page.dataframe[0].value["label"]) <= {"no", "yes"}


def test_the_study_file_reads_the_upload_as_the_page_does(page: AppTest, tmp_path: Path) -> None:
    content = table("survived", "died", "{:.1f}%", 100)
    give(page, content)
    press(page, "Read them as percentages")
    press(page, "Count “died” as positive")
    shown = page.session_state["upload"].records
    (tmp_path / "p.csv").write_bytes(content)
    told = DataSource(predictions="p.csv", scale="percent", positive="died", negative="survived")
    read = open_source(told, tmp_path).load()
    assert read.y_true.tolist() == shown.y_true.tolist()
    assert read.y_score.tolist() == shown.y_score.tolist()
    page.switch_page("pages/roc/page.py").run()
    assert page.session_state[LATEST]["result"].config.data == told
