"""The workflow: select features, train, score and evaluate, from one configuration."""

from dpcore.study.config import PHASES, Epsilons, Workflow, digest, from_json, rebalance, to_json
from dpcore.study.data_source import DataSource
from dpcore.study.run import WorkflowResult, prepared_records, run_workflow
from dpcore.study.sections import Evaluation, Model, NoiseChoice, Selection, Split
from dpcore.study.sources import Dataset, open_source
from dpcore.study.stages import StageCache
from dpcore.study.truth import Performance, Truth

__all__ = ["PHASES", "DataSource", "Dataset", "Epsilons", "Evaluation", "Model", "NoiseChoice"]
__all__ += ["Performance", "Selection", "Split", "StageCache", "Truth", "Workflow"]
__all__ += ["WorkflowResult", "digest", "from_json", "open_source", "prepared_records"]
__all__ += ["rebalance", "run_workflow", "to_json"]
