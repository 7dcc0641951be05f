"""Randomised functions with a proof: one file each, arrays and numbers only.

A mechanism is built from public numbers (its privacy loss and a sensitivity argued by the caller);
its private argument enters `draw`, which only `dpcore.release` may call.
"""

from dpcore.mechanisms.counts.dyadic_prefixes import DyadicPrefixes
from dpcore.mechanisms.counts.gaussian_prefixes import GaussianPrefixes
from dpcore.mechanisms.counts.geometric import Geometric
from dpcore.mechanisms.counts.haar import HaarCounts
from dpcore.mechanisms.counts.k_norm_counts import KNormCounts
from dpcore.mechanisms.counts.k_norm_histograms import KNormHistograms, similar_sizes
from dpcore.mechanisms.counts.laplace import Laplace
from dpcore.mechanisms.counts.polya_share import PolyaShare
from dpcore.mechanisms.counts.published_clusters import Clusters, PublishedClusters
from dpcore.mechanisms.counts.quantile_bins import BinnedClasses, QuantileBins
from dpcore.mechanisms.counts.recursive_quantiles import RecursiveQuantiles
from dpcore.mechanisms.counts.tent_counts import NoisyTents, TentCounts
from dpcore.mechanisms.counts.tree_counts import TreeCounts
from dpcore.mechanisms.mechanism import Mechanism, WithoutNoise
from dpcore.mechanisms.regression.block_objective import BlockObjective
from dpcore.mechanisms.regression.parted_objective import Partitions, Records
from dpcore.mechanisms.regression.perturbation import ObjectivePerturbation, OutputPerturbation
from dpcore.mechanisms.regression.row_parts import RowPart
from dpcore.mechanisms.smooth.bounds import Statistic
from dpcore.mechanisms.smooth.cauchy import (
    PublishedSmoothCauchy,
    SmoothCauchy,
    cauchy_loss,
    cauchy_rate,
)
from dpcore.mechanisms.smooth.gaussian import SmoothGaussian
from dpcore.mechanisms.smooth.medians import PublishedSmoothMedians, SmoothMedians
from dpcore.mechanisms.smooth.noise import Grouped, SmoothNoise
from dpcore.mechanisms.smooth.spread import Deviation, Variance
from dpcore.mechanisms.smooth.statistics import Mean, Median, TrimmedMean
from dpcore.mechanisms.threshold.published_holdout import PublishedHoldout, PublishedHoldoutSession
from dpcore.mechanisms.threshold.published_sparse_vector import (
    PUBLISHED_SPARSE_VECTORS,
    PublishedSparseVector,
)
from dpcore.mechanisms.threshold.reusable_holdout import HoldoutSession, ReusableHoldout
from dpcore.mechanisms.threshold.sparse_vector import RATIOS, SparseVector
from dpcore.mechanisms.threshold.sparse_vector_trace import (
    SparseVectorTrace,
    TracedQuery,
    TracedSparseVector,
)
from dpcore.mechanisms.top_k.best import BestTop
from dpcore.mechanisms.top_k.canonical import CanonicalTop
from dpcore.mechanisms.top_k.exponential import Exponential, ExponentialPeeling
from dpcore.mechanisms.top_k.joint import JointTop
from dpcore.mechanisms.top_k.one_shot import OneShot
from dpcore.mechanisms.top_k.permute_and_flip import PermuteAndFlip

__all__ = [
    "PUBLISHED_SPARSE_VECTORS",
    "RATIOS",
    "BestTop",
    "BinnedClasses",
    "BlockObjective",
    "CanonicalTop",
    "Clusters",
    "Deviation",
    "DyadicPrefixes",
    "Exponential",
    "ExponentialPeeling",
    "GaussianPrefixes",
    "Geometric",
    "Grouped",
    "HaarCounts",
    "HoldoutSession",
    "JointTop",
    "KNormCounts",
    "KNormHistograms",
    "Laplace",
    "Mean",
    "Mechanism",
    "Median",
    "NoisyTents",
    "ObjectivePerturbation",
    "OneShot",
    "OutputPerturbation",
    "Partitions",
    "PermuteAndFlip",
    "PolyaShare",
    "PublishedClusters",
    "PublishedHoldout",
    "PublishedHoldoutSession",
    "PublishedSmoothCauchy",
    "PublishedSmoothMedians",
    "PublishedSparseVector",
    "QuantileBins",
    "Records",
    "RecursiveQuantiles",
    "ReusableHoldout",
    "RowPart",
    "SmoothCauchy",
    "SmoothGaussian",
    "SmoothMedians",
    "SmoothNoise",
    "SparseVector",
    "SparseVectorTrace",
    "Statistic",
    "TentCounts",
    "TracedQuery",
    "TracedSparseVector",
    "TreeCounts",
    "TrimmedMean",
    "Variance",
    "WithoutNoise",
    "cauchy_loss",
    "cauchy_rate",
    "similar_sizes",
]
