"""Federations: parties keep their records, and publish distribution functions all the same.

Every trust model offers one operation, noisy numbers of records up to points of a public grid
(`Aggregator.sums`, the paper's UStat). What is built on it (`FederatedEcdf`, `federated_roc`,
`federated_calibration`) runs unchanged over a trusted curator, over masked sums, and over two
servers that hold halves of keys. `examples.federation` runs the same roles as processes.
"""

from dpcore.federated.aggregator import Aggregator
from dpcore.federated.calibration import FederatedCalibration, federated_calibration
from dpcore.federated.ecdf import (
    TRUST_MODELS,
    FederatedEcdf,
    FederatedRoc,
    federated_roc,
    federation,
)
from dpcore.federated.session import Holding, Plan, divided, records_of
from dpcore.federated.trials import TrafficCost, federated_costs, federated_errors
from dpcore.federated.trust_models import FunctionSecretSharing, SecureAggregation, TrustedCurator

__all__ = ["TRUST_MODELS", "Aggregator", "FederatedCalibration", "FederatedEcdf", "FederatedRoc"]
__all__ += ["FunctionSecretSharing", "Holding", "Plan", "SecureAggregation", "TrafficCost"]
__all__ += ["TrustedCurator", "divided", "federated_calibration", "federated_costs"]
__all__ += ["federated_errors", "federated_roc", "federation", "records_of"]
