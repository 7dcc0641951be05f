"""Texts as sets of hashed words, with their classes, and the folds of a comparison."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks._model_sets import SETS
from dpcore.schema import Label, Schema, Text, encode
from dpcore.schema.space import SparseMatrix
from tests._real_data import real_data_folder

FOLDS, LONGEST = 10, 60


@dataclass(frozen=True)
class Messages:
    """Rows of words, one column per public bucket."""

    rows: SparseMatrix
    y: NDArray[np.int64]

    @classmethod
    def of_sms(cls) -> Messages:
        """The SMS messages."""
        return cls.of(SETS["sms"].read(real_data_folder() / SETS["sms"].file), ("ham", "spam"))

    @classmethod
    def of_tweets(cls, number: int) -> Messages:
        """The first so many tweets, with their sentiment."""
        path = real_data_folder() / "sentiment140_sample20k.csv.gz"
        frame = pd.read_csv(path, dtype=str, nrows=number).rename(columns={"target": "label"})
        return cls.of(frame, ("0", "4"))

    @classmethod
    def of(cls, frame: pd.DataFrame, classes: tuple[str, str]) -> Messages:
        """Columns "text" and "label", hashed to 4,096 buckets."""
        text = Text("text", buckets=4096, max_words=LONGEST)
        design = encode(frame, Schema((text, Label("label", classes))))
        # Rows are cut off in the order of the columns: a public random order favours no word.
        order = np.random.default_rng(0).permutation(design.matrix.shape[1])
        return cls(design.matrix[:, order], design.y)

    def split(self, fold: int) -> tuple[Messages, Messages]:
        """Train and test part."""
        mine = np.random.default_rng(1).integers(0, FOLDS, self.y.size) == fold
        return Messages(self.rows[~mine], self.y[~mine]), Messages(self.rows[mine], self.y[mine])
