"""A federation over the test scores of a study, and what it costs: no Streamlit in here."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dpcore import Charge, Neighbors, federated
from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import TooFewParties
from dpcore.federated.ecdf import TwoClassRates
from dpcore.federated.ring64 import Words
from dpcore.federated.session import honest_shares
from dpcore.postprocess.monotone import leaves_everything
from dpcore.study import Workflow
from pages.federated_ecdf.choices import FederatedChoice

# Names the stream of its noise. Of the usual seed it is a typical one: both curves of the samples
# are off by 0.2 to 1.5 times the middle of many draws.
STAGE = "federated counts"


# More would only take longer: the noise does not grow with them.
MOST_RECORDS = 1000

BINS = 16


@dataclass(frozen=True, eq=False)
class FederatedResult:
    """What the federation published, beside the truth."""

    choice: FederatedChoice
    grid: FloatArray
    records: int
    truth: FloatArray
    true_rates: TwoClassRates
    # Parties, records of the largest, bits of a cell, and the threshold.
    sizes: tuple[int, int, int, int]
    costs: Mapping[str, federated.TrafficCost]
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
    roc: federated.FederatedRoc | None = None

    @property
    def error(self) -> float:
        """Largest distance of the two curves on the grid; of an ROC curve that of the areas."""
        if self.roc is not None:
            return abs(self.roc.auc - self.true_rates.auc)
        return float(np.abs(self.curve - self.truth).max())

    @property
    def says_nothing(self) -> bool:
        """Whether the band leaves any curve possible, but at the last point, which is 1."""
        if self.roc is not None:
            return leaves_everything(*self.roc.auc_interval)
        lower, upper = self.band[:, :-1].mean(axis=1).tolist()
        return leaves_everything(lower, upper)

    @property
    def histogram(self) -> IntArray:
        """How cells, or bytes of masked words, lie in their range, shape (BINS,)."""
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


def holding_of(scores: ScoreHistogram, points: int) -> federated.Holding:
    """Test scores, at most a thousand of them, evenly chosen, on the grid."""
    values, labels = federated.records_of(scores, MOST_RECORDS)
    return federated.Holding.of_values(values, grid_of(points), labels)


def asked(choice: FederatedChoice) -> dict[str, Any]:
    """What a trust model is told beside the plan."""
    if choice.trust.name != "secure-aggregation":
        return {}
    lost = dict.fromkeys(range(choice.lost), "inbox")
    return {"threshold": choice.threshold, "colluders": choice.colluders, "lost": lost}


def honest(choice: FederatedChoice) -> int:
    """Parties of a masked sum that stay at least, and whose shares of noise no observer knows."""
    return honest_shares(choice.threshold, asked(choice).get("colluders", 0))


def run(
    choice: FederatedChoice, scores: ScoreHistogram, *, study: Workflow, **account: Any
) -> FederatedResult:
    """Form the federation and publish its curve, charged to an account."""
    neighbors, noise = study.neighbors, study.evaluation_noise.source(STAGE)
    labelled = federated.divided(holding_of(scores, choice.points), choice.parties)
    of_one_class = tuple(replace(one, classes=0 * one.classes) for one in labelled)
    holdings = labelled if choice.classes == 2 else of_one_class
    depth = (choice.points - 1).bit_length()
    plan = federated.Plan(
        depth=depth, classes=choice.classes, epsilon=choice.epsilon, neighbors=neighbors
    )
    options = asked(choice)
    # The first parties drop out.
    remaining = labelled[len(options.get("lost", ())) :]
    formed: federated.Aggregator = choice.trust.run(
        holdings, plan, noise=noise, **account, **options
    )
    sizes = choice.parties, holdings[0].size, depth, choice.threshold
    columns = zip(*((one.cells, one.classes) for one in remaining), strict=True)
    pooled = federated.Holding(*map(np.concatenate, columns))
    exact = pooled.counts_up_to(np.arange(choice.points), replace(plan, classes=2))
    known: dict[str, Any] = {
        "choice": choice,
        "grid": grid_of(choice.points),
        "records": pooled.size,
        "truth": exact.sum(axis=0) / max(pooled.size, 1),
        "true_rates": TwoClassRates.of(exact),
        "sizes": sizes,
        "costs": federated.federated_costs(*sizes, choice.classes),
        "charges": formed.charges,
        "stayed": len(remaining),
    }
    try:
        records = pooled.size if neighbors is Neighbors.REPLACE else None
        published = _published(formed, known["grid"], choice, records)
    except TooFewParties as error:
        return FederatedResult(**known, refused=str(error))
    redrawn = federated.federated_errors(
        remaining, plan, choice.points, honest=honest(choice), records=records, noise=noise
    )
    return FederatedResult(**known, **published, redrawn=redrawn)


def _published(
    formed: federated.Aggregator, grid: FloatArray, choice: FederatedChoice, records: int | None
) -> dict[str, Any]:
    ecdf = federated.FederatedEcdf(formed, grid, records=records)
    if choice.classes == 2:
        found = {"roc": federated.federated_roc(ecdf), "asked": choice.points}
        return {**found, "full_noises": formed.full_noises, "seen": formed.seen}
    curve = ecdf.curve()
    # After the curve, so that the search reads what is known already.
    quantile = ecdf.inverse(choice.q)
    return {
        "curve": curve,
        "band": ecdf.band(),
        "full_noises": formed.full_noises,
        "quantile": quantile,
        "asked": formed.plan.depth,
        "seen": formed.seen,
    }
