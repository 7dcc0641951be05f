"""What counted scores say of a model: ROC curve, distributions and calibration in one account."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpcore import _check
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument
from dpcore.evaluation import (
    AucRelease,
    CalibrationRelease,
    ConfusionRelease,
    EcdfRelease,
    RocRelease,
    ecdf_of_scores,
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_roc_curve,
)
from dpcore.evaluation.ecdf.api import SIDES, private_class_ecdfs
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Ledger, Loss, Neighbors, Number, charges_as_json

EVALUATIONS = ("roc", "auc", "threshold", "ecdf", "calibration")
_ECDF_POINTS = 1024


@dataclass(frozen=True, eq=False)
class ScoreEvaluation:
    """Releases about one set of scores.

    Parameters
    ----------
    ledger
        With every charge.
    seed
        None for a private release.
    threshold
        The confusion matrix at a public threshold.
    ecdf : (EcdfRelease, EcdfRelease), optional
        Of negatives and of positives.
    truth
        The exact counts on the public cells, in a simulation only; see `ExactScores` for what
        cells may merge.
    """

    ledger: Ledger
    seed: int | None
    roc: RocRelease | None = None
    auc: AucRelease | None = None
    threshold: ConfusionRelease | None = None
    ecdf: tuple[EcdfRelease, EcdfRelease] | None = None
    calibration: CalibrationRelease | None = None
    truth: ScoreHistogram | None = None

    @property
    def simulated(self) -> bool:
        """Whether anyone can repeat the noise."""
        return self.seed is not None

    def to_json(self) -> str:
        """Everything released, as JSON text; exact figures only of a simulation."""
        document: dict[str, Any] = {
            "simulated": self.simulated,
            "seed": self.seed,
            "neighbors": self.ledger.neighbors.value,
            "epsilon": str(self.ledger.spent.epsilon),
            "charges": charges_as_json(self.ledger.charges),
        }
        for name in ("roc", "auc", "threshold", "calibration"):
            release = getattr(self, name)
            if release is not None:
                document[name] = json.loads(release.to_json())
        if self.ecdf is not None:
            classes = ("negatives", "positives")
            document["ecdf"] = {
                name: json.loads(release.to_json())
                for name, release in zip(classes, self.ecdf, strict=True)
            }
        if self.truth is not None:
            counts = {"positives": self.truth.n_positive, "negatives": self.truth.n_negative}
            left_out = {"left_out": self.truth.left_out}
            area = {"auc": self.truth.auc(), "of": "the public cells"}
            document["truth"] = counts | left_out | area
        return json.dumps(document, indent=2, sort_keys=True) + "\n"


def evaluate_scores(
    scores: ScoreHistogram,
    *,
    epsilon: Number,
    wanted: Sequence[str] = ("roc",),
    method: str = "quantile-bins",
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    seed: int | None = None,
    confidence: float = 0.9,
    threshold: float = 0.5,
) -> ScoreEvaluation:
    """Release what is wanted, each for an equal share of epsilon.

    Parameters
    ----------
    epsilon
        Privacy loss of everything together.
    wanted : sequence of {"roc", "auc", "threshold", "ecdf", "calibration"}
        At least one.
    method : str, default "quantile-bins"
        Of the ROC curve.
    neighbors : Neighbors or str, default "add-remove"
    seed
        Makes a simulation, with the exact counts beside; the system's entropy if left out.
    confidence : float, default 0.9
        Of bands and intervals.
    threshold : float, default 0.5
        Of the confusion matrix.

    Raises
    ------
    InvalidArgument, UnknownMethod, PrivacyError
        Before anything is drawn.

    Privacy
        epsilon-DP. Shares add up exactly; the distributions of positives and negatives are of
        disjoint records, so each of them has the whole share of "ecdf".

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 0, 1, 1] * 250, [0.1, 0.2, 0.7, 0.9] * 250)
    >>> found = evaluate_scores(scores, epsilon=1, wanted=("roc", "ecdf"), seed=1)
    >>> str(found.ledger.spent), found.roc.auc > 0.9, found.calibration
    ('epsilon 1', True, None)
    """
    if not wanted or not set(wanted) <= set(EVALUATIONS):
        raise InvalidArgument("wanted", wanted, f"some of {', '.join(EVALUATIONS)}")
    loss = Loss(epsilon)
    _check.positive(epsilon=loss.epsilon)
    _check.in_range(0, 1, threshold=threshold)
    order = [name for name in EVALUATIONS if name in wanted]
    share = dict(zip(order, loss.split([1] * len(order)), strict=True))
    ledger = Ledger(loss, Neighbors.of(neighbors))
    account = _Account(ledger, share, seed, confidence)
    found: dict[str, Any] = {}
    if "roc" in share:
        found["roc"] = private_roc_curve(scores, method=method, **account.of("roc"))
    if "auc" in share:
        found["auc"] = private_auc(scores, **account.of("auc"))
    if "threshold" in share:
        asked = {"threshold": threshold} | account.of("threshold")
        found["threshold"] = private_confusion_matrix(scores, **asked)
    if "ecdf" in share:
        negatives, positives = (ecdf_of_scores(scores, side, points=_ECDF_POINTS) for side in SIDES)
        told = account.of("ecdf")
        told["noises"] = tuple(account.noise(f"ecdf {side}") for side in SIDES)
        del told["noise"]
        found["ecdf"] = private_class_ecdfs((negatives, positives), **told)[:2]
    if "calibration" in share:
        found["calibration"] = private_calibration(scores, **account.of("calibration"))
    truth = None if seed is None else scores
    return ScoreEvaluation(ledger=ledger, seed=seed, truth=truth, **found)


@dataclass(frozen=True)
class _Account:
    """What every release is told of ledger, noise and its share of the loss."""

    ledger: Ledger
    share: Mapping[str, Loss]
    seed: int | None
    confidence: float

    def noise(self, name: str) -> NoiseSource:
        return SystemNoise() if self.seed is None else SeededNoise(self.seed).child(name)

    def of(self, name: str) -> dict[str, Any]:
        return {
            "epsilon": self.share[name].epsilon,
            "neighbors": self.ledger.neighbors,
            "noise": self.noise(f"{name} all"),
            "ledger": self.ledger,
            "confidence": self.confidence,
        }
