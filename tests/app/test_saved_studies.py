"""A study that is saved reads its file as the page did: same records, same labels, same scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import issparse

from dpcore.data.reading import (
    Predictions,
    read_and_suggest,
    read_dataset,
    read_predictions,
    samples,
)
from dpcore.data.reading.dialect import Stated
from dpcore.errors import IntakeError, MissingResource
from dpcore.schema import Schema, encode
from dpcore.study import Dataset, Workflow, from_json, to_json
from dpcore.study.sources import open_source
from pages.session.open_data import Opened
from pages.session.study import _source
from pages.widgets import schema_table
from tests.data.reading.corpus_predictions import predictions
from tests.data.reading.corpus_tables import tables
from tests.data.reading.test_declared_forms import workbook


def reopened(opened: Opened, content: bytes, folder: Path) -> Dataset | Predictions:
    """What the saved study opens, its JSON written and read again."""
    source = _source(opened)
    assert source is not None
    source = from_json(to_json(Workflow(data=source))).data
    (folder / opened.title).write_bytes(content)
    if source.schema:
        assert isinstance(opened.records, Dataset)
        (folder / source.schema).write_text(opened.records.schema.to_toml())
    return open_source(source, folder).load()


def same_tables(opened: Opened, content: bytes, folder: Path) -> None:
    again = reopened(opened, content, folder)
    assert isinstance(opened.records, Dataset)
    assert isinstance(again, Dataset)
    first, second = (encode(one.frame, one.schema) for one in (opened.records, again))
    matrices = [one.matrix.toarray() if issparse(one.matrix) else one.matrix
                for one in (first, second)]  # fmt: skip
    # A study is read row by row, sums below the table too; the page says so.
    sums = sum("count every row" in one.sentence for one in opened.records.problems)
    assert len(again.frame) == len(opened.records.frame) + sums
    np.testing.assert_array_equal(matrices[0], matrices[1][: len(first.y)])
    np.testing.assert_array_equal(first.y, second.y[: len(first.y)])


def open_table(content: bytes, stated: Stated | None = None) -> Opened:
    upload, schema = read_and_suggest(content, stated=stated or Stated())
    records = Dataset(upload.frame, schema, upload.digest, upload.problems)
    return Opened("table.csv", records, True, dialect=upload.dialect)


@pytest.mark.parametrize("case", tables(), ids=lambda case: case.name)
def test_tables_of_the_corpus(case, tmp_path: Path) -> None:
    try:
        opened = open_table(case.content)
    except IntakeError:
        pytest.skip("needs help")
    assert isinstance(opened.records, Dataset)
    if opened.records.schema.has_label:
        same_tables(opened, case.content, tmp_path)


def test_a_sample_with_another_schema_names_no_file_but_that_schema(tmp_path: Path) -> None:
    sample = samples()["heart-risk"]
    text = sample.schema().to_toml()
    wider = text.replace("[30, 75]", "[20, 90]").replace("[\n    30,", "[\n    20,")
    assert wider != text
    records = Dataset(sample.frame(), Schema.from_toml(wider), "sample:heart-risk")
    opened = Opened(sample.title, records, True)
    source = _source(opened)
    assert source is not None
    assert (source.sample, source.file, source.schema) == ("heart-risk", None, "schema.toml")
    same_tables(opened, b"", tmp_path)
    (tmp_path / "schema.toml").unlink()
    with pytest.raises(MissingResource, match=r"schema\.toml"):
        open_source(source, tmp_path)


@pytest.mark.few(15)
@pytest.mark.parametrize("case", predictions(), ids=lambda case: case.name)
def test_predictions_of_the_corpus(case, tmp_path: Path) -> None:
    read = read_predictions(case.content, leave_out=True)
    again = reopened(Opened("scores.csv", read, True), case.content, tmp_path)
    assert isinstance(again, Predictions)
    np.testing.assert_array_equal(read.y_true, again.y_true)
    np.testing.assert_allclose(read.y_score, again.y_score, atol=1e-12)


ROWS = [["age", "ill"], *([30 + k, k % 2] for k in range(20))]
TITLED = [["Ward 7", None], [], ["May\n2024"], *ROWS]


@pytest.mark.parametrize(
    "content, above",
    [
        (b"Ward 7\n\nMay\nage,ill\n" + b"30,no\n41,yes\n22,no\n" * 9, 3),
        (b"\n# by hand\r\nWard\r7\r\n# too\r\nMay\r\na;ill\r\n" + b"30;no\r\n41;yes\r\n" * 9, 6),
        (workbook([TITLED[0], *ROWS]), 1),
        (workbook(TITLED), 3),
    ],
)
def test_lines_above_a_table_are_declared_in_the_study(content, above, tmp_path: Path) -> None:
    opened = open_table(content)
    source = _source(opened)
    assert source is not None
    assert source.above == above
    assert isinstance(opened.records, Dataset)
    declared = read_dataset(content, schema=opened.records.schema, dialect=source.dialect)
    again = encode(declared.frame, opened.records.schema)
    np.testing.assert_array_equal(encode(opened.records.frame, opened.records.schema).y, again.y)
    same_tables(opened, content, tmp_path)


ODD = b"# by hand\nscore;'grade'\n'1,5';3\n-9;7\n'2,5';8\n" + b"1,25;2\n3,5;9\n" * 30


def test_what_was_stated_and_a_cut_are_in_the_study(tmp_path: Path) -> None:
    stated = Stated(missing=("-9",), comment="#", quote="'", decimal=",", delimiter=";")
    opened = open_table(ODD, stated)
    records = opened.records
    assert isinstance(records, Dataset)
    schema = schema_table.with_label(records.schema, "grade", records.frame)
    schema = schema_table.with_positive(schema, "at least 8", records.frame)
    assert schema.label.cut == 8.0
    assert Schema.from_toml(schema.to_toml()) == schema
    opened = Opened("table.csv", Dataset(records.frame, schema, "x"), True, dialect=opened.dialect)
    source = _source(opened)
    assert source is not None
    assert (source.missing, source.comment, source.quote) == (("-9",), "#", "'")
    same_tables(opened, ODD, tmp_path)
    positives = encode(records.frame, schema).y
    assert positives is not None
    assert positives.sum() == 31
