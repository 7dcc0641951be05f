"""Item counts: Zipf's law, the example, and what people upload."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.curves.selection.item_counts import example, read_item_counts, zipf
from dpcore.errors import IntakeError
from tests._real_data import real_data_folder


def test_zipf_is_that_of_the_paper() -> None:
    counts = zipf().counts
    assert counts.size == 10_000
    assert counts.sum() == pytest.approx(1_000_000, rel=0.01)
    assert counts[0] / counts[9] == pytest.approx(10, rel=0.001)


def test_the_example_is_small_and_falls() -> None:
    counts = example().counts
    assert counts.size == 20
    assert (np.diff(counts) < 0).all()


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=30))
def test_a_table_is_sorted_whatever_its_order(counts: list[int]) -> None:
    text = "item,count\n" + "".join(f"item-{i},{count}\n" for i, count in enumerate(counts))
    found = read_item_counts(text.encode(), "t.csv")
    assert found.counts.tolist() == sorted(map(float, counts), reverse=True)


def test_a_column_called_support_is_found_and_else_the_last_is_taken() -> None:
    named = read_item_counts(b"support,item\n5,11\n7,12\n", "a.csv")
    last = read_item_counts(b"item;how often\nx;3\ny;8\n", "a.csv")
    assert named.counts.tolist() == [7.0, 5.0]
    assert last.counts.tolist() == [8.0, 3.0]
    assert named.digest != last.digest


def test_compressed_files_are_read() -> None:
    found = read_item_counts(gzip.compress(b"item,count\na,1\nb,2\n"), "a.csv.gz")
    assert found.counts.tolist() == [2.0, 1.0]


@pytest.mark.parametrize(
    "text, says",
    [
        ("item,count\na,1\n", "no two items"),
        ("item,count\na,1\nb,many\n", "row 2, column 'count': this is no count"),
        ("item,count\na,-4\nb,2\n", "row 1, column 'count': this is no count"),
    ],
)
def test_what_is_no_count_is_refused_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(IntakeError, match=says):
        read_item_counts(text.encode(), "a.csv")


def test_the_counts_of_a_real_store_are_read() -> None:
    path = real_data_folder() / "retail_item_counts.csv.gz"
    if not path.is_file():
        pytest.skip("the retail counts are absent")
    assert read_item_counts(path.read_bytes(), path.name).counts.sum() == 908_576
