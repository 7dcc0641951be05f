"""Private files that lie on the server: nobody at a browser needs to have seen them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from dpcore.errors import IntakeError
from dpcore.study import DataSource
from pages.widgets import private_data, private_source
from tests.app.opening import sentences
from tests.app.private_visit import press, scores, visit

pytestmark = pytest.mark.usefixtures("private")


def test_files_on_the_server_are_found_in_its_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (tmp_path / "secret.csv").write_bytes(scores())
    monkeypatch.setenv("DPCORE_DATA_ROOT", str(folder))
    for name in ("../secret.csv", "/etc/passwd", "..", "", None):
        session = {"private where": "server", "private server file": name}
        monkeypatch.setattr(private_source, "st", SimpleNamespace(session_state=session))
        with pytest.raises(IntakeError) as told:
            private_source._content()
        assert str(tmp_path) not in str(told.value)


def test_a_file_on_the_server_is_opened_without_an_upload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scores.csv").write_bytes(scores())
    monkeypatch.setenv("DPCORE_DATA_ROOT", str(tmp_path))
    monkeypatch.setattr(private_data, "sleep", lambda seconds: None)
    app = visit("release_desk")
    app.segmented_control(key="private where").set_value("server").run()
    app.text_input(key="private positive").set_value("1").run()
    app.selectbox(key="private server file").set_value("scores.csv").run()
    app = press(app, "Open the data")
    assert sentences(app) == []
    assert "private data" in app.session_state


@pytest.mark.parametrize("moved", [{"above": 1}, {"comment": "lab"}])
def test_no_record_of_a_file_on_the_server_can_be_declared_to_be_its_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: dict[str, object]
) -> None:
    """Guesses at the cells of the first record would be answered one by one, for nothing."""
    (tmp_path / "scores.csv").write_bytes(b"label,score\n1,0.8137\n" + b"0,0.25\n" * 30)
    monkeypatch.setattr(private_data, "sleep", lambda seconds: None)
    answers = set()
    for guess in ("0.8137", "0.8138"):
        source = DataSource(predictions="data", label="1", score=guess, positive="1", **moved)
        with pytest.raises(IntakeError) as told:
            private_data.take(tmp_path / "scores.csv", source, None, unseen=True)
        answers.add(str(told.value))
    assert len(answers) == 1
    headless = DataSource(
        predictions="data", label="column_1", score="column_2", positive="1", above=1, header=False
    )
    opened: dict[str, object] = {}
    monkeypatch.setattr(private_data, "st", SimpleNamespace(session_state=opened))
    private_data.take(tmp_path / "scores.csv", headless, None, unseen=True)
    assert opened["private data"].records.y_score.tolist() == [0.8137, *[0.25] * 30]
