"""What selections miss as c grows: the order of the methods, and the order of the items."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcore.curves.selection.item_counts import ItemCounts, zipf
from dpcore.curves.selection.score_errors import ErrorPlan, contenders, score_errors
from dpcore.errors import InvalidArgument
from dpcore.selection import selectors

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
