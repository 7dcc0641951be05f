"""Data in, safely: files become tables, and whatever is odd becomes one clear sentence."""

from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.prediction_files import read_prediction_files
from dpcore.data.reading.predictions import Grouping, Predictions, split_records
from dpcore.data.reading.predictions_reader import read_predictions
from dpcore.data.reading.problems import Limits, Problem
from dpcore.data.reading.samples import OPENML_NAMES, Sample, fetch_openml, openml_schema, samples
from dpcore.data.reading.suggest import read_and_suggest, suggest_schema
from dpcore.data.reading.survey import validate
from dpcore.data.reading.tables import Upload, read_dataset

__all__ = ["OPENML_NAMES", "Dialect", "Grouping", "Limits", "Predictions", "Problem", "Sample"]
__all__ += ["Upload", "fetch_openml", "openml_schema", "read_and_suggest", "read_dataset"]
__all__ += ["read_prediction_files", "read_predictions", "samples", "split_records"]
__all__ += ["suggest_schema", "validate"]
