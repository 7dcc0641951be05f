"""Figure 4: accuracy of the whole workflow against the total budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row, Rows
from reproductions.stoddard.bars import MAJORITY, SELECTORS, workflow
from reproductions.stoddard.held_out_sets import TWEETS
from reproductions.stoddard.word_filter import Filter, accuracy, majority
from reproductions.verdict import Claim, Verdict

_OURS = "l1-counts, no selection"
_WORKFLOWS: dict[str, tuple[Filter, Role]] = {
    **{name: (workflow(name), role) for name, (_, role) in SELECTORS.items()},
    _OURS: (Filter(model="l1-counts"), "ours"),
}


# Section 5.1.4 says of Twitter and Reuters: "we see the accuracy begin to approach the majority
# classifier as the total budget is reduced to 0.1", with no number. A mere fall would only repeat
# the other trend, and to be at the majority is more than "begin": that at most half of the lead at
# the largest budget is left is our reading, between the two; beside the verdict stand those of
# two neighbours.
_LEFT, _NEIGHBOURS = 0.5, (0.25, 0.75)


@dataclass(frozen=True)
class _Configuration:
    folds: int = 10
    epsilons: tuple[str, ...] = ("1", "0.5", "0.25", "0.1")
    data: tuple[str, ...] = ("tweets", "sms", "reuters")


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for name in configuration.data:
        if not materials.available(name):
            continue
        title = materials.title(name)
        design = materials.design(name, TWEETS if name == "tweets" else None)
        for epsilon in configuration.epsilons:
            yield Row(title, MAJORITY, "exact", float(epsilon), majority(design))
            for method, (chosen, role) in _WORKFLOWS.items():
                value = accuracy(design, chosen, epsilon, folds=configuration.folds)
                yield Row(title, method, role, float(epsilon), value)


def _judge(rows: Rows) -> Verdict:
    best = {
        panel: {
            x: max(row.value for row in rows.panel(panel) if row.x == x and _selects(row))
            for x in rows.places(panel)
        }
        for panel in rows.panels
    }
    high, low = (pick(x for x in rows.places(rows.panels[0])) for pick in (max, min))
    fell = [found[low] < found[high] for found in best.values()]
    hard = [panel for panel in rows.panels if panel != "SMS"]
    above = {
        panel: [best[panel][x] - rows.value(panel, MAJORITY, x) for x in (high, low)]
        for panel in hard
    }
    valid = {
        (panel, x): max(
            row.value for row in rows.panel(panel) if row.x == x and row.role == "published"
        )
        for panel in rows.panels
        for x in rows.places(panel)
    }
    gaps = [rows.value(panel, _OURS, x) - value for (panel, x), value in valid.items()]
    return Verdict(
        (
            Claim(
                "Accuracy falls with the total budget.",
                all(fell),
                "; ".join(
                    f"{panel}: {found[high]:.3f} to {found[low]:.3f}"
                    for panel, found in best.items()
                ),
            ),
            Claim(
                "On the harder data sets the best workflow begins to approach the majority class "
                "as epsilon is reduced to 0.1 (in our reading: at least half of its lead is gone).",
                _approaches(above, _LEFT),
                "; ".join(
                    f"{panel}: {first:+.3f} above it, then {last:+.3f}"
                    for panel, (first, last) in above.items()
                ),
                readings=tuple(
                    (f"at most {left:.0%} of it left", _approaches(above, left))
                    for left in _NEIGHBOURS
                ),
            ),
        ),
        f"l1-counts without selection is {sum(gaps) / len(gaps):+.3f} above the best valid "
        f"workflow on average ({min(gaps):+.3f} to {max(gaps):+.3f}).",
    )


def _approaches(above: dict[str, list[float]], left: float) -> bool:
    return all(last <= left * first for first, last in above.values())


def _selects(row: Row) -> bool:
    return row.role in ("published", "broken")


EXPERIMENT = Experiment(
    name="stoddard-figure-4",
    figures="Figure 4",
    title="Accuracy against the total budget",
    claim="Under the same split and sampling the accuracy falls with the budget, and on the harder "
    "data sets it begins to approach that of the majority classifier at epsilon 0.1.",
    published="noisy-scores, cluster-published and threshold-testing-published (PTT) on total "
    "counts before truncated-counts naive Bayes; cluster with the noise that it needs",
    sound="l1-counts naive Bayes on all words",
    chart=Chart(panel="data set", x="epsilon", y="accuracy", log_x=True),
    data=("tweets", "sms", "reuters"),
    full=_Configuration(),
    quick=replace(_Configuration(), folds=4),
    measure=_measure,
    judge=_judge,
    formula=r"\epsilon = \epsilon_{\text{select}} + \epsilon_{\text{train}}",
)
