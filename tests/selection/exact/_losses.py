"""The worst loss over small neighbourhoods, by going through all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from dpcore._typing import FloatArray
from dpcore.selection.exact import Law, loss_between


def neighbors_of(scores: ArrayLike, *, monotone: bool) -> Iterator[FloatArray]:
    """Scores that a neighbour can have, in whole steps.

    Monotone scores all rise, as counts under add-remove (where they fall, the two change places);
    others rise or fall one by one.

    Examples
    --------
    >>> (
    ...     len(list(neighbors_of([0, 0], monotone=True))),
    ...     len(list(neighbors_of([0, 0], monotone=False))),
    ... )
    (4, 9)
    """
    here = np.asarray(scores, dtype=np.float64)
    for change in product((0, 1) if monotone else (-1, 0, 1), repeat=here.size):
        yield here + np.array(change, dtype=np.float64)


def worst_loss(
    law_of: Callable[[FloatArray], Law], bases: Iterable[ArrayLike], *, monotone: bool
) -> float:
    """The largest loss between any of some scores and any of their neighbours.

    Parameters
    ----------
    law_of : callable
        The exact law of the outcome, given scores.
    bases : iterable of arrays, shape (candidates,)
    monotone : bool
        See `neighbors_of`.

    Examples
    --------
    >>> from dpcore.selection.exact import Comparisons, law
    >>> one = Comparisons.of(1, epsilon=1)
    >>> bool(worst_loss(lambda scores: law(one, scores), [[-9, 9]], monotone=False) <= 1)
    True
    """
    worst = 0.0
    for base in bases:
        here = law_of(np.asarray(base, dtype=np.float64))
        for there in neighbors_of(base, monotone=monotone):
            worst = max(worst, loss_between(here, law_of(there)))
    return worst
