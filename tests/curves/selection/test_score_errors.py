"""What selections miss as c grows: the order of the methods, and the order of the items."""

from __future__ import annotations

import gzip
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.curves.selection.score_errors import (
    ErrorPlan,
    ItemCounts,
    contenders,
    example,
    read_item_counts,
    score_errors,
    zipf,
)
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.selection import selectors
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


ALL = contenders()


def test_every_contender_is_a_proven_selector_with_parameters_of_its_own() -> None:
    for one in ALL.values():
        method = selectors()[one.method]
        assert method.guarantee.holds
        assert set(dict(one.parameters)) <= {parameter.name for parameter in method.parameters}
    assert len({one.title for one in ALL.values()}) == len(ALL)


def test_the_order_of_the_paper_and_ours_before_it() -> None:
    chosen = [ALL[key] for key in ("dpbook", "svt-1-1", "em", "best")]
    cells = score_errors(zipf(2_000), ErrorPlan(contenders=chosen, cuts=(50,), runs=5))
    errors = [cells[one.key, 50].score_error.mean() for one in chosen]
    # Seen: .97, .94, .12 and .08.
    assert errors[3] < errors[2] < 0.5 < errors[1]
    assert errors[0] > 0.5


def test_much_epsilon_misses_nothing_by_either_measure() -> None:
    plan = ErrorPlan(contenders=list(ALL.values()), cuts=(5,), epsilon=Fraction(500), runs=1)
    for cell in score_errors(zipf(60), plan).values():
        assert cell.score_error.max() == 0.0
        assert cell.false_negatives.max() == 0.0


def test_cuts_beyond_the_items_are_left_out() -> None:
    plan = ErrorPlan(contenders=[ALL["em"]], cuts=(5, 10, 25), epsilon=Fraction(1), runs=1)
    assert set(score_errors(zipf(10), plan)) == {("em", 5)}


def test_a_change_of_one_setting_computes_only_its_own_cells() -> None:
    kept: dict = {}
    told: list[float] = []
    items = zipf(100)
    once = ErrorPlan(contenders=[ALL["em"], ALL["best"]], cuts=(5, 10), runs=2)
    score_errors(items, once, kept=kept)
    more = ErrorPlan(contenders=[*once.contenders, ALL["one-shot"]], cuts=(5, 10), runs=2)
    score_errors(items, more, kept=kept, progress=told.append)
    # Four runs in all of the method that is new, and eight of each other set of counts.
    assert len(told) == 4
    other = ItemCounts("other", items.counts + 1.0)
    score_errors(other, once, kept=kept, progress=told.append)
    assert len(told) == 12


def test_a_seed_repeats_the_run_and_another_does_not() -> None:
    def errors(seed: int) -> list[float]:
        plan = ErrorPlan(contenders=[ALL["em"]], cuts=(30,), runs=3, seed=seed)
        return score_errors(zipf(300), plan)["em", 30].score_error.tolist()

    assert errors(1) == errors(1)
    assert errors(1) != errors(2)
    assert len(set(errors(1))) > 1


@pytest.mark.parametrize("wrong", [{"runs": 0}, {"epsilon": Fraction(0)}])
def test_nonsense_is_refused(wrong: dict) -> None:
    with pytest.raises(InvalidArgument):
        ErrorPlan(contenders=[ALL["em"]], **wrong)
