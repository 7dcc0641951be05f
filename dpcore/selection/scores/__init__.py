"""Scores of features: one file each."""

from collections.abc import Callable
from dataclasses import dataclass

from dpcore._typing import FloatArray, IntArray
from dpcore.privacy import Neighbors
from dpcore.registry import Method, Registry
from dpcore.schema.space import SparseMatrix


@dataclass(frozen=True, kw_only=True)
class PublicRows:
    """What is public about the rows that a score reads, and enforced row by row.

    Parameters
    ----------
    bound
        The entries of a row add up to at most this.
    features
        Number of features.
    weighted
        Whether rows were scaled down to the bound: entries are weights from 0 to 1. Otherwise rows
        were cut off at the bound, and entries are 0 or 1.
    max_rows
        Later rows are not read.
    """

    neighbors: Neighbors
    bound: int
    features: int
    weighted: bool = False
    max_rows: int | None = None

    @property
    def norm(self) -> int:
        """The largest L1 norm of a row; at least 1."""
        return max(min(self.bound, self.features), 1)


@dataclass(frozen=True, kw_only=True)
class Score(Method):
    """The declaration that ends a score's file.

    Parameters
    ----------
    run
        Of the bounded rows, a csr_array of shape (n, features), and the classes, shape (n,), or
        None: one score per feature.
    sensitivity
        Of the public facts: the largest change of any one score between neighbours.
    l1_sensitivity
        The largest sum of the changes of all scores.
    monotone
        Whether all scores move the same way between neighbours; never, if left out.
    whole
        Whether scores of rows that were not weighted are whole numbers, which then get integer
        noise.
    needs_classes
        Whether it reads the classes.
    needs_max_rows
        Whether its sensitivity depends on a bound on the number of rows.
    measure
        What it counts, in words for an axis.
    of_counts
        The score of features from the sums of their entries over the records that are not of class
        1, and over those that are: from shape (features, 2) to (features,). None if the score needs
        more than that.
    of_table
        The same from these sums, and from how many records each group has, shape (2,), for scores
        that need both. A score with neither reads rows.
    """

    run: Callable[[SparseMatrix, IntArray | None], FloatArray]
    sensitivity: Callable[[PublicRows], float]
    l1_sensitivity: Callable[[PublicRows], float]
    monotone: Callable[[PublicRows], bool] = lambda rows: False
    whole: bool
    needs_classes: bool = True
    needs_max_rows: bool = False
    measure: str = ""
    of_counts: Callable[[FloatArray], FloatArray] | None = None
    of_table: Callable[[FloatArray, IntArray], FloatArray] | None = None


SCORES = Registry("dpcore.selection.scores", "feature score")
