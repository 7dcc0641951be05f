"""Figure 5: how to split the budget, and how many words of a text to count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Row, Rows
from reproductions.stoddard.held_out_sets import SETS, TWEETS
from reproductions.stoddard.word_filter import Filter, accuracy
from reproductions.verdict import Claim, Verdict

_PUBLISHED, _OURS = "noisy-scores", "l1-counts, no selection"
_SPLIT, _RATE = "share of epsilon for the selection", "words per text"


@dataclass(frozen=True)
class _Configuration:
    folds: int = 10
    epsilon: str = "1"
    shares: tuple[str, ...] = ("0.1", "0.3", "0.5", "0.7", "0.9")
    per_text: tuple[int, ...] = (1, 2, 5, 10, 20, 40)


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    epsilon, folds = configuration.epsilon, configuration.folds
    for name in SETS:
        title = materials.title(name)
        design = materials.design(name, TWEETS if name == "tweets" else None)
        ours = accuracy(design, Filter(model="l1-counts"), epsilon, folds=folds)
        for share in configuration.shares:
            chosen = Filter(selector=_PUBLISHED, share=share, per_text=None)
            value = accuracy(design, chosen, epsilon, folds=folds)
            yield Row(f"{title}: {_SPLIT}", _PUBLISHED, "published", float(share), value)
            yield Row(f"{title}: {_SPLIT}", _OURS, "ours", float(share), ours)
        for most in configuration.per_text:
            chosen = Filter(selector=_PUBLISHED, share="0.5", per_text=most)
            value = accuracy(design, chosen, epsilon, folds=folds)
            yield Row(f"{title}: {_RATE}", _PUBLISHED, "published", float(most), value)
            yield Row(f"{title}: {_RATE}", _OURS, "ours", float(most), ours)


def _judge(rows: Rows) -> Verdict:
    best = {
        panel: (rows.places(panel)[curve.index(max(curve))], max(curve))
        for panel in rows.panels
        for curve in [rows.curve(panel, _PUBLISHED)]
    }
    splits = {panel: at for panel, (at, _) in best.items() if panel.endswith(_SPLIT)}
    rates = {panel: at for panel, (at, _) in best.items() if panel.endswith(_RATE)}
    moderate = [
        rows.places(panel)[0] < at < rows.places(panel)[-1]  # type: ignore[operator]
        for panel, at in rates.items()
    ]
    gaps = [rows.curve(panel, _OURS)[0] - value for panel, (_, value) in best.items()]
    return Verdict(
        (
            Claim(
                "An equal split between selection and training is best.",
                all(at == 0.5 for at in splits.values()),
                "; ".join(f"{panel.split(':')[0]}: best at {at}" for panel, at in splits.items()),
                "accuracy hardly changes around the best share, so that a few folds decide",
            ),
            Claim(
                "A moderate number of words per text is best: fewer lose information, more need "
                "more noise.",
                all(moderate),
                "; ".join(f"{panel.split(':')[0]}: best at {at}" for panel, at in rates.items()),
            ),
        ),
        "l1-counts has neither setting, and is "
        f"{min(gaps):+.3f} to {max(gaps):+.3f} from the best of each panel.",
    )


EXPERIMENT = Experiment(
    name="stoddard-figure-5",
    figures="Figure 5",
    title="Budget split and sampling rate",
    claim="Score perturbation is best when selection and classification share the budget equally, "
    "and at a moderate sampling rate.",
    published="noisy-scores on total counts before truncated-counts naive Bayes",
    sound="l1-counts naive Bayes on all words, drawn as a level",
    chart=Chart(panel="data set and setting", x="setting", y="accuracy"),
    data=SETS,
    full=_Configuration(),
    quick=replace(_Configuration(), folds=4),
    measure=_measure,
    judge=_judge,
    formula=r"\epsilon = \epsilon_{\text{select}} + \epsilon_{\text{train}}, \quad "
    r"\Delta = r + 1",
)
