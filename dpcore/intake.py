"""The old name of `dpcore.data.reading`, for one minor version."""

import warnings

from dpcore.data.reading import (
    OPENML_NAMES,
    Dialect,
    Limits,
    Predictions,
    Problem,
    Sample,
    Upload,
    fetch_openml,
    openml_schema,
    read_dataset,
    read_predictions,
    samples,
    split_records,
    suggest_schema,
    validate,
)

__all__ = [
    "OPENML_NAMES",
    "Dialect",
    "Limits",
    "Predictions",
    "Problem",
    "Sample",
    "Upload",
    "fetch_openml",
    "openml_schema",
    "read_dataset",
    "read_predictions",
    "samples",
    "split_records",
    "suggest_schema",
    "validate",
]

warnings.warn(
    "dpcore.data.reading is dpcore.data.reading now; the old name ends with 0.3",
    FutureWarning,
    stacklevel=2,
)
