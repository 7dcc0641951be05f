"""Randomised functions with a proof: one file each, arrays and numbers only.

A mechanism is built from public numbers (its privacy loss and a sensitivity argued by the caller);
its private argument enters `draw`, which only `dpcore.release` may call.
"""

import warnings
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from dpcore.mechanisms.counts.additive import Geometric, Laplace, PolyaShare
from dpcore.mechanisms.counts.clusters_as_published import PublishedClusters
from dpcore.mechanisms.counts.dyadic_prefixes import DyadicPrefixes, GaussianPrefixes
from dpcore.mechanisms.counts.k_norm_histograms import KNormHistograms
from dpcore.mechanisms.counts.quantiles import QuantileBins, RecursiveQuantiles
from dpcore.mechanisms.counts.tree_counts import HaarCounts, TentCounts, TreeCounts
from dpcore.mechanisms.regression.block_objective import BlockObjective
from dpcore.mechanisms.regression.perturbation import ObjectivePerturbation, OutputPerturbation
from dpcore.mechanisms.smooth import SmoothNoise
from dpcore.mechanisms.smooth.cauchy import PublishedSmoothCauchy, SmoothCauchy, SmoothGaussian
from dpcore.mechanisms.smooth.medians import PublishedSmoothMedians, SmoothMedians
from dpcore.mechanisms.smooth.statistics import Deviation, Mean, TrimmedMean
from dpcore.mechanisms.threshold.reusable_holdout import PublishedHoldout, ReusableHoldout
from dpcore.mechanisms.threshold.sparse_vector import SparseVector
from dpcore.mechanisms.threshold.sparse_vector_as_published import (
    PUBLISHED_SPARSE_VECTORS,
    PublishedSparseVector,
)
from dpcore.mechanisms.top_k import BestTop, OneShot
from dpcore.mechanisms.top_k.joint import CanonicalTop, JointTop
from dpcore.mechanisms.top_k.peeling import Exponential, ExponentialPeeling, PermuteAndFlip
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.registry import modules_of

__all__ = ["PUBLISHED_SPARSE_VECTORS", "BestTop", "BlockObjective", "CanonicalTop", "Deviation"]
__all__ += ["DyadicPrefixes", "Exponential", "ExponentialPeeling", "GaussianPrefixes", "Geometric"]
__all__ += ["HaarCounts", "JointTop", "KNormHistograms", "Laplace", "Mean", "Mechanism"]
__all__ += ["ObjectivePerturbation", "OneShot", "OutputPerturbation", "PermuteAndFlip"]
__all__ += ["PolyaShare", "PublishedClusters", "PublishedHoldout", "PublishedSmoothCauchy"]
__all__ += ["PublishedSmoothMedians", "PublishedSparseVector", "QuantileBins", "RecursiveQuantiles"]
__all__ += ["ReusableHoldout", "SmoothCauchy", "SmoothGaussian", "SmoothMedians", "SmoothNoise"]
__all__ += ["SparseVector", "TentCounts", "TreeCounts", "TrimmedMean", "WithoutNoise"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """What this package listed once: the module that declares it is named in a warning."""
        for module in () if name.startswith("_") else modules_of(__name__):
            found = vars(module).get(name)
            if found is not None and getattr(found, "__module__", "") in ("", module.__name__):
                words = f"{name} is in {module.__name__} now; its old place ends with 0.3"
                warnings.warn(words, FutureWarning, stacklevel=2)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


Private = TypeVar("Private", contravariant=True)

Public = TypeVar("Public", covariant=True)


@runtime_checkable
class Mechanism(Protocol[Private, Public]):
    """A randomised function from a private value to a public one."""

    @property
    def loss(self) -> Loss:
        """The privacy loss of one draw."""

    @property
    def neighbors(self) -> Neighbors:
        """The neighbour relation for which the sensitivity was argued."""

    @property
    def guarantee(self) -> Guarantee:
        """Whether the loss is proven."""

    def draw(self, value: Private, noise: NoiseSource) -> Public:
        """Draw the public value; called by the gate only, after the charge."""


@runtime_checkable
class WithoutNoise(Protocol[Private, Public]):
    """What a mechanism adds whose noise is more than discrete Laplace noise on whole numbers.

    `draw` is enough for the others: `NoiseOff` hands them zeros.
    """

    def without_noise(self, value: Private) -> Public:
        """What `draw` returns if its noise is zero; private, so for simulations only."""
