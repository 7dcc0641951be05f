"""Encoded batches: rows of no class are left out, others are as one table would be."""

from __future__ import annotations

import numpy as np

from dpcore.data.counting.encoded_rows import column_names, encoded
from tests.data.counting._tables import SCHEMA, people


def test_columns_are_the_features_and_the_label() -> None:
    assert column_names(SCHEMA) == ("age", "weight", "smokes", "job", "ill")


def test_batches_are_encoded_one_by_one() -> None:
    frame = people(50)
    batches = [{name: part[name].to_numpy() for name in frame} for part in (frame[:20], frame[20:])]
    rows = list(encoded(batches, SCHEMA))
    kept = frame[frame["ill"] != "?"]
    classes = np.concatenate([codes for _, codes in rows])
    assert [("no", "maybe", "yes")[code] for code in classes] == kept["ill"].tolist()
    assert sum(bounded.n_rows for bounded, _ in rows) == len(kept)
