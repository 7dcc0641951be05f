"""What can be chosen on the features page, beside the study itself: no Streamlit in here."""

from dataclasses import dataclass

from dpcore.curves.selection.threshold_agreement import by_threshold
from dpcore.selection import selectors
from pages.session import page_fields
from pages.session.page_fields import choice
from pages.session.text import OPTIONS

MEASURES, METRICS = OPTIONS["features_measure"], OPTIONS["features_metric"]
# What an accuracy is compared with.
MAJORITY = "always the larger class"
MOST_METHODS, MOST_RUNS = 6, 20
# The methods that are compared first.
USUAL = "noisy-scores,cluster,sparse-vector,threshold-testing-published"


@dataclass(frozen=True)
class FeaturesChoice:
    """Checked choices of the page."""

    view: str = choice("scores", page_fields.one_of)
    measure: str = choice("f1", page_fields.one_of)
    metric: str = choice("auc", page_fields.one_of)
    across: str = choice("share", page_fields.one_of)
    runs: int = choice("3", page_fields.whole, 1, MOST_RUNS)
    researchers: bool = choice("no", page_fields.flag)
    methods: tuple[str, ...] = choice(USUAL, page_fields.several, selectors, most=MOST_METHODS)

    def able(self, score: str) -> list[str]:
        """The chosen methods that can select by a threshold on a score."""
        return [name for name in self.methods if name in by_threshold(score)]


DEFAULTS, read = page_fields.declared(FeaturesChoice, "features_")
