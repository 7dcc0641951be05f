"""Kinds of evaluation that need one score of each record, and nothing else."""

OF_ONE_SCORE = ("roc", "auc", "threshold", "ecdf", "calibration")
