"""Randomised functions with a proof: one file each, arrays and numbers only.

A mechanism is built from public numbers (its privacy loss and a sensitivity argued by the caller);
its private argument enters `draw`, which only `dpcore.release` may call.
"""

from dpcore.mechanisms.best_top import BestTop
from dpcore.mechanisms.block_objective import BlockObjective
from dpcore.mechanisms.canonical_top import CanonicalTop
from dpcore.mechanisms.cauchy import cauchy_loss, cauchy_rate
from dpcore.mechanisms.dyadic_prefixes import DyadicPrefixes
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.exponential_peeling import ExponentialPeeling
from dpcore.mechanisms.gaussian_prefixes import GaussianPrefixes
from dpcore.mechanisms.geometric import Geometric
from dpcore.mechanisms.haar import HaarCounts
from dpcore.mechanisms.joint_top import JointTop
from dpcore.mechanisms.k_norm_counts import KNormCounts
from dpcore.mechanisms.k_norm_histograms import KNormHistograms, similar_sizes
from dpcore.mechanisms.laplace import Laplace
from dpcore.mechanisms.mechanism import Mechanism, WithoutNoise
from dpcore.mechanisms.objective_perturbation import ObjectivePerturbation
from dpcore.mechanisms.one_shot import OneShot
from dpcore.mechanisms.output_perturbation import OutputPerturbation
from dpcore.mechanisms.parted_objective import Partitions, Records
from dpcore.mechanisms.permute_and_flip import PermuteAndFlip
from dpcore.mechanisms.polya_share import PolyaShare
from dpcore.mechanisms.published_clusters import Clusters, PublishedClusters
from dpcore.mechanisms.published_holdout import PublishedHoldout, PublishedHoldoutSession
from dpcore.mechanisms.published_sparse_vector import (
    PUBLISHED_SPARSE_VECTORS,
    PublishedSparseVector,
)
from dpcore.mechanisms.quantile_bins import BinnedClasses, QuantileBins
from dpcore.mechanisms.recursive_quantiles import RecursiveQuantiles
from dpcore.mechanisms.reusable_holdout import HoldoutSession, ReusableHoldout
from dpcore.mechanisms.row_parts import RowPart
from dpcore.mechanisms.smooth_bounds import Statistic
from dpcore.mechanisms.smooth_cauchy import SmoothCauchy
from dpcore.mechanisms.smooth_cauchy_published import PublishedSmoothCauchy
from dpcore.mechanisms.smooth_gaussian import SmoothGaussian
from dpcore.mechanisms.smooth_medians import SmoothMedians
from dpcore.mechanisms.smooth_medians_published import PublishedSmoothMedians
from dpcore.mechanisms.smooth_noise import Grouped, SmoothNoise
from dpcore.mechanisms.smooth_spread import Deviation, Variance
from dpcore.mechanisms.smooth_statistics import Mean, Median, TrimmedMean
from dpcore.mechanisms.sparse_vector import RATIOS, SparseVector
from dpcore.mechanisms.sparse_vector_trace import (
    SparseVectorTrace,
    TracedQuery,
    TracedSparseVector,
)
from dpcore.mechanisms.tent_counts import NoisyTents, TentCounts
from dpcore.mechanisms.tree_counts import TreeCounts

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
