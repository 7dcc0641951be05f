"""A private ROC curve with its account and its bands, in one call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dpcore._typing import ArrayLike, FloatArray, Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation.estimates import EstimateRelease
from dpcore.evaluation.roc import bands
from dpcore.evaluation.roc.curve import Bins, RocCurve
from dpcore.evaluation.roc.operating import OperatingCurve
from dpcore.evaluation.scores_of import account_of, evaluation, told
from dpcore.exported import floats
from dpcore.noise import NoiseSource
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Ledger, Neighbors, Number, Part
from dpcore.registry import Registry


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RocRelease(OperatingCurve, EstimateRelease):
    """A released ROC curve: nothing in it is private.

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points,)
        From (0, 0) to (1, 1), both non-decreasing.
    thresholds : float array, shape (points,)
        Falling from infinity to zero; a score of at least the threshold counts as positive.
    method : str
        Name of the method.
    parameters : mapping
        Its parameters.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`.
    bins : Bins, optional
        Released counts from which bands are computed, when asked for; None if there are no bands.
    """

    KIND: ClassVar[str] = "ROC curve"
    # The infinite threshold is null.
    READ: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "thresholds": lambda told: np.nan_to_num(floats(told), nan=np.inf, posinf=np.inf)
    }

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    method: str
    parameters: Mapping[str, Any]
    bins: Bins | None = None

    @cached_property
    def auc(self) -> float:
        """Area under the curve."""
        return RocCurve(self.fpr, self.tpr, self.thresholds).auc

    @property
    def fpr_band(self) -> FloatArray | None:
        """Lower and upper fpr at each point, shape (2, points); None if the method has no band."""
        return self._band.fpr if self._band else None

    @property
    def tpr_band(self) -> FloatArray | None:
        """Lower and upper tpr at each point, shape (2, points); None if the method has no band."""
        return self._band.tpr if self._band else None

    @cached_property
    def envelope(self) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """The region of the curve: fpr, lower and upper tpr, shape (m,) each, for drawing.

        It is smaller than the boxes of `fpr_band` and `tpr_band`, which hold the rates at every
        threshold: see `curve_region`.
        """
        return bands.curve_region(self.bins, self.confidence) if self.bins else None

    @cached_property
    def sampling_band(self) -> bands.Band | None:
        """The "sampling + privacy" band, for the population; None if the method has no band.

        If the records are independent draws from it. The other bands are for these very records.
        """
        return bands.population_band(self.bins, self.confidence) if self.bins else None

    @cached_property
    def sampling_envelope(self) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """The "sampling + privacy" band as one region, like `envelope`."""
        return bands.envelope(self.sampling_band) if self.sampling_band else None

    @cached_property
    def auc_interval(self) -> Interval | None:
        """Interval for the area under the test-set curve; None if the method has none."""
        return bands.auc_interval(self.bins, self.auc, self.confidence) if self.bins else None

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any area possible; False without an interval to tell by."""
        return self.auc_interval is not None and leaves_everything(*self.auc_interval)

    @cached_property
    def _band(self) -> bands.Band | None:
        """The boxes of `rate_band`, each stretched to the smoothed rates where they lie beyond."""
        if self.bins is None:
            return None
        pairs = zip(bands.rate_band(self.bins, self.confidence), (self.fpr, self.tpr), strict=True)
        return bands.Band(*(bands.stretched(*one) for one in pairs))

    def beside(self) -> dict[str, Any]:
        """Area and bands, which are computed again from what was released."""
        names = "auc", "auc_interval", "fpr_band", "tpr_band"
        return {name: getattr(self, name) for name in names}


roc_methods = Registry("dpcore.evaluation.roc", "ROC method")


def private_roc_curve(
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None = None,
    *,
    epsilon: Number,
    method: str = "quantile-bins",
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    confidence: float = 0.9,
    pos_label: object = None,
    scale: ScoreScale | str = PROBABILITY,
    bounds: Interval | None = None,
    **method_parameters: Any,
) -> RocRelease:
    """Release a differentially private ROC curve of private labels and scores.

    Parameters
    ----------
    y_true : array-like, shape (n,), or ScoreHistogram
        Class of each record; whatever equals `pos_label` is positive. A histogram holds labels and
        scores already.
    y_score : array-like, shape (n,), optional
        The greater, the more likely the positive class; left out with a histogram. Thresholds are
        those of the score between 0 and 1 that its scale makes of it.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole curve; positive.
    method : str, default "quantile-bins"
        A name from `roc_methods`.
    neighbors : Neighbors or str, default "add-remove"
        Under "replace" the number of records is public.
    noise : NoiseSource, optional
        `SystemNoise` by default; `SeededNoise` makes a simulation.
    ledger : Ledger, optional
        Where the loss is charged; a new one of just this loss by default.
    part : Part, optional
        The disjoint share of the records that these are, such as the test part of a split.
    confidence : float, default 0.9
        Of bands and interval, between 0 and 1.
    pos_label : object, optional
        1 if left out, which is allowed where labels are numbers; a simulation warns if they are
        others than 0 and 1, or -1 and 1.
    scale : {"probability", "percent", "log-odds", "any"}, default "probability"
        What the scores are; see `ScoreHistogram.from_arrays`.
    bounds : (float, float), optional
        Public ends of the scale "any".
    **method_parameters
        As declared by the method.

    Returns
    -------
    RocRelease

    Raises
    ------
    InvalidArgument
        If an argument is out of range; in a simulation also if labels are no numbers and
        `pos_label` is left out, or a score is not on its scale.
    UnknownMethod
        If no method has that name.
    PrivacyError
        If the method is BROKEN and the noise real, the ledger cannot afford epsilon, or its
        neighbour relation is another. Nothing is charged or drawn then.

    Warns
    -----
    UserWarning
        With real noise, if what was released says nothing: then there are too few records, or
        `pos_label` or `scale` are not those of the file, which nothing else may tell.

    Privacy
        epsilon-DP in the given relation, by the guarantee of the method. With real noise no record
        makes an error: one without a label or a usable score is left out, or under "replace", where
        it counts, a negative with the lowest score. A list of labels that are not all numbers needs
        `pos_label`: without it, 1 is positive.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> scores = [0.1, 0.2, 0.7, 0.9] * 250
    >>> curve = private_roc_curve([0, 0, 1, 1] * 250, scores, epsilon=1, noise=SeededNoise(1))
    >>> curve.auc > 0.95, curve.simulated, len(curve.charges)
    (True, True, 3)
    """
    declared = roc_methods.get(method)
    parameters = declared.check(method_parameters)
    with evaluation(
        "ROC curve", y_true, y_score, method=declared, epsilon=epsilon, neighbors=neighbors,
        noise=noise, ledger=ledger, part=part, confidence=confidence, pos_label=pos_label,
        scale=scale, bounds=bounds,
    ) as (scores, loss, gate):  # fmt: skip
        curve = declared.run(scores, loss=loss, gate=gate, **parameters).thinned()
    about = account_of(gate, confidence)
    release = RocRelease(**vars(curve), method=method, parameters=parameters, **about)
    if gate.simulated:
        return release
    return told(release, y_true, one_class=release.bins is not None and release.bins.of_one_class)
