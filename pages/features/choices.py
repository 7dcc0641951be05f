"""What can be chosen on the features page, beside the study itself: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcore.curves.selection.threshold_agreement import by_threshold
from dpcore.selection import selectors
from pages.session import page_fields

VIEWS = ("scores", "thresholds", "budget", "rows", "free")
MEASURES = ("f1", "jaccard", "precision", "recall")
METRICS = ("accuracy", "auc")
ACROSS = ("share", "total")
MOST_METHODS, MOST_RUNS = 6, 20
DEFAULTS = {
    "features_view": "scores",
    "features_measure": "f1",
    "features_metric": "accuracy",
    "features_across": "share",
    "features_runs": "3",
    "features_researchers": "no",
    "features_methods": "noisy-scores,cluster,sparse-vector,threshold-testing-published",
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class FeaturesChoice:
    """Checked choices of the page."""

    view: str
    measure: str
    metric: str
    across: str
    runs: int
    methods: tuple[str, ...]

    def able(self, score: str) -> list[str]:
        """The chosen methods that can select by a threshold on a score."""
        return [name for name in self.methods if name in by_threshold(score)]


def read(chosen: Mapping[str, str]) -> FeaturesChoice:
    """The choices of the page; raises `InvalidArgument`."""
    known = {"view": VIEWS, "measure": MEASURES, "metric": METRICS, "across": ACROSS}
    told = {
        name: page_fields.one_of(words, chosen, f"features_{name}") for name, words in known.items()
    }
    methods = page_fields.several(selectors(), chosen, "features_methods", most=MOST_METHODS)
    runs = page_fields.whole(chosen, "features_runs", 1, MOST_RUNS)
    return FeaturesChoice(**told, runs=runs, methods=methods)
