"""The data page: files on the server, shown only if the operator allowed a folder."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.data.reading.samples import ENVIRONMENT_NAME
from dpcore.errors import DataError
from pages.data.sources import WHOLE
from pages.session import open_data
from pages.widgets import uploads
from tests.app import test_compare_page, test_python_code
from tests.app.opening import assert_calm, html, open_page, sentences
from tests.data.counting._files import parquet_files, predictions


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "shared"
    (root / "june").mkdir(parents=True)
    parquet_files(root / "june", predictions(3000))
    (root / "bad.csv").write_text("label,score\nyes,high\nno,0.1\n")
    (root / "people.csv").write_text("age,y\n" + "30,yes\n41,no\n" * 40)
    monkeypatch.setenv(ENVIRONMENT_NAME, str(root))
    return root


def on_the_server() -> AppTest:
    app = open_page("data")
    return app.segmented_control(key="control source").set_value("Server").run()


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def test_without_a_folder_there_is_no_such_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT_NAME, raising=False)
    app = open_page("data")
    assert "Server" not in app.segmented_control(key="control source").options


def test_a_folder_of_predictions_is_opened(root: Path) -> None:
    app = on_the_server()
    app.selectbox(key="server inner folder ").set_value("june").run()
    app = press(app, "Open")
    assert_calm(app)
    assert "june: 3,000 predictions" in html(app)


def test_a_folder_can_be_left_in_the_middle_of_a_file_and_what_was_open_stays(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No further file is read then, and nobody takes what was found."""
    begun, left, ended = threading.Event(), threading.Event(), threading.Event()

    def read(paths: list[Path], progress: Callable[[float], None], **_: object) -> None:
        assert [path.parent.name for path in paths] == ["june"] * len(paths)
        progress(0.5)
        begun.set()
        left.wait(10)
        with pytest.raises(InterruptedError):
            progress(0.6)
        ended.set()

    def leave(place: object, name: str, work: Callable[[], object], share: object) -> None:
        threading.Thread(target=work).start()
        assert begun.wait(10)
        assert (name, share()) == ("june", 0.5)
        raise DataError("a click", remedy="")

    monkeypatch.setattr(open_data, "read_prediction_files", read)
    monkeypatch.setattr(uploads, "_wait", leave)
    app = on_the_server()
    app.selectbox(key="server inner folder ").set_value("june").run()
    app = press(app, "Open")
    left.set()
    assert ended.wait(10)
    assert "upload" not in app.session_state
    assert "june was not opened. You still work on" in html(app)


def test_a_table_is_opened(root: Path) -> None:
    app = on_the_server()
    app.segmented_control(key="server kind").set_value("a table").run()
    app.selectbox(key="server file a table ").set_value("people.csv").run()
    app = press(app, "Open")
    assert "people.csv: 80 records, 2 columns" in html(app)


def test_one_file_of_predictions_is_changed_where_it_is_said_how_it_was_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same pickers as an upload, and the same wait that a click ends."""
    rows = "".join(f"{at % 2},{at % 7 / 7},{at % 5 / 5}\n" for at in range(60))
    (root / "scores.csv").write_text(f"died,forest,boosting\n{rows}")
    waited: list[str] = []
    monkeypatch.setattr(
        uploads, "_wait", lambda place, name, read, share: (waited.append(name), read())[1]
    )
    app = on_the_server()
    app.selectbox(key="server file predictions ").set_value("scores.csv").run()
    app = press(app, "Open")
    assert_calm(app)
    app.multiselect(key="control score columns").set_value(["boosting"]).run()
    assert_calm(app)
    assert app.session_state["upload"].records.columns == ("died", "boosting")
    app.segmented_control(key="control score scale").set_value("percent").run()
    assert_calm(app)
    app.segmented_control(key="server kind").set_value("a table").run()
    app.selectbox(key="server file a table ").set_value("people.csv").run()
    assert "people.csv: 80 records" in html(press(app, "Open"))
    assert waited == ["scores.csv"] * 3 + ["people.csv"]


def test_what_cannot_be_read_is_one_sentence_and_what_was_open_stays(root: Path) -> None:
    app = on_the_server()
    app.selectbox(key="server file predictions ").set_value("bad.csv").run()
    app = press(app, "Open")
    assert any("every label is" in sentence for sentence in sentences(app))
    assert "bad.csv was not opened. You still work on " in html(app)


def test_a_root_that_is_no_folder_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT_NAME, "/no/such/folder")
    app = on_the_server()
    assert any("names no folder" in sentence for sentence in sentences(app))


@pytest.mark.few(3)
@pytest.mark.parametrize("page", sorted(test_python_code.PAGES.keys() - {"model"}))
def test_lines_of_several_files_give_the_numbers_of_a_page(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two models and three groups, in percent or not, with either class as the positive one."""
    root = tmp_path / "shared"
    root.mkdir()
    table = test_compare_page.rows()
    backwards = page in {"roc", "calibration"}
    if backwards:
        table["Outcome"] = table["Outcome"].map({"yes": "no", "no": "yes"})
    if page in {"overview", "roc", "compare"}:
        table[[*test_compare_page.MODELS]] *= 100.0
    for name, part in (("june.csv", table[:1300]), ("may.csv", table[1300:])):
        part.to_csv(root / name, sep=";", decimal=",", index=False)
    monkeypatch.setenv(ENVIRONMENT_NAME, str(root))
    app = on_the_server()
    app.selectbox(key="server file predictions ").set_value(WHOLE).run()
    app = press(app, "Open")
    if backwards:
        app = press(app, "Count “no” as positive")
    counted = test_python_code.run(test_python_code.code(app), root, monkeypatch)
    assert "server folder" not in counted["text"]
    assert counted["table"].y_true.size == len(table)
    app = app.switch_page(f"pages/{page}/page.py").run()
    assert_calm(app)
    text = test_python_code.code(app)
    assert "server folder" not in text
    # Of the groups it says more.
    left = test_python_code.run(text, root, monkeypatch, lines=test_python_code.LINES + 4)
    test_python_code.the_same(app, left, test_python_code.PAGES[page])
