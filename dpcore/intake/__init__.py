"""Data in, safely: files become tables, and whatever is odd becomes one clear sentence."""

from dpcore.intake.dialect import Dialect
from dpcore.intake.limits import Limits
from dpcore.intake.openml import OPENML_NAMES, fetch_openml, openml_schema
from dpcore.intake.predictions import Predictions, read_predictions
from dpcore.intake.problems import Problem
from dpcore.intake.samples import Sample, samples
from dpcore.intake.split import split_records
from dpcore.intake.suggest import read_and_suggest, suggest_schema
from dpcore.intake.tables import Upload, read_dataset
from dpcore.intake.validate import validate

__all__ = [
    "OPENML_NAMES",
    "Dialect",
    "Limits",
    "Predictions",
    "Problem",
    "Sample",
    "Upload",
    "fetch_openml",
    "openml_schema",
    "read_and_suggest",
    "read_dataset",
    "read_predictions",
    "samples",
    "split_records",
    "suggest_schema",
    "validate",
]
