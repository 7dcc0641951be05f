"""The two kinds of matrix that an encoded table can be."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from dpcore._typing import FloatArray

SparseMatrix: TypeAlias = "csr_array[np.float64, tuple[int, int]]"
Matrix: TypeAlias = "FloatArray | SparseMatrix"
