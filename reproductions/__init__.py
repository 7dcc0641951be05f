"""Reproductions of the papers: one file per experiment, found by its folder.

An experiment is a frozen configuration and a function from it to rows of numbers. What the paper
claims is then computed from those rows, and so is the gap to a method that is sound: no verdict is
written down anywhere.
"""

from reproductions.cache import ResultCache, default_folder
from reproductions.catalogue import experiment, experiments
from reproductions.experiment import PAPERS, Chart, Experiment, Paper
from reproductions.judgement import Judgement, Trend
from reproductions.materials import Materials, data_folder
from reproductions.recorded import recorded
from reproductions.result import Result
from reproductions.rows import ROLES, Row, Rows
from reproductions.run import run_experiment

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
