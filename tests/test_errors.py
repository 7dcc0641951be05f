"""Errors carry their facts and say what to do."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import dpcore.errors as errors
from dpcore import Loss, Neighbors
from dpcore.errors import (
    BudgetExceeded,
    DataError,
    DpcoreError,
    IntakeError,
    InvalidArgument,
    LedgerDamaged,
    MissingResource,
    MovablePart,
    NeighborsMismatch,
    NotPrivate,
    PrivacyError,
    PrivateInference,
    ReleaseVoid,
    SchemaError,
    UnknownMethod,
    UnsupportedNeighbors,
)


def test_every_error_belongs_to_the_tree() -> None:
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), DpcoreError), name


def test_the_tree_in_the_docstring_names_every_error() -> None:
    assert errors.__doc__ is not None
    for name in errors.__all__:
        assert name in errors.__doc__, name


def test_value_errors_can_be_caught_as_such() -> None:
    assert issubclass(InvalidArgument, ValueError)
    assert issubclass(UnknownMethod, ValueError)
    assert issubclass(DataError, ValueError)
    assert issubclass(IntakeError, DataError)
    assert issubclass(SchemaError, DataError)


def test_privacy_errors_can_be_caught_together() -> None:
    broken = [BudgetExceeded, NotPrivate, NeighborsMismatch, UnsupportedNeighbors]
    broken += [MovablePart, PrivateInference, ReleaseVoid, LedgerDamaged]
    assert all(issubclass(error, PrivacyError) for error in broken)


def test_budget_exceeded_keeps_both_losses() -> None:
    error = BudgetExceeded(Loss("0.5"), Loss("0.2"))
    assert (error.requested, error.remaining) == (Loss("0.5"), Loss("0.2"))
    assert "needs epsilon 0.5, but only epsilon 0.2 is left" in str(error)


def test_budget_exceeded_names_what_fits() -> None:
    fits = str(BudgetExceeded(Loss(1), Loss("0.2"), largest=Fraction(1, 5)))
    assert fits.endswith("the largest epsilon that fits is 0.2")
    none = str(BudgetExceeded(Loss(1), Loss(0), largest=Fraction(0)))
    assert none.endswith("but nothing is left; no smaller epsilon fits")


@pytest.mark.parametrize("left", [Fraction(2, 3), Fraction(5, 7), Fraction(1, 3)])
def test_what_is_said_to_fit_fits(left: Fraction) -> None:
    """Rounded as usual, two thirds would be told as a little more than is left."""
    told = str(BudgetExceeded(Loss(1), Loss(left), largest=left)).rpartition(" ")[2]
    assert left - Fraction(1, 10**11) < Loss(told).epsilon <= left


def test_a_void_release_says_what_it_cost_and_what_to_do() -> None:
    message = str(ReleaseVoid("ab" * 32, "power cut"))
    assert "abababababab is void (power cut)" in message
    assert "charge stays spent; release again" in message


def test_a_damaged_ledger_is_not_to_be_spent_from() -> None:
    assert "row 3 was removed; spend nothing" in str(LedgerDamaged("row 3 was removed"))


def test_unknown_method_guesses_the_spelling() -> None:
    assert "did you mean 'quantile-bins'?" in str(
        UnknownMethod("ROC method", "quantile-bin", ["laplace", "quantile-bins"])
    )
    assert "choose one of laplace, tree" in str(UnknownMethod("method", "zzz", ["laplace", "tree"]))


def test_data_error_names_row_column_and_remedy() -> None:
    error = IntakeError("has 3 cells instead of 2", row=7, column="age", remedy="remove one")
    assert str(error) == "row 7, column 'age': has 3 cells instead of 2; remove one"
    assert (error.row, error.column) == (7, "age")


def test_neighbors_mismatch_names_both_relations() -> None:
    message = str(NeighborsMismatch(Neighbors.REPLACE, Neighbors.ADD_REMOVE))
    assert "replace" in message
    assert "add-remove" in message


def test_missing_resource_says_what_to_do() -> None:
    assert str(MissingResource("no network", "use a sample")) == "no network; use a sample"


def test_private_inference_names_what_would_be_taken() -> None:
    message = str(PrivateInference("the bounds of 'age'", "declare them in the schema"))
    assert message.startswith("the bounds of 'age' would be taken from the private data")


def test_unsupported_neighbors_names_the_method() -> None:
    assert "'tree'" in str(UnsupportedNeighbors("tree", Neighbors.REPLACE))


def test_an_exact_number_is_shown_as_people_write_it() -> None:
    assert str(InvalidArgument("epsilon", Fraction(0), "positive")).endswith("got 0")
    assert str(InvalidArgument("delta", Fraction(1, 10), "0")).endswith("got 0.1")
    assert str(InvalidArgument("epsilon", "0", "positive")).endswith("got '0'")


def test_of_an_array_the_kind_is_told() -> None:
    """It may be as long as there are records."""
    error = InvalidArgument("sample_weight", np.ones(9), "left out")
    assert str(error) == "sample_weight must be left out, got ndarray"
    assert str(InvalidArgument("x", np.float64(2), "left out")).endswith("got np.float64(2.0)")


def test_of_a_long_list_the_kind_is_told() -> None:
    """It may hold every record, as where labels are passed for bounds."""
    error = InvalidArgument("bounds", ["ill", "well"] * 50, "(lower, upper)")
    assert str(error) == "bounds must be (lower, upper), got list"
    assert str(InvalidArgument("bounds", [3, 2], "(lower, upper)")).endswith("got [3, 2]")
