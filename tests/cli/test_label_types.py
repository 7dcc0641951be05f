"""Labels that could never be found are refused by what files declare, and never by a row."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore.cli.label_types import assumed, check_labels
from dpcore.cli.program import UsageError

KINDS = {
    "int8": pa.array([0, 1], pa.int8()),
    "float": pa.array([0.0, None]),
    "decimal": pa.array([Decimal("1.0"), None]),
    "bool": pa.array([True, False]),
    "codes": pa.array([0, 1]).dictionary_encode(),
    "text": pa.array(["no", "yes"]),
    "digits": pa.array(["0", "1"]),
    "words": pa.array(["no", "yes"]).dictionary_encode(),
    "bytes": pa.array([b"0", b"1"]),
    "days": pa.array([0, 1], pa.date32()),
    "nothing": pa.nulls(2),
}
NUMBERS = ("int8", "float", "decimal", "bool", "codes")


@pytest.fixture
def file(tmp_path):
    """Writes a column of labels and returns its path."""

    def file(kind: str, name: str = "a.parquet"):
        pq.write_table(pa.table({"y": KINDS[kind]}), tmp_path / name)
        return tmp_path / name

    return file


@pytest.mark.parametrize("kind", [*NUMBERS, "nothing"])
@pytest.mark.parametrize("positive", [None, "1", "1.0", "true"])
def test_numbers_need_no_positive_label(file, kind, positive):
    check_labels([file(kind)], "y", positive=positive)


@pytest.mark.parametrize("kind", ["text", "digits", "words", "bytes", "days"])
def test_any_other_type_needs_one(file, kind):
    path = file(kind)
    with pytest.raises(UsageError, match=r"column 'y' of a\.parquet holds .*--positive yes"):
        check_labels([path], "y", positive=None)
    check_labels([path], "y", positive="1")
    check_labels([path], "y", positive="yes", negative="no")
    with pytest.raises(UsageError, match=r"--positive yes"):
        check_labels([path], "y.truth", positive=None)


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("label", ["yes", "007", "inf", ""])
def test_a_text_is_no_label_of_numbers(file, kind, label):
    path = file(kind)
    with pytest.raises(UsageError, match="holds numbers, .* give --positive a number"):
        check_labels([path], "y", positive=label)
    with pytest.raises(UsageError, match="give --negative a number"):
        check_labels([path], "y", positive="1", negative=label)


def test_of_several_files_the_one_at_fault_is_named(file):
    paths = [file("int8", "one.parquet"), file("text", "two.pq")]
    with pytest.raises(UsageError, match=r"two\.pq holds cells of type"):
        check_labels(paths, "y", positive=None)
    with pytest.raises(UsageError, match=r"one\.parquet holds numbers"):
        check_labels(paths, "y", positive="yes")
    # 1 and "1" are one label, so that such files go together.
    check_labels(paths, "y", positive="1", negative="0")


@pytest.mark.parametrize("rows", ["1\n0\n", "yes\nno\n", "", "1\nyes\n"])
def test_of_text_no_row_decides_what_is_said(tmp_path, rows):
    path = tmp_path / "a.csv"
    path.write_text(f"y\n{rows}")
    for label in (None, "1", "yes"):
        check_labels([path], "y", positive=label, negative="no")
    assert assumed([path], "y", positive=None).startswith("rows whose 'y' is 1 count as positive")
    assert assumed([path], "y", positive="yes") is None


def test_where_types_tell_nothing_need_be_said(file):
    assert assumed([file("int8")], "y", positive=None) is None
