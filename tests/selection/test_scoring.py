"""From a matrix to scores: bounds are enforced row by row, and sensitivities follow them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore import Neighbors, SeededNoise
from dpcore.data.counting import FeatureCounts
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument
from dpcore.schema import encode
from dpcore.selection import select_features
from dpcore.selection.scoring import (
    RowBound,
    counted_points,
    feature_points,
    group_sizes,
    problem_of,
    scored_once,
    scored_records,
)
from tests.data.counting._tables import SCHEMA, people
from tests.models._records import SPACE


def test_counts_outside_and_inside_of_class_1() -> None:
    rows = csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    assert feature_points(rows, np.array([1, 0, 2])).tolist() == [[1, 1], [1, 1]]
    assert feature_points(rows, np.array([1, 1, 0])).tolist() == [[0, 2], [1, 1]]
    assert feature_points(rows, None).tolist() == [[2, 0], [2, 0]]


def test_a_counted_table_has_the_points_of_its_rows() -> None:
    frame = people(300)
    frame = frame[frame["ill"] != "?"]
    design = encode(frame, SCHEMA)
    table = FeatureCounts.from_frame(frame, SCHEMA)
    indicators = csr_array(design.matrix[:, 2:])
    np.testing.assert_array_equal(counted_points(table), feature_points(indicators, design.y))
    assert group_sizes(table).tolist() == [(design.y != 1).sum(), (design.y == 1).sum()]


ROWS = np.array([[1, 1, 1, 1], [1, 0, 0, 0], [0, 1, 1, 0]], dtype=float)

Y = np.array([1, 0, 1])


def records_of(
    bound: RowBound, score: str = "total-count", neighbors: str = "add-remove"
) -> object:
    return scored_records(
        ROWS, Y, score=score, space=None, bound=bound, neighbors=Neighbors.of(neighbors)
    )


def test_weighting_keeps_all_and_truncation_keeps_the_first() -> None:
    _, cut, _ = records_of(RowBound(most=2))  # type: ignore[misc]
    _, weighed, records = records_of(RowBound(most=2, how="weight"))  # type: ignore[misc]
    assert cut.tolist() == [2, 2, 1, 0]
    assert weighed.tolist() == [1.5, 1.5, 1.5, 0.5]
    # Three rows, none of which adds up to more than 2.
    assert records.points().sum() <= 2 * len(ROWS)


@pytest.mark.parametrize("neighbors, factor", [("add-remove", 1), ("replace", 2)])
@pytest.mark.parametrize("how", ["truncate", "weight"])
def test_the_problem_declares_what_the_bound_allows(how: str, neighbors: str, factor: int) -> None:
    _, scores, records = records_of(RowBound(most=2, how=how), neighbors=neighbors)  # type: ignore[misc]
    problem = problem_of(scores, records, top_k=1, threshold=None)
    assert problem.l1_sensitivity == 2 * factor
    assert problem.sensitivity == 1
    assert problem.monotone is (neighbors == "add-remove")
    assert problem.whole is (how == "truncate")


def test_a_bound_that_no_row_passes_leaves_counts_whole() -> None:
    _, scores, records = records_of(RowBound(most=9, how="weight"))  # type: ignore[misc]
    assert problem_of(scores, records, top_k=1, threshold=None).whole


def test_later_rows_are_not_read() -> None:
    _, scores, records = records_of(RowBound(max_rows=2), score="information-gain")  # type: ignore[misc]
    assert records.points().tolist() == [[1, 1], [0, 1], [0, 1], [0, 1]]
    assert scores.shape == (4,)
    _, counts, _ = records_of(RowBound(max_rows=2))  # type: ignore[misc]
    assert counts.sum() == 7, (
        "a count reads all rows: the bound would make neighbours differ by two"
    )


def test_rows_for_many_simulations_are_scored_anew_for_what_was_not_asked_last() -> None:
    rows = BoundedRows.of(np.eye(7)[:3], SPACE)
    told = {"score": "total-count", "space": SPACE, "neighbors": Neighbors.ADD_REMOVE}
    first = scored_once(rows, Y, bound=RowBound(), **told)
    assert scored_once(rows, Y, bound=RowBound(), **told) is first
    for y, bound in ((Y, RowBound(most=1)), (Y.copy(), RowBound())):
        found = scored_once(rows, y, bound=bound, **told)
        assert found is not first
        np.testing.assert_array_equal(found[1], scored_records(rows, y, bound=bound, **told)[1])  # type: ignore[arg-type]
    assert scored_once(np.eye(7)[:3], Y, bound=RowBound(), **told) is not found


def test_the_space_bounds_rows_too() -> None:
    rows = np.ones((3, 7))
    _, scores, records = scored_records(
        rows, Y, score="total-count", space=SPACE, bound=RowBound(), neighbors=Neighbors.ADD_REMOVE
    )
    assert records.public.bound == SPACE.max_indicators == 4
    assert scores.sum() == 12


@pytest.mark.parametrize(
    "arguments, name",
    [
        ({"score": "information-gain"}, "max_rows must be given"),
        ({"score": "difference-count", "y": None}, "y must be given"),
        ({"score": "difference-count", "y": [0, 1]}, "y must be one class for each"),
        ({"score": "difference-count", "y": ["canary"] * len(Y)}, "y must be whole numbers"),
        ({"row_bound": "clip", "max_nonzeros": 2}, "row_bound must be"),
        ({"max_nonzeros": 0}, "max_nonzeros must be"),
        ({"max_rows": 0}, "max_rows must be"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, object], name: str) -> None:
    defaults = {"y": Y, "method": "noisy-scores", "epsilon": 1, "top_k": 1}
    given = defaults | arguments | {"noise": SeededNoise(0)}
    with pytest.raises(InvalidArgument, match=f"^{name}") as refused:
        select_features(ROWS, **given)  # type: ignore[arg-type]
    assert "canary" not in str(refused.value)


@pytest.mark.parametrize("score", ["difference-count", "purity-index", "information-gain"])
def test_with_much_epsilon_the_best_feature_is_found(score: str) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    rows = (rng.random((400, 30)) < 0.2).astype(float)
    rows[:, 17] = y
    for how in ("truncate", "weight"):
        picked = select_features(
            csr_array(rows),
            y,
            method="one-shot",
            score=score,
            epsilon=10_000,
            top_k=1,
            max_rows=400,
            max_nonzeros=30,
            row_bound=how,
            noise=SeededNoise(0),
        )
        assert picked.selected.tolist() == [17]
