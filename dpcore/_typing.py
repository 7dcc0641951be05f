"""Array types shared by every layer: NumPy's two and those named after what they hold."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray as NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

# The lowest and the highest of what a number may be.
Interval: TypeAlias = tuple[float, float]

# An object of JSON, as Plotly's traces, layouts and axes are.
Json: TypeAlias = dict[str, Any]
