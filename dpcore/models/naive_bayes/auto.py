"""The default: which method depends on the kinds of the columns, which are public."""

from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.attributes import CountedMethod
from dpcore.models.naive_bayes.histogram import histogram, sure
from dpcore.models.naive_bayes.l1_counts import l1_counts
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate


def auto(
    training: Training, *, loss: Loss, gate: Gate, calibration: str = "fitted"
) -> AdditiveModel:
    """Train by `l1_counts` if the schema has a text, else by `histogram`.

    Sensitivity
        That of the method chosen.
    Privacy
        epsilon. The choice reads the schema, never a record.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'class sizes again', 'range of numbers', 'histograms of 3 cells', 'calibration']
    """
    method = l1_counts if training.space.has_words else histogram
    return method(training, loss=loss, gate=gate, calibration=calibration)


METHOD = CountedMethod.told(
    "auto",
    __file__,
    run=auto,
    sure=lambda training, **told: not training.space.has_words and sure(training, **told),
    histograms=True,
)
