"""The old name of `dpcore.data.reading`, for one minor version."""

import warnings

from dpcore.data.reading import *  # noqa: F403
from dpcore.data.reading import __all__ as __all__

_MOVED = "dpcore.intake is dpcore.data.reading now; the old name ends with 0.3"
warnings.warn(_MOVED, FutureWarning, stacklevel=2)
