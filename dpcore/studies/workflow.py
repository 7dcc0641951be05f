"""The old name of `dpcore.study`, for one minor version."""

import warnings

from dpcore.study import (
    PHASES,
    Dataset,
    DataSource,
    Epsilons,
    Evaluation,
    Model,
    NoiseChoice,
    Performance,
    Selection,
    Split,
    StageCache,
    Truth,
    Workflow,
    WorkflowResult,
    digest,
    from_json,
    prepared_records,
    rebalance,
    run_workflow,
    to_json,
)

__all__ = [
    "PHASES",
    "DataSource",
    "Dataset",
    "Epsilons",
    "Evaluation",
    "Model",
    "NoiseChoice",
    "Performance",
    "Selection",
    "Split",
    "StageCache",
    "Truth",
    "Workflow",
    "WorkflowResult",
    "digest",
    "from_json",
    "prepared_records",
    "rebalance",
    "run_workflow",
    "to_json",
]

warnings.warn(
    "dpcore.study is dpcore.study now; the old name ends with 0.3",
    FutureWarning,
    stacklevel=2,
)
