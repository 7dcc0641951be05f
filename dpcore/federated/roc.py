"""ROC curves of scores that are spread over a federation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.federated.ecdf import FederatedEcdf
from dpcore.postprocess.monotone import monotone_rates
from dpcore.privacy import Charge

__all__ = ["FederatedRoc", "federated_roc"]


@dataclass(frozen=True, kw_only=True, eq=False)
class FederatedRoc:
    """A released ROC curve.

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points + 2,)
        From (0, 0) to (1, 1).
    thresholds : float array, shape (points + 2,)
        Falling; a record counts as positive if its score is above the threshold.
    auc : float
    charges : tuple of Charge
    simulated : bool
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    auc: float
    charges: tuple[Charge, ...]
    simulated: bool


def federated_roc(ecdf: FederatedEcdf) -> FederatedRoc:
    """The ROC curve of a federation with two classes: the complements of two ECDFs (Section 5.1).

    Parameters
    ----------
    ecdf : FederatedEcdf
        Of scores on a grid; class 1 is positive.

    Raises
    ------
    InvalidArgument
        If the federation does not have two classes.

    Privacy
        Post-processing of the federation's counts.
    """
    if ecdf.aggregator.plan.classes != 2:
        raise InvalidArgument("classes", ecdf.aggregator.plan.classes, "two")
    counts = ecdf.counts(np.arange(ecdf.grid.size))
    fpr, tpr = (1.0 - monotone_rates(row[:-1], float(row[-1]))[::-1] for row in counts)
    thresholds = np.concatenate([ecdf.grid[::-1], [-np.inf]])
    auc = float(np.trapezoid(tpr, fpr))
    return FederatedRoc(
        fpr=fpr,
        tpr=tpr,
        thresholds=thresholds,
        auc=auc,
        charges=ecdf.charges,
        simulated=ecdf.simulated,
    )
