"""Private selection of the features of a matrix."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from dpcore._typing import IntArray
from dpcore.aggregates.bounded_rows import BoundedRows, first_nonzeros
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors, Part
from dpcore.privacy.loss import Number
from dpcore.schema import FeatureSpace
from dpcore.schema.matrix import Matrix, SparseMatrix
from dpcore.selection.problem import SelectionProblem
from dpcore.selection.run import Account, Columns, run_selector
from dpcore.selection.scores import SCORES
from dpcore.selection.scores.score import Score
from dpcore.selection.selection_release import SelectionRelease

__all__ = ["select_features"]


def select_features(
    X: Matrix,
    y: object = None,
    *,
    method: str = "none",
    score: str = "total-count",
    epsilon: Number | None = None,
    top_k: int | None = None,
    threshold: float | None = None,
    space: FeatureSpace | None = None,
    max_nonzeros: int | None = None,
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    **method_parameters: Any,
) -> SelectionRelease:
    """Select features by a private score.

    Parameters
    ----------
    X : ndarray or sparse matrix, shape (n, p)
        Every non-zero entry counts as "the record has the feature". The numeric features of `space`
        are not scored: they are always kept, on top of those selected.
    y : int array, shape (n,), optional
        Classes, for scores that read them.
    method : str, default "none"
        A name from `selectors`.
    score : str, default "total-count"
    epsilon : int, float, str or Fraction
        Privacy loss; "none" needs none.
    top_k : int, optional
        Number of indicators to select; or
    threshold : float, optional
        select the indicators whose score lies above.
    space : FeatureSpace, optional
        What the columns are; all indicators if left out.
    max_nonzeros : int, optional
        Row bound: each row keeps its first so many indicators, in the order of the columns, and the
        rest count as absent. The bound of the space if left out, and p without a space.
    neighbors, noise, ledger, part
        See `dpcore.release.open_gate`.
    **method_parameters
        Parameters of the method.

    Returns
    -------
    SelectionRelease

    Raises
    ------
    InvalidArgument
        If not exactly one of `top_k` and `threshold` is given, or the method does not know it.
    UnknownMethod, BudgetExceeded, NeighborsMismatch, NotPrivate

    Sensitivity
        Declared by the score for the row bound and the relation (see its file). The bound is
        enforced here, by truncating each row by itself in a public order, and never assumed.
    Privacy
        epsilon-DP by the chosen method; what it released is in `charges`.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> rows = np.array([[1, 0, 1], [1, 0, 0], [1, 1, 0]])
    >>> picked = select_features(
    ...     rows, method="noisy-scores", top_k=1, epsilon=50, noise=SeededNoise(0)
    ... )
    >>> picked.selected.tolist(), [str(charge.loss) for charge in picked.charges]
    ([0], ['epsilon 50'])
    """
    matrix = X if hasattr(X, "tocsr") else np.asarray(X, dtype=np.float64)
    relation = Neighbors.of(neighbors)
    # Without a source the noise is the system's.
    if space is not None and space.taken_from_data and not (noise and noise.simulated):
        facts = ", ".join(sorted(space.taken_from_data))
        raise PrivateInference(
            f"the feature space's {facts}", "declare them in the schema yourself"
        )
    scored = cast(Score, SCORES.get(score))
    columns, indicators = _indicators(matrix, space, max_nonzeros)
    bound = _row_bound(indicators.shape[1], space, max_nonzeros)
    classes = _classes(y, scored)
    problem = SelectionProblem(
        scores=scored.run(indicators, classes),
        sensitivity=scored.sensitivity(relation),
        l1_sensitivity=scored.l1_sensitivity(bound, relation),
        monotone=scored.monotone(relation),
        whole=scored.whole,
        neighbors=relation,
        top_k=top_k,
        threshold=threshold,
        indicators=indicators,
        classes=classes,
    )
    account = Account(epsilon=epsilon, noise=noise, ledger=ledger, part=part)
    return run_selector(method, problem, columns, account, method_parameters)


def _indicators(
    X: Matrix, space: FeatureSpace | None, max_nonzeros: int | None
) -> tuple[Columns, SparseMatrix]:
    if space is None:
        most = max(X.shape[1], 1) if max_nonzeros is None else max_nonzeros
        return Columns(scored=np.arange(X.shape[1])), first_nonzeros(X, most)
    is_numeric = np.array([feature.kind == "numeric" for feature in space.features], dtype=bool)
    columns = Columns(scored=np.flatnonzero(~is_numeric), always=np.flatnonzero(is_numeric))
    indicators = BoundedRows.of(X, space).indicators
    return columns, (
        indicators if max_nonzeros is None else first_nonzeros(indicators, max_nonzeros)
    )


def _row_bound(width: int, space: FeatureSpace | None, max_nonzeros: int | None) -> int:
    """The most ones that a truncated row can hold, from public facts alone."""
    of_space = width if space is None else space.max_indicators
    asked = width if max_nonzeros is None else max_nonzeros
    return max(1, min(of_space, asked))


def _classes(y: object, score: Score) -> IntArray | None:
    if not score.needs_classes:
        return None
    if y is None:
        raise InvalidArgument("y", None, f"given, because {score.name!r} reads the classes")
    return np.asarray(y, dtype=np.int64)
