"""Small records of two classes: a number, a job of two levels, and three words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from dpcore.curves.model_curves.trainers import EncodedSplit
from dpcore.schema import Design
from tests.models._every_method import data
from tests.models._records import SPACE

TRAIN, TEST = 400, 200


def records(seed: int = 0, *, sparse: bool = False) -> EncodedSplit:
    """Records that a model can learn from."""
    X, y = data(TRAIN + TEST, seed=seed)
    matrix = csr_array(X) if sparse else X
    design = Design(matrix, SPACE, y.astype(np.int64))
    first = np.arange(TRAIN + TEST) < TRAIN
    return EncodedSplit(design.rows(first), design.rows(~first), 2, 1, f"records {seed}")


def without_test(given: EncodedSplit) -> EncodedSplit:
    """The same to train on, and nobody to test on."""
    return replace(given, test=given.test.rows(np.zeros(TEST, dtype=bool)))
