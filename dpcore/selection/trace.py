"""Walk one run of a sparse vector variant query by query, in a simulation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcore import _check
from dpcore.mechanisms import (
    PublishedSparseVector,
    SparseVector,
    SparseVectorTrace,
    TracedSparseVector,
)
from dpcore.noise import NoiseSource
from dpcore.privacy import Number
from dpcore.release import open_gate

ALGORITHMS = (1, 2, 3, 4, 5, 6, 7)


def trace_sparse_vector(
    scores: ArrayLike,
    *,
    algorithm: int = 7,
    epsilon: Number,
    k: int,
    threshold: float | None = None,
    ratio: str = "1:c^(2/3)",
    boost: float = 0.0,
    retraverse: bool = False,
    sensitivity: float = 1.0,
    monotone: bool = False,
    shuffle: bool = True,
    most: int = 20_000,
    noise: NoiseSource,
) -> SparseVectorTrace:
    """Run one of the seven algorithms, and tell what happened at every query.

    Parameters
    ----------
    scores : array, shape (candidates,)
    algorithm : int, default 7
        1 to 7, as Lyu, Su and Li number them.
    epsilon : int, float, str or Fraction
        The published epsilon; positive. The noise is what was published for it, also where the true
        loss is another.
    k : int
        The cut-off c.
    threshold : float, optional
        The middle of the k-th and the next largest score if left out.
    ratio, boost, retraverse
        Of Algorithm 7, see `dpcore.mechanisms.SparseVector`.
    sensitivity, monotone
        See `select_top_k`.
    shuffle : bool, default True
        Whether the candidates come in random order, or as they are.
    most : int, default 20000
        The run is broken off after so many queries.
    noise : NoiseSource
        Simulated.

    Returns
    -------
    SparseVectorTrace
        Not a release: it holds the exact scores.

    Raises
    ------
    NotPrivate
        With real noise.
    InvalidArgument

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Algorithms 1 to 7. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> trace = trace_sparse_vector(
    ...     [1, 90, 50], epsilon=10, k=1, threshold=40, noise=SeededNoise(0)
    ... )
    >>> [(query.index, query.passed, str(query.budget_left)) for query in trace.queries][-1]
    (2, True, '0')
    """
    _check.one_of(ALGORITHMS, algorithm=algorithm)
    mechanism: SparseVector | PublishedSparseVector
    if algorithm == 7:
        mechanism = SparseVector(
            epsilon=epsilon,
            k=k,
            threshold=threshold,
            ratio=ratio,
            boost=boost,
            retraverse=retraverse,
            sensitivity=sensitivity,
            monotone=monotone,
        )
    else:
        mechanism = PublishedSparseVector(
            variant=algorithm,
            epsilon=epsilon,
            cutoff=k,
            threshold=threshold,
            sensitivity=sensitivity,
            monotone=monotone,
        )
    traced = TracedSparseVector(mechanism=mechanism, shuffle=shuffle, most=most)
    gate = open_gate(traced.loss, noise=noise)
    return gate.release(traced, np.asarray(scores, dtype=np.float64), label="a trace")
