"""Generated problems and tables of the user's own."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.curves.holdout.problem import MOST_VARIABLES, HoldoutSettings, divided, generated
from dpcore.errors import InvalidArgument


def test_defaults_are_those_of_the_published_experiment():
    default = HoldoutSettings()
    rows = default.train_rows, default.test_rows, default.fresh_rows
    assert rows == (1000, 1000, 10_000)
    assert (default.variables, default.signal, default.threshold) == (110, 10, 0.04)


@pytest.mark.parametrize(
    "name, value",
    [
        ("seed", -1),
        ("train_rows", 19),
        ("test_rows", 0),
        ("fresh_rows", 10_000_000),
        ("variables", 0),
        ("signal", 111),
        ("strength", -0.1),
        ("steps", 0),
        ("threshold", 1.1),
        ("sigma", 0.0),
        ("budget", 0),
        ("tolerance", -1.0),
    ],
)
def test_what_cannot_be_is_named(name, value):
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        HoldoutSettings(**{name: value})


def test_a_problem_that_would_not_fit_is_refused():
    with pytest.raises(InvalidArgument, match="rows × variables"):
        HoldoutSettings(fresh_rows=1_000_000, variables=2000)


def test_a_generated_problem_has_signal_where_it_says():
    settings = HoldoutSettings(train_rows=20_000, variables=12, signal=3, strength=0.5)
    problem = generated(settings)
    X, y = problem.train.X, problem.train.y
    gaps = X[:, y].mean(axis=1) - X[:, ~y].mean(axis=1)
    assert np.allclose(gaps[problem.signal], 0.5, atol=0.08)
    assert np.allclose(gaps[~problem.signal], 0.0, atol=0.08)
    assert problem.signal.sum() == 3
    assert problem.large_test.size == 10 * problem.test.size


def test_the_larger_test_set_is_drawn_when_somebody_asks_for_it():
    small = HoldoutSettings(train_rows=50, test_rows=20, fresh_rows=60, variables=4, signal=1)
    problem = generated(small)
    assert "large_test" not in vars(problem)
    large = problem.large_test
    assert problem.large_test is large
    # It comes last, so that the others are what they are without it.
    assert np.array_equal(problem.fresh.X, generated(small).fresh.X)
    assert np.array_equal(large.X, generated(small).large_test.X)


def test_the_seed_settles_the_problem():
    small = {"train_rows": 50, "test_rows": 20, "fresh_rows": 60, "variables": 4, "signal": 1}
    one, same, other = (generated(HoldoutSettings(seed=seed, **small)) for seed in (1, 1, 2))
    assert np.array_equal(one.fresh.X, same.fresh.X)
    assert not np.array_equal(one.fresh.X, other.fresh.X)


def table(rows, columns=3):
    numbers = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    return numbers, np.arange(rows) % 2 == 0, tuple(f"c{place}" for place in range(columns))


@pytest.mark.parametrize(
    "rows, sizes",
    [
        (60, (20, 20, 20, 0)),
        (569, (189, 189, 191, 0)),
        (4200, (1000, 1000, 2200, 0)),
        (14_000, (1000, 1000, 2000, 10_000)),
        (40_000, (1000, 1000, 10_000, 10_000)),
    ],
)
def test_every_record_is_dealt_once(rows, sizes):
    X, y, names = table(rows)
    problem = divided(X, y, names, HoldoutSettings())
    parts = [problem.train, problem.test, problem.fresh]
    parts += [problem.large_test] if problem.large_test else []
    assert [part.size for part in parts] == [size for size in sizes if size]
    dealt = np.concatenate([part.X[0] for part in parts])
    assert np.unique(dealt).size == sum(sizes)
    # A record keeps its label.
    assert all(np.array_equal(part.X[0] % 2 == 0, part.y) for part in parts)


def test_a_very_wide_table_is_cut_down_by_its_training_records():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 600)), rng.random(300) < 0.5
    X[:, 577] += 3.0 * y
    names = tuple(f"c{place}" for place in range(600))
    problem = divided(X, y, names, HoldoutSettings())
    assert len(problem.names) == problem.train.X.shape[0] == MOST_VARIABLES
    assert "c577" in problem.names


@pytest.mark.parametrize("case", ["few", "empty", "one class"])
def test_a_table_that_is_not_enough_is_refused(case):
    X, y, names = table(59 if case == "few" else 100)
    if case == "empty":
        X, names = X[:, :0], ()
    if case == "one class":
        y = np.ones_like(y)
    with pytest.raises(InvalidArgument, match="^data must be"):
        divided(X, y, names, HoldoutSettings())
