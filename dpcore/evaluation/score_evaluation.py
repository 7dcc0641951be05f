"""What counted scores say of a model: ROC curve, distributions and calibration in one account."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpcore import _check, evaluation
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation.ecdf.api import SIDES, private_class_ecdfs
from dpcore.evaluation.scores_of import evaluation_loss
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Ledger, Neighbors, Number, charges_as_json

EVALUATIONS = ("roc", "auc", "threshold", "groups", "compare", "classes", "ecdf", "calibration")


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
    groups
        The same and the AUC for each group of the records.
    compare
        Another model on the same records.
    classes
        Each class against the rest, and the mean of their AUCs.
    ecdf
        Of negatives and of positives.
    truth
        The exact counts on the public cells, in a simulation only; see `ExactScores` for what
        cells may merge.
    scale : ScoreScale, default that of probabilities
        In whose units reports write scores.
    """

    ledger: Ledger
    seed: int | None
    roc: evaluation.RocRelease | None = None
    auc: evaluation.AucRelease | None = None
    threshold: evaluation.ConfusionRelease | None = None
    groups: evaluation.GroupRelease | None = None
    compare: evaluation.ComparisonRelease | None = None
    classes: evaluation.MacroAucRelease | None = None
    ecdf: tuple[evaluation.EcdfRelease, evaluation.EcdfRelease] | None = None
    calibration: evaluation.CalibrationRelease | None = None
    truth: ScoreHistogram | None = None
    scale: ScoreScale = PROBABILITY

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
        found = {name: getattr(self, name) for name in EVALUATIONS if name != "ecdf"}
        document |= {name: one.as_json() for name, one in found.items() if one is not None}
        if self.ecdf is not None:
            both = zip(SIDES, self.ecdf, strict=True)
            document["ecdf"] = {side: one.as_json() for side, one in both}
        if self.truth is not None:
            counts = {"positives": self.truth.n_positive, "negatives": self.truth.n_negative}
            left_out = {"left_out": self.truth.left_out}
            area = {"auc": self.truth.auc(), "of": "the public cells"}
            document["truth"] = counts | left_out | area
        # A line for each release; Python indents ten times slower, a line for each number.
        lines = (
            f"  {json.dumps(name)}: {json.dumps(document[name], sort_keys=True)}"
            for name in sorted(document)
        )
        return "{\n" + ",\n".join(lines) + "\n}\n"


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
    groups: Mapping[object, ScoreHistogram] | None = None,
    models: Sequence[ScoreHistogram] | None = None,
    classes: Mapping[str, ScoreHistogram] | None = None,
    scale: ScoreScale = PROBABILITY,
) -> ScoreEvaluation:
    """Release what is wanted, each for an equal share of epsilon.

    Parameters
    ----------
    epsilon
        Privacy loss of everything together.
    wanted
        At least one of `EVALUATIONS`.
    method
        Of the ROC curve.
    seed
        Makes a simulation, with the exact counts beside; the system's entropy if left out.
    confidence
        Of bands and intervals.
    threshold
        Of the confusion matrix, and of the alarms in groups.
    groups : mapping of ScoreHistogram, optional
        Counted scores by level, and of all other records last; for "groups".
    models : two ScoreHistogram, optional
        Counted scores of the model and of another, of the records that have both; for "compare".
    classes : mapping of ScoreHistogram, optional
        Counted scores of each class against the rest, by its name; for "classes".
    scale : ScoreScale, default that of probabilities
        What the scores were counted as, for reports.

    Raises
    ------
    InvalidArgument, UnknownMethod, PrivacyError
        Before anything is drawn.

    Privacy
        epsilon-DP. Shares add up exactly; all groups together have the share of "groups". The
        distributions of positives and negatives are of disjoint records, so each of them has the
        whole share of "ecdf".

    Examples
    --------
    >>> scores = ScoreHistogram.from_arrays([0, 0, 1, 1] * 250, [0.1, 0.2, 0.7, 0.9] * 250)
    >>> found = evaluate_scores(scores, epsilon=1, wanted=("roc", "ecdf"), seed=1)
    >>> str(found.ledger.spent), found.roc.auc > 0.9, found.calibration
    ('epsilon 1', True, None)
    """
    if not wanted or not set(wanted) <= set(EVALUATIONS):
        raise InvalidArgument("wanted", wanted, f"some of {', '.join(EVALUATIONS)}")
    for name, given in (("groups", groups), ("compare", models), ("classes", classes)):
        if name in wanted and given is None:
            raise InvalidArgument("wanted", name, "left out, or given with what it is counted from")
    order = [name for name in EVALUATIONS if name in wanted]
    loss = evaluation_loss(epsilon, several=len(order))
    _check.in_range(0, 1, threshold=threshold)
    ledger, each = Ledger(loss, Neighbors.of(neighbors)), (loss / len(order)).epsilon
    account = {"neighbors": ledger.neighbors, "ledger": ledger}
    told: dict[str, Any] = {"epsilon": each, "confidence": confidence, **account}
    release: dict[str, Callable[..., Any]] = {
        "roc": partial(evaluation.private_roc_curve, scores, method=method),
        "auc": partial(evaluation.private_auc, scores),
        "threshold": partial(evaluation.private_confusion_matrix, scores, threshold=threshold),
        "groups": partial(by_group, groups or {}, threshold=threshold),
        "compare": partial(evaluation.private_model_comparison, models or ()),
        "classes": partial(by_class, classes or {}),
        "ecdf": partial(_class_ecdfs, scores, seed),
        "calibration": partial(evaluation.private_calibration, scores),
    }
    found = {name: release[name](noise=_noise(seed, f"{name} all"), **told) for name in order}
    truth = None if seed is None else scores
    return ScoreEvaluation(ledger=ledger, seed=seed, truth=truth, scale=scale, **found)


def _noise(seed: int | None, name: str) -> NoiseSource:
    return SystemNoise() if seed is None else SeededNoise(seed).child(name)


def by_group(groups: Mapping[Any, ScoreHistogram], **told: Any) -> evaluation.GroupRelease:
    """Evaluate the counted scores of each level, and of all other records last."""
    *levels, _ = groups
    return evaluation.private_group_evaluation(list(groups.values()), levels=levels, **told)


def by_class(classes: Mapping[str, ScoreHistogram], **told: Any) -> evaluation.MacroAucRelease:
    """Evaluate the counted scores of each class against the rest."""
    return evaluation.private_macro_auc(list(classes.values()), classes=list(classes), **told)


def _class_ecdfs(
    scores: ScoreHistogram, seed: int | None, *, noise: NoiseSource, **told: Any
) -> tuple[evaluation.EcdfRelease, evaluation.EcdfRelease]:
    """Both distributions, each with noise of its own."""
    one, other = (evaluation.ecdf_of_scores(scores, side, points=1024) for side in SIDES)
    noises = _noise(seed, f"ecdf {SIDES[0]}"), _noise(seed, f"ecdf {SIDES[1]}")
    return private_class_ecdfs((one, other), noises=noises, **told)[:2]
