"""Private k-means of features as it was published for feature selection, which is not private."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.pure import PureMechanism
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, exact

# Cells per unit: the noise is drawn in whole cells.
_CELLS = 2**20


@dataclass(frozen=True)
class Clusters:
    """The exact cluster of each point, and the noisy centres, shape (clusters, dimensions)."""

    members: IntArray
    centres: FloatArray


@dataclass(frozen=True, kw_only=True)
class PublishedClusters(PureMechanism):
    """Lloyd's iteration with noisy sizes and sums; the memberships are released as they are.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the publication claims; positive.
    centres : float array, shape (clusters, dimensions)
        Public, where the iteration begins.
    rounds : int, default 5
        The budget is split evenly over them, and within each between sizes and sums.
    row_bound : int, default 1
        The s or r of the publication: by so much a record moves the sums, it says.
    neighbors : Neighbors, default add-remove

    Privacy
        None that is finite. The noise is what was published: scale 1 / e for the sizes and s / e
        for each sum, e the share of a round and a half. A centre is its sum over its size, at
        least 1.

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Section 3.3 and Algorithm 1. arXiv:1411.5428
    A. Blum, C. Dwork, F. McSherry, K. Nissim (2005), Practical privacy: the SuLQ framework, PODS:
    k-means, where the points are records. doi:10.1145/1065167.1065184

    Examples
    --------
    >>> mechanism = PublishedClusters(epsilon=1, centres=np.array([[3.0], [10.0]]), rounds=2)
    >>> mechanism.size_scale, mechanism.sum_scale
    (Fraction(4, 1), Fraction(4, 1))
    """

    centres: FloatArray
    rounds: _check.Count = 5
    row_bound: _check.Count = 1

    guarantee: ClassVar[Guarantee] = Guarantee.broken(
        "it releases exact memberships: counts (6, 6) can never be told apart, (6, 7) can, so the "
        "second feature alone has probability 0 against 0.295 (centres 3 and 10, threshold 5, one "
        "round at epsilon 1); the points are features, and one that crosses over carries its whole "
        "count to another sum (50 zeros and a count of 1000 against 1001, centres 0 and 2001, "
        "threshold 50: 9e-8 against 0.99996); one record moves the sizes by 2 s, not by 1"
    )

    @property
    def size_scale(self) -> Fraction:
        """Scale of the noise of a cluster's size."""
        return 2 * self.rounds / exact(self.epsilon)

    @property
    def sum_scale(self) -> Fraction:
        """Scale of the noise of each coordinate of a cluster's sum."""
        return self.row_bound * self.size_scale

    def draw(self, value: FloatArray, noise: NoiseSource) -> Clusters:
        """Cluster points of shape (n, dimensions)."""
        centres = np.asarray(self.centres, dtype=np.float64)
        clusters, dimensions = centres.shape
        members = nearest(value, centres)
        for _ in range(self.rounds):
            members = nearest(value, centres)
            sizes = np.bincount(members, minlength=clusters)
            noisy_sizes = sizes + _laplace(self.size_scale, clusters, noise)
            sums = np.array(
                [np.bincount(members, value[:, axis], clusters) for axis in range(dimensions)]
            ).T
            moved = _laplace(self.sum_scale, centres.size, noise).reshape(centres.shape)
            centres = (sums + moved) / np.maximum(noisy_sizes, 1.0)[:, None]
        return Clusters(members, centres)


def _laplace(scale: Fraction, size: int, noise: NoiseSource) -> FloatArray:
    return noise.discrete_laplace(scale * _CELLS, size).astype(np.float64) / _CELLS


def nearest(points: FloatArray, centres: FloatArray) -> IntArray:
    """The centre next to each point; the first of equally near ones.

    Examples
    --------
    >>> nearest(np.array([[1.0], [6.0]]), np.array([[0.0], [5.0]])).tolist()
    [0, 1]
    """
    distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    members: IntArray = np.argmin(distances, axis=1)
    return members
