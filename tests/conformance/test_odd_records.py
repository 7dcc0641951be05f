"""One odd record of each kind, in each kind of column, through each reader and each door.

With the odd record or without it: no exception, no warning, no word of it, and all other records
count alike. What is compared is what enters the gate, exactly: it may differ by what the noise of
the mechanism is made for at most, and of rows by one row. All of it is read as with real noise;
that doors open with the system's noise itself is tried at the end.

In short, every kind of odd cell meets every column of a data frame and of a file, every type that
pandas gives a column and every reader. In full (`make test-slow`) each of them meets all others.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpcore.release
from dpcore import Ledger, Loss, SystemNoise
from dpcore.cli import main
from dpcore.data.reading import limited_process
from dpcore.errors import IntakeError
from dpcore.evaluation import (
    CellCounts,
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_ecdf,
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
)
from dpcore.evaluation.scores_of import scores_of
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.schema import Schema
from dpcore.schema.cells import texts
from tests.conformance._doors import (
    DOORS,
    OF_ARRAYS,
    OF_COUNTS,
    OF_SCORES,
    PAIRS,
    PLAIN,
    SCHEMA,
    Arrays,
    Doors,
    Exact,
    Read,
    by_arrow,
    by_dask,
    by_data_frame,
    by_desk,
    by_files,
    fit,
    fit_a_matrix,
    objects,
    rows,
    schema_of,
    select_in_a_pipeline,
    series,
    vectors,
)
from tests.conformance._odd_cells import (
    LINES,
    ODD,
    TELLING,
    parquet_column,
    spelled,
    stored,
    written,
)

# No type that would leave no plain record to be counted.
UNFIT = {"score": {"texts", "large numbers", "moments", "durations"}}
CASES = [
    (column, name)
    for column in PLAIN
    for name in ("its own", *PAIRS)
    if name not in UNFIT.get(column, set())
]
every_column = pytest.mark.parametrize("column", PLAIN)
in_full = pytest.mark.parametrize(
    "full", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["short", "full"]
)


def kinds(full: bool, turn: int, turns: int) -> list[str]:
    """All kinds of odd cells, or those whose turn it is."""
    return [name for place, name in enumerate(ODD) if full or (place + turn) % turns == 0]


# By reader, label and what was read: records that read alike share what doors let in, of whatever
# type they are, if their classes are sorted alike too.
_KNOWN: dict[tuple[Any, Any, bytes], Doors] = {}


def doors_of(reader: Any, entering: list[tuple[Any, Any]], plain: Read) -> Doors:
    asked = OF_COUNTS if reader is by_files else DOORS
    found = _KNOWN.setdefault(
        (reader, plain.schema.label, plain.as_bytes()), Doors(entering, asked, plain)
    )
    found.entering = entering
    return found


@pytest.fixture(autouse=True)
def silence(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing is raised, warned, logged or printed."""
    caplog.set_level(logging.DEBUG)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What is said of so few follows from what was released.
        warnings.filterwarnings("ignore", "the noise leaves")
        yield
    assert caplog.records == []
    assert tuple(capfd.readouterr()) == ("", "")


@pytest.fixture
def entering(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """What enters the gate with real noise; what leaves it is exact, so that it has no say."""
    entered: list[tuple[Any, Any]] = []
    released = dpcore.release.release

    def look(mechanism: Any, value: Any, *, noise: Any, **account: Any) -> Any:
        if not noise.simulated:
            entered.append((mechanism, value))
        return released(mechanism, value, noise=Exact(), **account)

    monkeypatch.setattr(dpcore.release, "release", look)
    return entered


@in_full
@pytest.mark.parametrize("column, pair", CASES)
def test_data_frames(column: str, pair: str, full: bool, entering: list[Any]) -> None:
    """Of each type that pandas gives a column, which one odd cell turns into another."""
    cells = PLAIN[column] if pair == "its own" else PAIRS[pair]
    schema = schema_of(column, texts(pd.Series(cells)))

    def read(*odd: Any) -> Read:
        table = rows(column, cells, *odd)
        return by_data_frame(
            pd.DataFrame({name: series(some) for name, some in table.items()}), schema
        )

    doors, pairs = (
        doors_of(by_data_frame, entering, read()),
        [name for of, name in CASES if of == column],
    )
    for name in kinds(full, pairs.index(pair) + list(PLAIN).index(column), len(pairs)):
        always = (fit,) if pair == "its own" and column != "score" else ()
        doors.alike(name, read(ODD[name]), always)


@in_full
@every_column
def test_dask(column: str, full: bool, entering: list[Any]) -> None:
    schema = schema_of(column, texts(pd.Series(PLAIN[column])))

    def read(*odd: Any) -> Read:
        table = rows(column, PLAIN[column], *odd)
        return by_dask(pd.DataFrame({name: series(some) for name, some in table.items()}), schema)

    with dask.config.set(scheduler="synchronous"):
        doors = doors_of(by_dask, entering, read())
        for name in kinds(full, list(PLAIN).index(column), len(PLAIN)):
            doors.alike(name, read(ODD[name]))


def csv_of(table: dict[str, list[bytes]]) -> bytes:
    lines = [
        ",".join(table).encode(),
        *(b",".join(row) for row in zip(*table.values(), strict=True)),
    ]
    return b"\n".join(lines) + b"\n"


def as_csv(column: str, *odd: bytes) -> bytes:
    table = rows(column, PLAIN[column], *odd)
    return csv_of(
        {
            name: [cell if isinstance(cell, bytes) else str(cell).encode() for cell in cells]
            for name, cells in table.items()
        }
    )


FILES = (by_files, by_desk)
of_files = pytest.mark.parametrize("reader", FILES)


@in_full
@every_column
@of_files
def test_csv(column: str, reader: Any, full: bool, tmp_path: Path, entering: list[Any]) -> None:
    """Also lines that stand in the way of what their other cells say."""
    schema, path = schema_of(column, texts(pd.Series(PLAIN[column]))), tmp_path / "some.csv"

    def read(*odd: bytes) -> Read:
        path.write_bytes(as_csv(column, *odd))
        return reader(path, schema)

    doors = doors_of(reader, entering, read())
    assert [name for name in ODD if written(name) is None] == ["mute object"]
    for name in kinds(full, 2 * FILES.index(reader) + list(PLAIN).index(column), 4):
        if written(name) is not None:
            doors.alike(name, read(written(name)))
    for name, line in LINES.items():
        doors.alike(name, read(line))


def parquet_of(column: str, kind: str, extra: list[Any]) -> pa.Table:
    type_, pair, _ = stored(kind)
    table = rows(column, pair, *extra)
    return pa.table(
        {
            name: parquet_column(type_, cells) if name == column else pa.array(cells)
            for name, cells in table.items()
        }
    )


@in_full
@every_column
@pytest.mark.parametrize("reader", [*FILES, by_arrow])
def test_parquet(
    column: str,
    reader: Any,
    full: bool,
    tmp_path: Path,
    entering: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where its type has a place for the odd cell, as a column of that type; or else of texts."""
    # In short without a process for each file: what it hands back is compared below.
    monkeypatch.setattr(limited_process, "_within", not full)
    path, plain = tmp_path / "some.parquet", dict[str, Doors]()

    def read(kind: str, schema: Schema, *extra: Any) -> Read:
        pq.write_table(parquet_of(column, kind, list(extra)), path)
        return reader(path, schema)

    # A table in memory is read in no time, and meets all kinds.
    turn, turns = (2 * FILES.index(reader), 4) if reader in FILES else (0, 1)
    for kind in kinds(full, turn + list(PLAIN).index(column) + 1, turns):
        if stored(kind) is None:
            continue
        type_, pair, odd = stored(kind)
        schema, key = schema_of(column, spelled(type_, pair)), f"{type_} {pair}"
        if key not in plain:
            plain[key] = doors_of(reader, entering, read(kind, schema))
            plain[key].alike(kind, read(kind, schema, None))
        plain[key].alike(kind, read(kind, schema, odd))


@every_column
def test_a_process_hands_odd_cells_back_as_they_were_read(
    column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that a Parquet file holds as texts, in one file."""
    path, plain = tmp_path / "some.parquet", rows(column, [b"12.50", b"free"])
    odd = [written(name) for name in ODD if written(name) is not None]
    table = pa.table(
        {
            name: parquet_column(pa.string(), [*cells, *odd])
            if name == column
            else pa.array([*cells, *cells[:1] * len(odd)])
            for name, cells in plain.items()
        }
    )
    pq.write_table(table, path)
    schema, said = schema_of(column, ["12.50", "free"]), []
    for within in (False, True):
        monkeypatch.setattr(limited_process, "_within", within)
        said.append(by_desk(path, schema).as_bytes())
    assert said[0] == said[1]


@of_files
def test_a_parquet_column_that_holds_no_cells(reader: Any, tmp_path: Path) -> None:
    """Is refused for its type, which is the file's; no record is odd there."""
    path, schema = tmp_path / "some.parquet", schema_of("number", ["0.25", "0.75"])
    for odd, pair in (([1, [2]][:1], [1]), ({"a": 1}, {"a": 2})):
        said = []
        for extra in ([], [odd]):
            table = rows("number", [pair, pair], *extra)
            pq.write_table(pa.table({name: pa.array(cells) for name, cells in table.items()}), path)
            with pytest.raises(IntakeError) as refused:
                reader(path, schema).as_bytes()
            said.append(str(refused.value))
        assert said[0] == said[1]


def test_arrays_of_features_and_labels(entering: list[Any]) -> None:
    """A cell alone is odd, or a label is, in every form of array."""
    records, labels = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]] * 2, [0, 1, 1, 0] * 2
    doors = Doors(entering, OF_ARRAYS, Arrays(np.array(records), labels))
    for name, odd in ODD.items():
        cells = [*records, [odd, 1.0]]
        held = np.stack([objects([row[place] for row in cells]) for place in (0, 1)], axis=1)
        frame = pd.DataFrame({"x": series(held[:, 0].tolist()), "z": held[:, 1]})
        for X in (held, frame):
            doors.alike(name, Arrays(X, [*labels, 0]), (fit_a_matrix,))
        for y in vectors([*labels, odd]):
            doors.alike(name, Arrays(np.array([*records, [0, 1]]), y), (select_in_a_pipeline,))


def test_arrays_of_labels_and_scores(entering: list[Any]) -> None:
    labels, scores = [0, 1, 1, 0] * 2, [0.2, 0.8, 0.4, 0.6] * 2
    grid = [0.25, 0.5, 1.0]

    def read(y: Any, p: Any) -> Read:
        return Read(SCHEMA, lambda: scores_of(y, p, None, simulated=False))

    doors = Doors(entering, OF_SCORES, read(labels, scores))
    before = CellCounts.from_values(scores, grid)
    for name, odd in ODD.items():
        for y in vectors([*labels, odd]):
            doors.alike(name, read(y, [*scores, 0.5]))
        for p in vectors([*scores, odd]):
            doors.alike(name, read([*labels, 1], p))
            counted = CellCounts.from_values(p, grid)
            assert np.abs(counted.counts - before.counts).sum() + counted.left_out == 1, name


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_doors_open_with_real_noise(neighbors: str) -> None:
    """All odd records at once, whole releases, the system's noise."""
    cells = list(ODD.values())
    table = {name: [*pair * 20, *cells] for name, pair in PLAIN.items()}
    frame = pd.DataFrame({name: objects(some) for name, some in table.items()})
    y, p = frame["label"], frame["score"]

    def account() -> dict[str, Any]:
        return {
            "ledger": Ledger(Loss(1), neighbors),
            "neighbors": neighbors,
            "noise": SystemNoise(),
        }

    for method in ("truncated-counts", "histogram"):
        told = account()
        fitted = DPNaiveBayes(1, method=method, schema=SCHEMA, **told).fit(frame, y)
        assert told["ledger"].spent == Loss(1)
        assert np.isfinite(fitted.predict_proba(frame)).all()
    told = account()
    fitted = DPLogisticRegression(1, schema=SCHEMA, **told).fit(frame, list(y))
    assert np.isfinite(fitted.predict_proba(frame)).all()
    asked = [(private_roc_curve, (y, p), {"pos_label": "yes"})]
    asked += [(private_calibration, (list(y), list(p)), {"pos_label": "yes"})]
    asked += [(private_ecdf, (p.to_numpy(),), {"grid": [0.5, 1.0]})]
    asked += [(private_auc, (y, list(p)), {"pos_label": "yes"})]
    asked += [(private_confusion_matrix, (y, p), {"pos_label": "yes", "threshold": 0.5})]
    asked += [(private_model_comparison, (list(y), p, p[::-1]), {"pos_label": "yes"})]
    by_label = {"pos_label": "yes", "levels": ["yes", "no"], "threshold": 0.5}
    asked += [(private_group_evaluation, (y, p, list(y)), by_label)]
    both = pd.concat([p, p[::-1].reset_index(drop=True)], axis=1)
    asked += [(private_macro_auc, (y, both), {"classes": ["yes", "no"]})]
    for release, records, facts in asked:
        told = account()
        release(*records, epsilon=1, **facts, **told)
        assert told["ledger"].spent == Loss(1)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_evaluate_quotes_nothing(suffix: str, tmp_path: Path) -> None:
    """The command on a file of all odd records at once: a report, and no word of any of them."""
    odd = [written(name) for name in ODD if written(name) is not None]
    table = {
        "y": [*[b"0", b"1"] * 20, *odd, *[b"1"] * len(odd)],
        "p": [*[b"0.25", b"0.75"] * 20, *[b"0.5"] * len(odd), *odd],
    }
    path = tmp_path / f"some.{suffix}"
    if suffix == "csv":
        path.write_bytes(csv_of(table))
    else:
        texts = {name: parquet_column(pa.string(), cells) for name, cells in table.items()}
        pq.write_table(pa.table(texts), path)
    told = "--label y --score p --positive 1 --epsilon 1 --quiet"
    told += " --curves roc,auc,threshold,ecdf,calibration"
    assert main(["evaluate", str(path), *told.split(), "--out", str(tmp_path / "out")]) == 0
    for file in (tmp_path / "out").iterdir():
        said = file.read_text()
        assert not [word for word in TELLING if word in said], file.name
