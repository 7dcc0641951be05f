"""Record numbers are told from measurements."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcore.data.reading.identity import all_distinct, is_identifier, mean_words, names_a_person

RANDOM = np.random.default_rng(5)


def column(values: object, name: str = "a") -> pd.Series:
    return pd.Series(values, name=name)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    "cells, expected",
    [
        (column(range(20)), True),
        (column(range(40, 20, -1)), True),
        (column(range(19)), False),
        (column(RANDOM.permutation(30) * 3), False),
        (column(RANDOM.permutation(100)), True),
        (column([5, 9, 2], "ID"), True),
        (column([5, 9, 2], "row id"), True),
        (column([5, 9, 2], "patient_nbr"), True),
        (column([5, 9, 9], "id"), False),
        (column([5, 9, 2], "paid"), False),
        (column([1.5, 2.5], "id"), False),
        (column(RANDOM.normal(size=500)), False),
        (column([f"K{number}" for number in range(20)]), True),
        (column([f"K{number}" for number in range(19)]), False),
        (column([f"see you at number {number}" for number in range(50)]), False),
        (column([None, None], "id"), False),
        (column([], "id"), False),
    ],
)
def test_identifiers(cells: pd.Series, expected: bool) -> None:
    assert is_identifier(cells) is expected


def test_a_repetition_far_down_counts() -> None:
    assert not all_distinct(column([*range(10_000), 3]))
    assert all_distinct(column([1, None, 2, None]))


@pytest.mark.parametrize(
    "name", ["patient_nbr", "Customer ID", "user.id", "ssn", "e-mail", "userid"]
)
def test_person_names(name: str) -> None:
    assert names_a_person(column([1], name))


@pytest.mark.parametrize("name", ["id", "age", "customers", "user", "house_number", "number"])
def test_other_names(name: str) -> None:
    assert not names_a_person(column([1], name))


def test_mean_words() -> None:
    assert mean_words(column(["one", "one two three", None])) == 2.0
    assert mean_words(column([None])) == 0.0
