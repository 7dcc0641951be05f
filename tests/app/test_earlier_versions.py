"""What earlier versions have written still works: ledgers, releases, studies and links.

tests/fixtures/README.md says which versions, and how their files were written.
"""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.cli import main
from dpcore.desk import Released, canonical_digest, releases
from dpcore.study import from_json, run_workflow, to_json
from tests.app.opening import assert_calm, open_page
from tests.test_architecture import ROOT

# Python keeps a folder of its own beside them.
VERSIONS = sorted(path for path in (ROOT / "tests" / "fixtures").glob("[!_]*") if path.is_dir())
RELEASED = {"scores": Loss("0.5"), "table": Loss("0.5")}
every_version = pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)


@pytest.fixture
def opened(version: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder of a version: a ledger that is read notes something in its own.

    And a machine of its own: opened, a budget learns the bytes of its file, and on a machine that
    has seen that the next copy is an older one.
    """
    monkeypatch.setenv("DPCORE_STATE", str(tmp_path / "machine"))
    return Path(shutil.copytree(version, tmp_path / "earlier"))


def test_there_are_files_of_two_versions() -> None:
    assert len(VERSIONS) >= 2


@every_version
@pytest.mark.parametrize("name", RELEASED)
def test_a_release_is_shown_again_for_nothing(
    opened: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, ledger = opened / f"{name}.csv", opened / "ledger.sqlite"
    store, digest = LedgerStore(ledger), canonical_digest(file)
    left = store.remaining(digest)
    assert left == Loss("1.5").minus(RELEASED[name])
    schema = ["--schema", str(opened / "table.toml")] if name == "table" else []
    places = ["--store", str(ledger), "--out", str(opened / "again")]
    request = ["release", str(opened / f"request-{name}.json"), "--data", str(file)]
    assert main([*request, *schema, *places]) == 0
    said = capsys.readouterr().out
    assert "showing it again costs nothing" in said
    before = Released.from_json((opened / f"released-{name}" / "release.json").read_text())
    assert before.headline in said
    again = Released.from_json((opened / "again" / "release.json").read_text())
    assert again.document == before.document
    assert store.remaining(digest) == left


@every_version
def test_the_ledger_verifies_and_a_changed_row_does_not(opened: Path) -> None:
    ledger = str(opened / "ledger.sqlite")
    assert main(["ledger", "verify", "--store", ledger]) == 0
    assert main(["ledger", "verify", "--store", ledger, "--head", "0" * 64]) == 1


@every_version
@pytest.mark.parametrize("name", RELEASED)
def test_a_bundle_is_what_the_ledger_has_released(opened: Path, name: str) -> None:
    with zipfile.ZipFile(io.BytesIO((opened / f"released-{name}/bundle.zip").read_bytes())) as kept:
        held = {Path(one).name: kept.read(one) for one in kept.namelist()}
    bundled = Released.from_json(held["release.json"].decode())
    (stored,) = releases(
        LedgerStore(opened / "ledger.sqlite"), canonical_digest(opened / f"{name}.csv")
    )
    assert (stored.request_id, stored.headline) == (bundled.request_id, bundled.headline)
    assert stored.charges == bundled.charges
    assert [one.hash for one in stored.entries] == [one.hash for one in bundled.entries]
    assert {"reproduce.py", "reproduce.ipynb", "ledger.json"} <= set(held)


@pytest.mark.spanning
@pytest.mark.filterwarnings('ignore:"link" of a study:DeprecationWarning')
@every_version
@pytest.mark.parametrize("writer", ["app", "command-line"])
def test_a_study_runs_and_is_itself_when_it_is_written_again(version: Path, writer: str) -> None:
    text = (version / f"study-of-the-{writer}.json").read_text(encoding="utf-8")
    study = from_json(text)
    written, said = json.loads(to_json(study)), json.loads(text)
    # What the scores are was once told by how they are linked.
    for one in (written, said):
        one["data"].pop("link", None)
        one["data"].pop("scale", None)
    assert written == said
    assert 0.5 < run_workflow(study).roc.auc <= 1.0


@pytest.mark.spanning
@every_version
@pytest.mark.parametrize("page", ["roc", "calibration"])
def test_a_link_gives_its_settings(version: Path, page: str) -> None:
    link = json.loads((version / "links.json").read_text(encoding="utf-8"))[page]
    app = open_page(page, **link)
    assert_calm(app)
    shown = {name: str(value) for name, value in app.query_params.items()}
    assert {name: shown.get(name) for name in link} == link
