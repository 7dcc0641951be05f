"""Tables with text become sparse, others dense."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from dpcore.schema import Numeric, Schema, Text, encode

TABLE = pd.DataFrame({"age": [30.0], "message": ["free"]})


def test_a_table_without_text_is_dense() -> None:
    matrix = encode(TABLE, Schema((Numeric("age", (0, 99)),))).matrix
    assert isinstance(matrix, np.ndarray)
    assert matrix.dtype == np.float64
    assert matrix.flags.c_contiguous


def test_a_table_with_text_is_sparse() -> None:
    matrix = encode(TABLE, Schema((Numeric("age", (0, 99)), Text("message", 8)))).matrix
    assert isinstance(matrix, csr_array)
    assert matrix.dtype == np.float64
    assert matrix.shape == (1, 9)
