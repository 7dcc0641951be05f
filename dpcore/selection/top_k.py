"""Private selection of the largest of any scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check
from dpcore.errors import InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Neighbors, Part
from dpcore.privacy.loss import Number
from dpcore.selection.problem import SelectionProblem
from dpcore.selection.run import Account, Columns, SelectionRelease, run_selector

__all__ = ["select_top_k"]


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
        Whether between neighbours all scores move in the same direction, as counts do under
        add-remove.
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
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1 or values.size == 0:
        raise InvalidArgument("scores", values.shape, "a vector of one or more finite numbers")
    if not np.isfinite(values).all():
        place = int(np.argmin(np.isfinite(values)))
        raise InvalidArgument(f"scores[{place}]", float(values[place]), "a finite number")
    _check.integer_in_range(1, values.size, k=k)
    _check.positive(sensitivity=sensitivity)
    problem = SelectionProblem(
        scores=values,
        sensitivity=sensitivity,
        l1_sensitivity=sensitivity * values.size,
        monotone=monotone,
        whole=False,
        neighbors=Neighbors.of(neighbors),
        top_k=k,
    )
    account = Account(epsilon=epsilon, noise=noise, ledger=ledger, part=part)
    columns = Columns(scored=np.arange(values.size))
    return run_selector(method, problem, columns, account, method_parameters)
