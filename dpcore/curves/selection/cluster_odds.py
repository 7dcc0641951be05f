"""Two neighbours that the published clustering of features tells apart, as epsilon grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import PublishedClusters
from dpcore.selection.exact import accepted, only_the_second

__all__ = ["ClusterOdds", "cluster_odds"]

# Which of two features is in which cluster is exact.
_TWO, _CENTRES, _BAR = (6.0, 7.0), ((3.0,), (10.0,)), 5.0
# A feature that crosses over carries its whole count to another cluster.
_ZEROS, _COUNT = 50, 1000.0
_CROSSING, _LOW_BAR = ((0.0,), (2 * _COUNT + 1,)), 50.0


@dataclass(frozen=True, eq=False)
class ClusterOdds:
    """Exact probabilities in one round, each of shape (epsilons,).

    Parameters
    ----------
    epsilons : float array
        What is claimed.
    alone : float array
        That of features with counts 6 and 7 the second is selected alone. With counts 6 and 6 it
        never is.
    above, below : float array
        That a feature of count 1001 and of count 1000 is selected, beside 50 features of count 0.
    """

    epsilons: FloatArray
    alone: FloatArray
    above: FloatArray
    below: FloatArray

    @property
    def loss(self) -> FloatArray:
        """Of the second example; that of the first is infinite."""
        result: FloatArray = np.log(self.above) - np.log(self.below)
        return result


def cluster_odds(epsilons: Sequence[Fraction]) -> ClusterOdds:
    """Follow both examples as epsilon grows.

    Parameters
    ----------
    epsilons : sequence of Fraction
        What one round of the published method claims.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Section 3.3. arXiv:1411.5428

    Examples
    --------
    >>> found = cluster_odds([Fraction(1)])
    >>> found.alone.round(3).tolist(), found.above.round(3).tolist()
    ([0.295], [1.0])
    >>> bool(found.below[0] < 1e-7)
    True
    """
    rows = np.array([_at(epsilon) for epsilon in epsilons]).reshape(-1, 3)
    return ClusterOdds(np.array([float(one) for one in epsilons]), *rows.T)


def _at(epsilon: Fraction) -> tuple[float, float, float]:
    near, far = (
        PublishedClusters(epsilon=epsilon, centres=np.array(centres), rounds=1)
        for centres in (_CENTRES, _CROSSING)
    )
    zeros = np.zeros((_ZEROS, 1))
    one_more, one_less = (np.vstack([zeros, [[count]]]) for count in (_COUNT + 1, _COUNT))
    return (
        only_the_second(near, np.array(_TWO)[:, None], _BAR),
        accepted(far, one_more, _LOW_BAR, 1),
        accepted(far, one_less, _LOW_BAR, 0),
    )
