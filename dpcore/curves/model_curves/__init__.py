"""The computations behind the page on models: simulations beside the truth; nothing is released."""

from dpcore.curves.model_curves.comparison import (
    AccuracyPlan,
    RuntimePlan,
    accuracy_curves,
    runtimes,
)
from dpcore.curves.model_curves.effects import feature_effects
from dpcore.curves.model_curves.trainers import (
    MEASURES,
    Confusion,
    EncodedSplit,
    Measures,
    Trainer,
    confusion,
    measured,
    trainer,
)

__all__ = ["MEASURES", "AccuracyPlan", "Confusion", "EncodedSplit", "Measures", "RuntimePlan"]
__all__ += ["Trainer", "accuracy_curves", "confusion", "feature_effects", "measured", "runtimes"]
__all__ += ["trainer"]
