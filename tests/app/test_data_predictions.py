"""Predictions on the data page: which class is positive, what the scores are, rows left out."""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.data.counting import ScoreHistogram
from dpcore.study import DataSource
from dpcore.study.sources import open_source
from pages.widgets import uploads
from pages.widgets.roc_curve import LATEST
from tests.app.opening import assert_calm, html, open_page, sentences
from tests.app.test_data import choose, upload
from tests.data.reading.corpus import rows_of, scores_beside, workbook

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


def scores_are(app: AppTest, scale: str) -> AppTest:
    return app.segmented_control(key="control score scale").set_value(scale).run()


def positive_class(app: AppTest) -> str | None:
    return next((box.value for box in app.selectbox if box.label.startswith("Positive")), None)


def headline(app: AppTest) -> str:
    return next(line for line in html(app).splitlines() if "dpcore-headline" in line)


def ways_on(app: AppTest) -> list[str]:
    return [element.proto.label for element in app.get("page_link")]


def test_labels_of_0_and_1_need_no_choice(page: AppTest) -> None:
    give(page, table("0", "1"))
    assert_calm(page)
    assert positive_class(page) == "1"
    assert not any("is a guess. Change" in one.value for one in page.caption)
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
    give(page, table("ill", "well"))
    (warning,) = sentences(page)
    assert "below one half" in warning
    page.switch_page("pages/roc/page.py").run()
    assert sentences(page) == [warning]
    before = headline(page)
    press(page, "Count “well” as positive")
    assert_calm(page)
    assert headline(page) != before
    page.switch_page("pages/data/page.py").run()
    assert_calm(page)
    assert positive_class(page) == "well"
    # What the scores are is told anew; which class they are about has been told already.
    scores_are(page, "percent")
    assert positive_class(page) == "well"


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
    "content, scale",
    [
        (table("0", "1", "{:.1f}", 100), "percent"),
        (table("0", "1", "{:.1f}%", 100), "percent"),
        (table("0", "1", "{:.3f}").replace(b",0.", b",-3.").replace(b"-3.9", b"4.9"), "log-odds"),
        (table("0", "1", "{:.1f}", 600), "any"),
    ],
)
def test_other_scores_are_read_as_what_they_look_like(
    page: AppTest, content: bytes, scale: str
) -> None:
    give(page, content)
    assert [error.value for error in page.error] == []
    assert "p.csv: 60 predictions" in headline(page)
    control = page.segmented_control(key="control score scale")
    assert (control.value, control.label) == (scale, "The scores are (a guess)")


def test_a_file_that_is_open_is_read_again_when_it_is_said_what_the_scores_are(
    page: AppTest,
) -> None:
    give(page, table("0", "1", "{:.1f}", 100))
    assert_calm(page)
    first = units(page)
    assert max(first) <= 1
    # What is shown are the numbers of the file.
    assert 1 < max(page.dataframe[0].value["score"]) <= 100
    scores_are(page, "log-odds")
    assert units(page) != first
    page.switch_page("pages/ecdf/page.py").run()
    page.switch_page("pages/data/page.py").run()
    assert page.segmented_control(key="control score scale").value == "log-odds"
    scores_are(page, "probability")
    assert "p.csv cannot be read this way. You still work on p.csv" in headline(page)
    press(page, "Read them as percentages")
    assert units(page) == first


def test_of_several_models_every_score_stands_in_the_first_rows(page: AppTest) -> None:
    # The first row has no score of the model that is shown.
    rows = "".join(f"{at % 2},{one or ''},{1 - one / 2}\n" for at, one in enumerate(SCORES))
    give(page, f"died,p_lr,p_rf\n{rows}".encode())
    others = {"p_lr": SCORES[1:9], "p_rf": [1 - one / 2 for one in SCORES[1:9]]}
    assert page.dataframe[0].value.to_dict("list") == {"label": ["1", "0"] * 4, **others}


def units(page: AppTest) -> list[float]:
    """The first scores of what is open, between 0 and 1."""
    found: list[float] = page.session_state["upload"].records.y_score[:8].tolist()
    return found


def test_scores_of_any_size_have_bounds_that_are_taken_from_the_data_until_they_are_said(
    page: AppTest,
) -> None:
    give(page, table("0", "1", "{:.1f}", 600))
    bounds = [box for box in page.number_input if "above" not in box.label]
    assert [box.value for box in bounds] == [0.0, 600.0]
    assert any("taken from the data" in one.value for one in page.caption)
    bounds[1].set_value(1000.0).run()
    assert max(units(page)) <= 0.6
    assert max(page.dataframe[0].value["score"]) <= 600
    assert not any("taken from the data" in one.value for one in page.caption)
    assert page.session_state["upload"].records.scale.bounds == (0.0, 1000.0)


WIDE = ("id,sex,died,forest,boosting\n" + "".join(
    f"{1000 + at},{'fm'[at % 2]},{int(score + (at % 3) / 10 > 0.6)},{score:.3f},{score**2:.4f}\n"
    for at, score in enumerate(SCORES)
)).encode()  # fmt: skip


def test_any_columns_are_guessed_called_a_guess_and_changed_without_a_new_upload(
    page: AppTest,
) -> None:
    give(page, WIDE)
    assert_calm(page)
    label, shown = page.selectbox(key="control label column"), "control shown score"
    assert (label.value, label.label) == ("died", "Label (a guess)")
    assert page.multiselect(key="control score columns").value == ["forest", "boosting"]
    assert page.selectbox(key="control group column").value == "sex"
    page.selectbox(key=shown).set_value("boosting").run()
    assert_calm(page)
    records = page.session_state["upload"].records
    assert records.columns == ("died", "boosting")
    assert set(records.parsed.scores) == {"forest", "boosting"}
    assert set(records.parsed.group) == {"f", "m"}
    page.multiselect(key="control score columns").set_value(["forest"]).run()
    page.selectbox(key="control label column").set_value("sex").run()
    records = page.session_state["upload"].records
    assert (records.columns, records.roles.group) == (("sex", "forest"), "")
    assert page.selectbox(key="control label column").label == "Label"


def test_label_and_score_can_be_said_where_no_guess_finds_them(page: AppTest) -> None:
    content = b"a,b,c\n" + b"".join(
        b"%d.5,%d.5,%d.25\n" % (at % 2, at, at * 7 % 11) for at in range(60)
    )
    give(page, content)
    assert "No column can be the label" in sentences(page)[0]
    box = page.selectbox(key="control label column")
    assert (box.label, box.value, box.options) == ("Label", None, ["a", "b", "c"])
    box.set_value("a").run()
    page.multiselect(key="control score columns").set_value(["c"]).run()
    assert_calm(page)
    assert "p.csv: 60 predictions; scores are about “1.5”" in headline(page)
    # What was said can be said otherwise if it leads to nothing.
    page.multiselect(key="control score columns").set_value(["b"]).run()
    assert_calm(page)


def test_a_workbook_that_is_refused_lets_another_sheet_be_picked(page: AppTest) -> None:
    book = workbook(
        rows_of(scores_beside("label", "score")), ("cover", [["Scores"]]), ("blank", [])
    )
    give(page, book, "p.xlsx")
    assert_calm(page)
    for sheet in ("blank", "cover"):
        page.selectbox(key="control read sheet").set_value(sheet).run()
        assert "p.xlsx cannot be read this way" in headline(page)
    page.selectbox(key="control read sheet").set_value("data").run()
    assert_calm(page)
    assert "p.xlsx: 60 predictions" in headline(page)


def test_how_the_file_is_written_is_said_and_changed(page: AppTest) -> None:
    content = b"\n".join(WIDE.splitlines()[1:]).replace(b",", b" ")
    give(page, content)
    labels = [one.proto.popover.label for one in page.get("popover")]
    assert "white space, no header" in labels
    assert page.selectbox(key="control label column").value.startswith("column_")
    page.segmented_control(key="control read header").set_value(True).run()
    assert "p.csv: 59 predictions" in headline(page)


def test_incomplete_rows_are_left_out_by_one_switch_that_says_how_many(page: AppTest) -> None:
    give(page, table("0", "1") + b",0.5\n1,\n,0.1\n")
    assert_calm(page)
    assert "p.csv: 60 predictions; 3 rows are left out" in headline(page)
    (switch,) = page.toggle
    assert (switch.label, switch.value) == ("Leave out 3 of 63 rows", True)
    switch.set_value(False).run()
    assert "3 of 63 rows lack a label or a score" in sentences(page)[0]
    page.toggle[0].set_value(True).run()
    assert_calm(page)


def test_nothing_old_is_shown_beside_a_refusal(page: AppTest) -> None:
    give(page, table("0", "1"), "good.csv")
    give(page, b"label,score\n1,0.5\n1,0.6\n", "one.csv")
    assert "one.csv was not opened. You still work on good.csv: 60 predictions." in headline(page)
    assert sentences(page)[0].endswith("upload rows of both classes that have scores.")
    assert ways_on(page) == []
    assert len(page.dataframe) == 0
    give(page, table("0", "1"), "good.csv")
    assert_calm(page)
    assert ways_on(page) == ["See the ROC curve"]


def test_the_score_columns_of_the_file_before_are_none_of_one_that_is_refused(
    page: AppTest,
) -> None:
    give(page, b"label,score\n1,0.5\n1,0.6\n", "one.csv")
    # The browser may have yet to hear that the file is another one.
    page.session_state["control score columns"] = ["score of another file"]
    page.run()
    assert [str(error.message) for error in page.exception] == []
    assert sentences(page)[0].endswith("upload rows of both classes that have scores.")
    assert page.multiselect(key="control score columns").value == []


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
    assert_calm(page)
    shown = page.session_state["upload"].records
    (tmp_path / "p.csv").write_bytes(content)
    told = DataSource(predictions="p.csv", scale="percent", positive="died", negative="survived")
    read = open_source(told, tmp_path).load()
    assert read.y_true.tolist() == shown.y_true.tolist()
    assert read.y_score.tolist() == shown.y_score.tolist()
    page.switch_page("pages/roc/page.py").run()
    assert page.session_state[LATEST]["result"].config.data == told


def test_any_numbers_have_a_curve_and_no_calibration(page: AppTest) -> None:
    give(page, table("0", "1", "{:.1f}", 600))
    page.switch_page("pages/roc/page.py").run()
    assert_calm(page)
    page.switch_page("pages/calibration/page.py").run()
    assert_calm(page)
    assert "These scores are no probabilities" in headline(page)


def test_a_long_reading_shows_progress_and_can_be_cancelled(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click while the file is read ends the run; the next one shows what was open before."""
    give(page, table("0", "1"), "good.csv")
    seen: list[float] = []

    class Stopped(Exception):
        """What a click does to a run."""

    class Bar:
        def progress(self, share: float, text: str) -> None:
            assert text == "Reading slow.csv"
            seen.append(share)
            if len(seen) > 2:
                raise Stopped

    class Place:
        def container(self) -> object:
            return nullcontext()

    monkeypatch.setattr(uploads, "PATIENCE", 0.02)
    monkeypatch.setattr(uploads.st, "progress", lambda share: Bar())
    monkeypatch.setattr(uploads.st, "button", lambda *_, **__: False)
    begun = threading.Event()
    with pytest.raises(Stopped):
        uploads._wait(Place(), "slow.csv", lambda: begun.set() or time.sleep(1.0))
    assert begun.is_set()
    assert seen == sorted(seen)
    assert uploads._wait(Place(), "fast.csv", lambda: 7) == 7
    seen.clear()
    with pytest.raises(Stopped):
        uploads._wait(Place(), "slow.csv", lambda: time.sleep(1.0), lambda: 0.25)
    assert seen == [0.25] * 3


def test_every_part_of_the_sentence_can_be_pressed(page: AppTest) -> None:
    content = b"id,y,rf,lr,sex\n" + b"".join(
        b"%d,%d,0.%d,0.%d,%s\n" % (row, row % 2, row % 9, row % 7, b"fm"[row % 2 : row % 2 + 1])
        for row in range(60)
    )
    give(page, content)
    assert labels_of_popovers(page)[:6] == [
        "60 rows", "commas", "label y (1 = positive, 30 records)", "score rf and 1 more",
        "probabilities", "group sex",
    ]  # fmt: skip


def labels_of_popovers(page: AppTest) -> list[str]:
    """What stands on the buttons that open something."""
    found: list[str] = []

    def look(block: object) -> None:
        proto = getattr(block, "proto", None)
        if (opened := getattr(proto, "popover", None)) is not None and opened.label:
            found.append(opened.label)
        for child in getattr(block, "children", {}).values():
            look(child)

    look(page.main)
    return found


def test_what_may_be_read_wrongly_stands_before_a_picture_of_it(page: AppTest) -> None:
    give(page, b"label,score\n" + b"Y,0.9\nN,0.2\n" * 30 + b"maybe,0.1\n")
    shown = [one for one in page.main if one.type in ("html", "bidi_component")]
    warned = next(at for at, one in enumerate(shown) if "another class" in str(one.proto))
    assert warned < next(at for at, one in enumerate(shown) if one.type == "bidi_component")
