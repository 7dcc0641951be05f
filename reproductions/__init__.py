"""Reproductions of the papers: one file per experiment, found by its folder.

An experiment is a frozen configuration and a function from it to rows of numbers. What the paper
claims is then computed from those rows, and so is the gap to a method that is sound: no verdict is
written down anywhere.
"""

from reproductions.cache import ResultCache, default_folder
from reproductions.catalogue import experiment, experiments
from reproductions.experiment import PAPERS, Chart, Experiment, Paper
from reproductions.paper_data import PaperData, data_folder
from reproductions.recorded import recorded
from reproductions.result import Result
from reproductions.rows import ROLES, Row, Rows
from reproductions.run import run_experiment
from reproductions.verdict import Claim, Verdict

__all__ = [
    "PAPERS",
    "ROLES",
    "Chart",
    "Claim",
    "Experiment",
    "Paper",
    "PaperData",
    "Result",
    "ResultCache",
    "Row",
    "Rows",
    "Verdict",
    "data_folder",
    "default_folder",
    "experiment",
    "experiments",
    "recorded",
    "run_experiment",
]
