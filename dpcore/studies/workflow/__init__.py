"""The workflow: select features, train, score and evaluate, from one configuration."""

from dpcore.studies.workflow.cache import StageCache
from dpcore.studies.workflow.config import Workflow
from dpcore.studies.workflow.json import digest, from_json, to_json
from dpcore.studies.workflow.result import WorkflowResult
from dpcore.studies.workflow.run import prepared_records, run_workflow
from dpcore.studies.workflow.sections import (
    DataSource,
    Evaluation,
    Model,
    NoiseChoice,
    Selection,
    Split,
)
from dpcore.studies.workflow.shares import PHASES, Epsilons, rebalance
from dpcore.studies.workflow.sources import Dataset
from dpcore.studies.workflow.truth import Performance, Truth

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
