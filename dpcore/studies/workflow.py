"""The old name of `dpcore.study`, for one minor version."""

import warnings

from dpcore.study import *  # noqa: F403
from dpcore.study import __all__ as __all__

warnings.warn(
    "dpcore.studies.workflow is dpcore.study now; the old name ends with 0.3",
    FutureWarning,
    stacklevel=2,
)
