"""Reproductions of the papers: one file per experiment, found by its folder.

An experiment is a frozen configuration and a function from it to rows of numbers. What the paper
claims is then computed from those rows, and so is the gap to a method that is sound: no verdict is
written down anywhere.
"""

from dpcore.studies.papers.cache import ResultCache, default_folder
from dpcore.studies.papers.catalogue import experiment, experiments
from dpcore.studies.papers.experiment import PAPERS, Chart, Experiment, Paper
from dpcore.studies.papers.judgement import Judgement, Trend
from dpcore.studies.papers.materials import Materials, data_folder
from dpcore.studies.papers.recorded import recorded
from dpcore.studies.papers.result import Result
from dpcore.studies.papers.rows import ROLES, Row, Rows
from dpcore.studies.papers.run import run_experiment

__all__ = [
    "PAPERS",
    "ROLES",
    "Chart",
    "Experiment",
    "Judgement",
    "Materials",
    "Paper",
    "Result",
    "ResultCache",
    "Row",
    "Rows",
    "Trend",
    "data_folder",
    "default_folder",
    "experiment",
    "experiments",
    "recorded",
    "run_experiment",
]
