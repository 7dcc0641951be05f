"""Private selection of the features of a matrix, and of the largest of any scores."""

from __future__ import annotations

from typing import Any, Unpack, cast

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray
from dpcore.data.counting import FeatureCounts
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument
from dpcore.estimator import rehearse, without_records
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Ledger, Neighbors, Number, Part
from dpcore.release import Payment
from dpcore.schema import FeatureSpace
from dpcore.schema.cell_arrays import number_matrix, numbers_of, table_of
from dpcore.schema.space import Matrix, require_public_schema
from dpcore.selection.methods import selectors
from dpcore.selection.problem import SelectionProblem, Selector
from dpcore.selection.run import Columns, SelectionRelease, charged_first, run_selector
from dpcore.selection.scoring import RowBound, problem_of, scored_once, scored_table


def select_top_k(
    scores: ArrayLike,
    *,
    k: int,
    epsilon: Number,
    method: str = "best",
    sensitivity: float = 1.0,
    monotone: bool = False,
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    **method_parameters: Any,
) -> SelectionRelease:
    """Select the k largest of any private scores.

    Parameters
    ----------
    scores : array, shape (candidates,)
    k : int
        From 1 to the number of candidates.
    epsilon : int, float, str or Fraction
        Privacy loss; positive.
    method : str, default "best"
        A name from `selectors`.
    sensitivity : float, default 1
        The largest change of any one score between neighbours.
    monotone : bool, default False
        Whether neighbours' scores all move in one direction, as counts do under add-remove.
    neighbors, noise, ledger, part
        See `dpcore.release.open_gate`.
    **method_parameters
        Parameters of the method.

    Raises
    ------
    InvalidArgument
        If scores are not finite numbers, or k or another argument is out of range.
    UnknownMethod, BudgetExceeded, NeighborsMismatch, NotPrivate

    Sensitivity
        Declared by the caller per score. All scores together move by at most that times their
        number, which is what methods that need the joint L1 sensitivity use.
    Privacy
        epsilon-DP by the chosen method.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> picked = select_top_k([3, 900, 40, 700], k=2, epsilon=1, noise=SeededNoise(0))
    >>> picked.selected.tolist()
    [1, 3]
    """
    values = numbers_of(scores, "scores").astype(np.float64)
    if values.size == 0:
        raise InvalidArgument("scores", values.shape, "a vector of one or more finite numbers")
    if not np.isfinite(values).all():
        place = int(np.argmin(np.isfinite(values)))
        raise InvalidArgument(f"scores[{place}]", float(values[place]), "a finite number")
    _check.integer_in_range(1, values.size, k=k)
    _check.positive(sensitivity=sensitivity)
    _check.one_of((True, False), monotone=monotone)
    problem = SelectionProblem(
        scores=values,
        sensitivity=sensitivity,
        l1_sensitivity=sensitivity * values.size,
        monotone=monotone,
        whole=False,
        neighbors=Neighbors.of(neighbors),
        top_k=k,
    )
    columns = Columns(scored=np.arange(values.size))
    account: Payment = {"noise": noise, "ledger": ledger, "part": part}
    return run_selector(method, problem, columns, method_parameters, epsilon=epsilon, **account)


def select_features(
    X: Matrix | BoundedRows | FeatureCounts,
    y: object = None,
    *,
    method: str = "best",
    score: str = "total-count",
    epsilon: Number | None = None,
    top_k: int | None = None,
    threshold: float | None = None,
    space: FeatureSpace | None = None,
    max_nonzeros: int | None = None,
    row_bound: str = "truncate",
    max_rows: int | None = None,
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    **method_parameters: Any,
) -> SelectionRelease:
    """Select features by a private score.

    Parameters
    ----------
    X : ndarray, sparse matrix or DataFrame, shape (n, p), or FeatureCounts
        Every non-zero number counts as "the record has the feature", and NaN as "it has not"; so
        does, with real noise, whatever is no number. The numeric features of `space` are not
        scored: they are always kept, on top of those selected.
        Or a table that was counted elsewhere, which brings its classes and its space; see Notes.
        Or, in a simulation, rows that are within the bounds of their space already.
    y : int array, shape (n,), optional
        Place of each record's class, for scores that read them; `DPFeatureSelector` takes labels.
        With real noise a record of none, such as -1 or a text, is left out by its own label alone;
        a simulation refuses it.
    method : str, default "best"
        A name from `selectors`; "none" keeps everything at no cost.
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
        Row bound s. The bound of the space if left out, and p without a space.
    row_bound : {"truncate", "weight"}, default "truncate"
        What becomes of a row with more indicators: it keeps the first s in the order of the
        columns, and the rest count as absent; or it keeps all with equal weights that add up to s.
    max_rows : int, optional
        Public bound on the number of records, for scores whose sensitivity grows with it: they do
        not read later rows. Other scores ignore it.
    neighbors, noise, ledger, part
        See `dpcore.release.open_gate`.
    **method_parameters
        Parameters of the method.

    Raises
    ------
    InvalidArgument
        If X is no matrix, or y no vector of its length; if not exactly one of
        `top_k` and `threshold` is given ("none" takes neither), or the method does not know it; or
        the score needs `y` or `max_rows` and it is not given.
    UnknownMethod, BudgetExceeded, NeighborsMismatch, NotPrivate

    Notes
    -----
    `FeatureCounts` of a file or a Dask collection give what its rows give, to the bit with the same
    seed, if every row has a declared class: others are not counted. Scores and row bounds that need
    the rows themselves are refused: information gain, which must not read rows after the first
    `max_rows`, and a `max_nonzeros` below that of the space.

    Sensitivity
        Declared by the score for the row bound and the relation (see its file). The bound is
        enforced here, row by row, and never assumed.
    Privacy
        epsilon-DP by the chosen method; what it released is in `charges`. With real noise all of it
        is charged before a row is read, and stays charged if that fails.

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
    relation = Neighbors.of(neighbors)
    _check.instance(NoiseSource, "SeededNoise(1)", noise=noise)
    # Without a source the noise is the system's.
    simulated = noise is not None and noise.simulated
    space = _public_space(X, y, space, simulated=simulated)
    bound = RowBound(most=max_nonzeros, how=row_bound, max_rows=max_rows)
    account: Payment = {"neighbors": relation, "noise": noise, "ledger": ledger, "part": part}

    def selected(table: Any, labels: object, **account: Unpack[Payment]) -> SelectionRelease:
        if isinstance(table, FeatureCounts):
            found = scored_table(table, score=score, bound=bound, neighbors=relation)
        else:
            found = scored_once(
                _matrix(table, simulated=simulated),
                labels,
                score=score,
                space=space,
                bound=bound,
                neighbors=relation,
                with_classes=cast(Selector, selectors.get(method)).reads_records,
                simulated=simulated,
            )
        columns, scores, records = found
        problem = problem_of(scores, records, top_k=top_k, threshold=threshold)
        return run_selector(method, problem, columns, method_parameters, epsilon=epsilon, **account)

    if isinstance(X, FeatureCounts) or simulated:
        return selected(X, y, **account)
    rehearsed: Payment = {**account, "noise": SeededNoise(0), "ledger": None}
    rehearse(lambda: selected(*without_records(X, y), **rehearsed))
    with charged_first(method, epsilon, **account) as account["ledger"]:
        return selected(X, y, **account)


def _public_space(
    X: object, y: object, space: FeatureSpace | None, *, simulated: bool
) -> FeatureSpace | None:
    """What the columns are: as declared, or as the rows or counts bring it, if that is public."""
    if isinstance(X, FeatureCounts) and (y is not None or space is not None):
        raise InvalidArgument("y, space", "given", "left out, because counts bring their own")
    _check.instance(FeatureSpace, "FeatureSpace.of(schema)", space=space)
    space = X.space if isinstance(X, FeatureCounts | BoundedRows) else space
    if space is not None:
        require_public_schema(space, simulated=simulated)
    return space


def _matrix(X: Any, *, simulated: bool) -> Matrix | BoundedRows:
    """A matrix of numbers; the message shows no cell of it.

    With real noise a cell that is no number is a missing one.
    """
    X = table_of(X) if simulated else number_matrix(X)
    if hasattr(X, "tocsr") or (simulated and isinstance(X, BoundedRows)):
        return cast("Matrix | BoundedRows", X)
    found: FloatArray
    try:
        found = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 2:
        requirement = "a matrix of numbers, one row per record; `dpcore.schema.encode` makes one"
        raise InvalidArgument("X", type(X).__name__, requirement)
    return found
