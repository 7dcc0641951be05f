"""Figure 1: naive Bayes on words that were selected privately."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpcore.studies.papers.experiment import Chart, Experiment
from dpcore.studies.papers.judgement import Judgement, Trend
from dpcore.studies.papers.materials import Materials
from dpcore.studies.papers.rows import Role, Row, Rows
from dpcore.studies.papers.stoddard.bars import exact_bars, private_bars
from dpcore.studies.papers.stoddard.held_out_sets import TWEETS
from dpcore.studies.papers.stoddard.word_filter import PTT, Filter, accuracy

__all__ = ["EXPERIMENT"]

_OURS, _SAMPLED = "l1-counts, no selection", "all words, 10 per text"


@dataclass(frozen=True)
class _Configuration:
    folds: int = 10
    epsilon: str = "1"
    words: int = 60
    data: tuple[str, ...] = ("tweets", "sms", "reuters")


def _measure(configuration: _Configuration, materials: Materials) -> Iterator[Row]:
    for name in configuration.data:
        if not materials.available(name):
            continue
        title, folds = materials.title(name), configuration.folds
        design = materials.design(name, TWEETS if name == "tweets" else None)
        yield from exact_bars(design, title, "naive-bayes", folds=folds)
        for method, role, chosen, x in _private(configuration, name):
            value = accuracy(design, chosen, configuration.epsilon, folds=folds)
            yield Row(title, method, role, x, value)


def _private(configuration: _Configuration, name: str) -> Iterator[tuple[str, Role, Filter, str]]:
    if name != "reuters":
        # An article has no bound on its length, and so the paper leaves this bar out.
        yield "all words", "published", Filter(per_text=None), "All"
    yield _SAMPLED, "published", Filter(), "All"
    yield from private_bars(configuration.words)
    yield _OURS, "ours", Filter(model="l1-counts"), "All"


def _judge(rows: Rows) -> Judgement:
    ptt, noisy, ours = (
        {panel: rows.value(panel, method, x) for panel in rows.panels}
        for method, x in ((PTT, "TC"), ("noisy-scores", "TC"), (_OURS, "All"))
    )
    sampled = {panel: rows.value(panel, _SAMPLED, "All") for panel in rows.panels}
    cluster = {panel: rows.value(panel, "cluster-published", "TC") for panel in rows.panels}
    ordered = [ptt[panel] >= cluster[panel] >= noisy[panel] for panel in rows.panels]
    helped = [ptt[panel] > sampled[panel] for panel in rows.panels]
    gain = [rows.value(panel, "noisy-scores", "IG") for panel in rows.panels]
    weak = [noisy[panel] >= value for panel, value in zip(rows.panels, gain, strict=True)]
    best = {
        panel: max(row.value for row in rows.panel(panel) if row.role == "published")
        for panel in rows.panels
    }
    return Judgement(
        (
            Trend(
                "Selecting words (PTT with TC) is more accurate than training on all of them with "
                "10 per text.",
                all(helped),
                _figures({"PTT": ptt, "all": sampled}),
            ),
            Trend(
                "PTT with TC is more accurate than clustering with TC, and that more than noisy "
                "scores with TC.",
                all(ordered),
                _figures({"PTT": ptt, "cluster": cluster, "noisy scores": noisy}),
                "the paper prints neither its thresholds nor its number of clusters",
            ),
            Trend(
                "With noisy scores, TC is as good as IG or better, whose sensitivity is high.",
                all(weak),
                "; ".join(
                    f"{panel}: TC {noisy[panel]:.3f}, IG {value:.3f}"
                    for panel, value in zip(rows.panels, gain, strict=True)
                ),
            ),
        ),
        "One release of weighted counts (l1-counts), from which no words need be selected, against "
        f"the best valid bar: {_figures({'ours': ours, 'published': best})}. PTT is not private.",
    )


def _figures(named: dict[str, dict[str, float]]) -> str:
    panels = next(iter(named.values()))
    return "; ".join(
        f"{panel}: " + ", ".join(f"{name} {values[panel]:.3f}" for name, values in named.items())
        for panel in panels
    )


EXPERIMENT = Experiment(
    name="stoddard-figure-1",
    figures="Figure 1",
    title="Naive Bayes on selected words",
    claim="At a total epsilon of 1, private feature selection raises the accuracy of private naive "
    "Bayes; PTT is better than clustering, clustering better than score perturbation; and the "
    "simple total count does as well as information gain.",
    published="noisy-scores, cluster-published and threshold-testing-published (PTT) before "
    "truncated-counts naive Bayes; cluster with the noise that it needs",
    sound="l1-counts naive Bayes on all words: selection is free post-processing of its counts",
    chart=Chart(panel="data set", x="feature score", y="accuracy", kind="bars"),
    data=("tweets", "sms", "reuters"),
    full=_Configuration(),
    quick=replace(_Configuration(), folds=4),
    measure=_measure,
    judge=_judge,
    formula=r"\epsilon = \epsilon_{\text{select}} + \epsilon_{\text{train}}",
)
