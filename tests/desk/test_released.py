"""Stored releases, as a page shows them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.desk import Released, bundle, release, releases, table_csv
from dpcore.errors import DataError
from tests.desk._made import WHAT, of_predictions, of_table, predictions, table
from tests.store._children import environment


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Released]:
    store = LedgerStore(tmp_path_factory.mktemp("bundle") / "ledger.sqlite")
    store.open_budget("table", Loss(9))
    for what in WHAT:
        release(of_table(what), table(), store)
    return {one.kind.name: one for one in releases(store)}


@pytest.mark.few(3)
@pytest.mark.parametrize("what", WHAT)
def test_equal_releases_give_equal_bytes(released: dict[str, Released], what: str) -> None:
    packed = bundle(released[what])
    assert bundle(Released.from_json(released[what].to_json())) == packed
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = sorted(name.partition("/")[2] for name in archive.namelist())
        expected = ["README.txt", "ledger.json", "release.json"]
        assert names == sorted([*expected, "reproduce.ipynb", "reproduce.py", f"{what}.csv"])
        content = b"".join(archive.read(name) for name in archive.namelist())
        (readme,) = (archive.read(name) for name in archive.namelist() if name.endswith(".txt"))
    listed = [line for line in readme.decode().splitlines() if line.startswith("  ")]
    assert {line.rfind("  ") + 2 for line in listed} == {22}
    assert b"secret-name" not in content


@pytest.mark.parametrize("what", WHAT)
def test_no_time_of_day_is_published(released: dict[str, Released], what: str) -> None:
    """How long a release took depends on the records; whoever gets a bundle watched no clock."""
    with zipfile.ZipFile(io.BytesIO(bundle(released[what]))) as archive:
        texts = {Path(name).name: archive.read(name).decode() for name in archive.namelist()}
    assert not [name for name, text in texts.items() if re.search(r"\d\d:\d\d:\d\d", text)]
    rows = json.loads(texts["ledger.json"])
    assert rows == json.loads(texts["release.json"])["ledger"]
    assert {date.fromisoformat(row["moment"]) for row in rows} == {rows_day(released[what])}


def rows_day(release: Released) -> date:
    """The day of every row, as the ledger has it."""
    (day,) = {datetime.fromisoformat(row.moment).date() for row in release.entries}
    return day


@pytest.mark.parametrize("what", WHAT)
def test_tables_are_rectangular_and_hold_no_formula(
    released: dict[str, Released], what: str
) -> None:
    header, *rows = csv.reader(io.StringIO(table_csv(released[what])))
    assert rows
    assert {len(row) for row in rows} == {len(header)}
    cells = {cell for row in rows for cell in row if not is_number(cell)}
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_a_formula_in_a_name_is_quoted(released: dict[str, Released]) -> None:
    changed = json.loads(released["features"].to_json())
    features = changed["release"]["result"]["features"]
    features["all"] = ["=cmd()", *features["all"][1:]]
    assert "'=cmd()" in table_csv(Released.from_json(json.dumps(changed)))


def test_script_and_notebook_show_the_release_again(
    released: dict[str, Released], tmp_path: Path
) -> None:
    one = released["roc"]
    with zipfile.ZipFile(io.BytesIO(bundle(one))) as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    notebook = json.loads((folder / "reproduce.ipynb").read_text())
    code = "".join(cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code")
    (folder / "cell.py").write_text(code)
    # Both in one process, because importing takes most of the time.
    both = "import runpy; runpy.run_path('reproduce.py'); runpy.run_path('cell.py')"
    shown = subprocess.run(
        [sys.executable, "-c", both],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.count(one.headline) == 2
    assert shown.stdout.count(str(one.total)) >= 2


@pytest.mark.few(3)
@pytest.mark.parametrize("what", WHAT)
def test_json_goes_both_ways(store: LedgerStore, what: str) -> None:
    found = release(of_table(what), table(), store)
    back = Released.from_json(found.to_json())
    assert back.to_json() == found.to_json()
    assert (back.headline, back.total, back.moment) == (found.headline, found.total, found.day)
    assert back.result is not None
    assert back.charges == found.charges


def test_notices_say_what_a_showing_costs(store: LedgerStore) -> None:
    first = release(of_predictions(), predictions(), store)
    again = release(of_predictions(), predictions(), store)
    # Now and then the noise leaves everything possible, and more is said of it.
    assert first.notice.startswith("Released for epsilon 0.5.")
    assert again.notice.startswith("Stored on 2")
    assert "showing it again costs nothing." in again.notice


def test_releases_are_listed_by_data_set(store: LedgerStore) -> None:
    one = release(of_predictions(), predictions(), store)
    other = release(of_table("features"), table(), store)
    assert [found.request_id for found in releases(store)] == [one.request_id, other.request_id]
    assert [found.request_id for found in releases(store, "table")] == [other.request_id]
    assert {row.kind for row in releases(store)[0].entries} == {"charge", "release"}


@pytest.mark.parametrize("text", ["", "{}", '{"format": "dpcore release 9"}', "[1]"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(DataError, match="not an exported release of the desk"):
        Released.from_json(text)
