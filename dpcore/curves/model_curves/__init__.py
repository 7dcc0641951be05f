"""The computations behind the page on models: simulations beside the truth; nothing is released."""

from dpcore.curves.model_curves.comparison import (
    AccuracyPlan,
    RuntimePlan,
    accuracy_curves,
    runtimes,
)
from dpcore.curves.model_curves.effects import feature_effects
from dpcore.curves.model_curves.trainers import EncodedSplit, Measures, Trainer, confusion

__all__ = ["AccuracyPlan", "EncodedSplit", "Measures", "RuntimePlan", "Trainer", "accuracy_curves"]
__all__ += ["confusion", "feature_effects", "runtimes"]
