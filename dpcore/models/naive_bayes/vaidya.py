"""The naive Bayes of Vaidya et al., with what was private in its noise repaired."""

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import Laplace
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.attributes import fit_attributes
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method
from dpcore.release import Gate


def vaidya(training: Training, *, loss: Loss, gate: Gate, allocation: float) -> AdditiveModel:
    """Train on noisy counts, means and standard deviations, noise in proportion to global ones.

    As published the noise of a mean has scale (upper - lower) / (n_c epsilon'), and that of a
    standard deviation (upper - lower) / (sqrt(n_c) epsilon'), with the exact class size n_c: the
    scale gives away a private number. Here the sum, and the root of the sum of squared deviations,
    get noise of the scale (upper - lower) / epsilon' / 2 and (upper - lower) / epsilon', and are
    divided by the noisy class size and its root afterwards. Classes are declared, not read off.

    Sensitivity
        On the scale of [-1, 1], per numeric feature and for records added or removed: the sum moves
        by at most 1. Adding a record adds at most d^2 p / (p + 1) < 4 to the squared deviations Q
        of p others, d <= 2 its distance from their mean, so sqrt(Q) moves by less than 2. *Replace*
        is a removal and an addition, perhaps in another class: 2 and 4.
    Privacy
        epsilon, in up to four charges; see `fit_attributes`.

    References
    ----------
    J. Vaidya, B. Shafiq, A. Basu, Y. Hong (2013), Differentially private naive Bayes
    classification, WI-IAT. doi:10.1109/WI-IAT.2013.80

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(method="vaidya", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'means', 'standard deviations']
    """
    return fit_attributes(training, loss=loss, gate=gate, allocation=allocation, numbers=_numbers)


def _numbers(
    training: Training, sizes: FloatArray, for_means: Loss, for_deviations: Loss, gate: Gate
) -> tuple[FloatArray, FloatArray]:
    sums, roots = training.sums_and_roots
    steps = gate.neighbors.steps * training.rows.numeric.shape[1]
    on_sums = Laplace(l1_sensitivity=steps, **gate.terms(for_means))
    on_roots = Laplace(l1_sensitivity=2 * steps, **gate.terms(for_deviations))
    noisy_sums = gate.release(on_sums, sums, label="means")
    noisy_roots = gate.release(on_roots, roots, label="standard deviations")
    counts = np.maximum(sizes, 1.0)[:, np.newaxis]
    return noisy_sums / counts, noisy_roots / np.sqrt(counts)


METHOD = Method.told(
    "vaidya",
    __file__,
    run=vaidya,
    guarantee=Guarantee.proven("Dwork et al. 2006, Proposition 1, for each of the releases"),
)
