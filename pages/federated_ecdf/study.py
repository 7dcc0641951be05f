"""A federation over the test scores of a study, and what it costs: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import TooFewParties
from dpcore.federated import (
    Aggregator,
    FederatedEcdf,
    FederatedRoc,
    Holding,
    Plan,
    divided,
    federated_roc,
    records_of,
)
from dpcore.federated.ecdf import TwoClassRates
from dpcore.federated.key_server import child_noise, intervals_of, shared_intervals
from dpcore.federated.ring64 import Words
from dpcore.federated.trust_models import trust_models
from dpcore.mechanisms import Mechanism
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.postprocess import isotonic
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Charge, Ledger, Neighbors, Part
from dpcore.release import release
from pages.federated_ecdf.choices import FederatedChoice

REDRAWS = 100
# Names the stream of its noise.
STAGE = "federated"


def errors(
    choice: FederatedChoice,
    counts: IntArray,
    plan: Plan,
    *,
    records: int | None,
    noise: NoiseSource,
) -> Mapping[str, FloatArray]:
    """Error of each redraw, sorted, by trust model: the largest of the curve, or that of the AUC.

    Parameters
    ----------
    choice : FederatedChoice
    counts : int array, shape (classes, points)
        Exact numbers of records up to each grid point.
    plan : Plan
    records : int, optional
        The public number of records; else it is a noisy count.
    noise : NoiseSource
        Simulated.
    """
    found = {}
    for name, (mechanism, roles) in _roles(choice, plan).items():
        numbers = sum(
            _drawn(mechanism, plan, child_noise(noise, f"redraws of {name}, role {role}"))
            for role in range(roles)
        )
        places = intervals_of(np.arange(counts.shape[1]), plan.depth)
        noisy = counts + np.asarray(numbers)[:, :, places].sum(axis=3)
        if plan.classes == 2:
            area = TwoClassRates.of(counts).auc
            found[name] = np.sort([abs(TwoClassRates.of(one).auc - area) for one in noisy])
            continue
        truth = counts[0] / max(int(counts[0, -1]), 1)
        found[name] = np.sort([_error(row[0], truth, records) for row in noisy])
    return found


def _roles(
    choice: FederatedChoice, plan: Plan
) -> dict[str, tuple[Mechanism[IntArray, IntArray], int]]:
    """What draws the noise in each trust model, and how many draw it."""
    masked = choice.trust.name == "secure-aggregation"
    honest = choice.threshold - (choice.colluders if masked else 0)
    stayed = choice.parties - (choice.lost if masked else 0)
    return {
        "trusted-curator": (plan.whole_noise(), 1),
        "secure-aggregation": (plan.share_of_noise(honest), stayed),
        "function-secret-sharing": (plan.whole_noise(), 2),
    }


def _drawn(mechanism: Mechanism[IntArray, IntArray], plan: Plan, noise: NoiseSource) -> IntArray:
    """One role's noise of every interval, a row for each redraw."""
    zeros = np.zeros((REDRAWS, plan.classes, plan.intervals), dtype=np.int64)
    ledger = Ledger(plan.loss, plan.neighbors)
    return release(mechanism, zeros, label="simulated redraws", ledger=ledger, noise=noise).value


def _error(noisy: IntArray, truth: FloatArray, records: int | None) -> float:
    total = float(max(int(noisy[-1]) if records is None else records, 1))
    curve = isotonic(noisy, low=0.0, high=total) / total
    return float(np.abs(curve - truth).max())


# More would only take longer: the noise does not grow with them.
MOST_RECORDS = 1000

BINS = 16

NINETY_PERCENT = 1.645


@dataclass(frozen=True)
class Cost:
    """Messages and bytes between all roles, before the first evaluation and for each."""

    messages: int
    size: int
    each_messages: int
    each_size: int

    def total(self, evaluations: IntArray | int) -> Any:
        """Bytes for so many evaluations."""
        return self.size + self.each_size * evaluations


@dataclass(frozen=True, eq=False)
class FederatedResult:
    """What the federation published, beside the truth."""

    choice: FederatedChoice
    grid: FloatArray
    records: int
    truth: FloatArray
    true_rates: TwoClassRates
    costs: Mapping[str, Cost]
    charges: tuple[Charge, ...]
    full_noises: float = 1.0
    stayed: int = 0
    redrawn: Mapping[str, FloatArray] = field(default_factory=dict)
    refused: str = ""
    curve: FloatArray | None = None
    band: FloatArray | None = None
    quantile: float = float("nan")
    asked: int = 0
    seen: Mapping[str, Words] | None = None
    roc: FederatedRoc | None = None

    @property
    def error(self) -> float:
        """Largest distance of the two curves on the grid; of an ROC curve that of the areas."""
        if self.roc is not None:
            return abs(self.roc.auc - self.true_rates.auc)
        assert self.curve is not None
        return float(np.abs(self.curve - self.truth).max())

    @property
    def says_nothing(self) -> bool:
        """Whether the band leaves any curve possible, but at the last point, which is 1."""
        if self.roc is not None:
            return leaves_everything(*self.roc.auc_interval)
        assert self.band is not None
        lower, upper = self.band[:, :-1].mean(axis=1).tolist()
        return leaves_everything(lower, upper)

    @property
    def histogram(self) -> IntArray:
        """How cells, or bytes of masked words, lie in their range, shape (BINS,)."""
        assert self.seen is not None
        words = np.concatenate([one.reshape(-1) for one in self.seen.values()])
        if "curator" in self.seen:
            places, top = words.astype(np.int64), self.grid.size
        else:
            # Of masked words, every byte should look like any other.
            places, top = words.view(np.uint8).astype(np.int64), 256
        return np.bincount(np.minimum(places * BINS // top, BINS - 1), minlength=BINS)


def grid_of(points: int) -> FloatArray:
    """The public grid of scores."""
    return np.linspace(1.0 / points, 1.0, points)


def holding_of(scores: ScoreHistogram, points: int) -> Holding:
    """Test scores, at most a thousand of them, evenly chosen, on the grid."""
    values, labels = records_of(scores, MOST_RECORDS)
    return Holding.of_values(values, grid_of(points), labels)


def asked(choice: FederatedChoice) -> dict[str, Any]:
    """What a trust model is told beside the plan."""
    if choice.trust.name != "secure-aggregation":
        return {}
    lost = dict.fromkeys(range(choice.lost), "inbox")
    return {"threshold": choice.threshold, "colluders": choice.colluders, "lost": lost}


def run(
    choice: FederatedChoice,
    scores: ScoreHistogram,
    *,
    neighbors: Neighbors,
    noise: NoiseSource,
    ledger: Ledger,
    part: Part | None,
) -> FederatedResult:
    """Form the federation and publish its curve."""
    whole = holding_of(scores, choice.points)
    both = divided(whole, choice.parties)
    # One distribution function is of the records of either class.
    holdings = tuple(
        one if choice.classes == 2 else Holding(one.cells, np.zeros_like(one.classes))
        for one in both
    )
    depth = (choice.points - 1).bit_length()
    plan = Plan(depth=depth, classes=choice.classes, epsilon=choice.epsilon, neighbors=neighbors)
    options = asked(choice)
    gone = len(options.get("lost", ()))
    formed: Aggregator = choice.trust.run(
        holdings, plan, noise=noise, ledger=ledger, part=part, **options
    )
    grid = grid_of(choice.points)
    stayed = Holding(*(np.concatenate(c) for c in _columns(both[gone:])))
    of_each = stayed.counts_up_to(np.arange(choice.points), replace(plan, classes=2))
    counts = of_each if choice.classes == 2 else of_each.sum(axis=0, keepdims=True)
    known: dict[str, Any] = {
        "choice": choice,
        "grid": grid,
        "records": stayed.size,
        "truth": of_each.sum(axis=0) / max(stayed.size, 1),
        "true_rates": TwoClassRates.of(of_each),
        "costs": costs(choice.parties, holdings[0].size, depth, choice.threshold, choice.classes),
        "charges": formed.charges,
        "stayed": choice.parties - gone,
    }
    try:
        records = stayed.size if neighbors is Neighbors.REPLACE else None
        published = _published(formed, grid, choice, records)
    except TooFewParties as error:
        return FederatedResult(**known, refused=str(error))
    redrawn = errors(choice, counts, plan, records=records, noise=noise)
    return FederatedResult(**known, **published, redrawn=redrawn)


def _columns(holdings: tuple[Holding, ...]) -> tuple[list[IntArray], list[IntArray]]:
    return [one.cells for one in holdings], [one.classes for one in holdings]


def _published(
    formed: Aggregator, grid: FloatArray, choice: FederatedChoice, records: int | None
) -> dict[str, Any]:
    ecdf = FederatedEcdf(formed, grid, records=records)
    if choice.classes == 2:
        return {
            "roc": federated_roc(ecdf),
            "full_noises": formed.full_noises,
            "asked": choice.points,
            "seen": formed.seen,
        }
    curve = ecdf.curve()
    # After the curve, so that the search reads what is known already.
    quantile = ecdf.inverse(choice.q)
    reach = NINETY_PERCENT * _deviation(formed, curve, records is not None) / ecdf.total
    return {
        "curve": curve,
        "band": np.clip(np.stack([curve - reach, curve + reach]), 0.0, 1.0),
        "full_noises": formed.full_noises,
        "quantile": quantile,
        "asked": formed.plan.depth,
        "seen": formed.seen,
    }


def _deviation(formed: Aggregator, curve: FloatArray, total_is_public: bool) -> FloatArray:
    """Standard deviation of the noise of each share, in records: count minus share of total."""
    plan, last = formed.plan, curve.size - 1
    with_total = shared_intervals(np.arange(curve.size), plan.depth)[:, last]
    own = plan.depth + 1.0
    variance = np.full(curve.size, own)
    if not total_is_public:
        variance += curve**2 * own - 2.0 * curve * with_total
    return np.sqrt(np.maximum(variance, 0.0) * plan.noise_variance * formed.full_noises)


@lru_cache(maxsize=16)
def costs(
    parties: int, capacity: int, depth: int, threshold: int, classes: int = 1
) -> Mapping[str, Cost]:
    """Messages and bytes of each trust model, measured on records that are all alike."""
    alike = Holding(np.zeros(capacity, dtype=np.int64), np.zeros(capacity, dtype=np.int64))
    plan = Plan(depth=depth, classes=classes, epsilon=None)
    found = {}
    for name, method in trust_models().items():
        options = {"threshold": threshold} if name == "secure-aggregation" else {}
        formed = method.run([alike] * parties, plan, noise=SeededNoise(0), **options)
        before = len(formed.traffic.sent), sum(one.size for one in formed.traffic)
        formed.sums([0])
        after = len(formed.traffic.sent), sum(one.size for one in formed.traffic)
        found[name] = Cost(*before, after[0] - before[0], after[1] - before[1])
    return found
