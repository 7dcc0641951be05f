"""Figure 1: naive Bayes on words that were selected privately."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row, Rows
from reproductions.stoddard.bars import exact_bars, private_bars
from reproductions.stoddard.held_out_sets import TWEETS
from reproductions.stoddard.word_filter import PTT, Filter, accuracy
from reproductions.verdict import Claim, Verdict, agree

_OURS = "l1-counts, no selection"
_SAMPLED, _WHOLE = "all words, 10 per text", "all words"
# Accuracies of few folds: less than this is no difference.
_AS_GOOD = 0.01


@dataclass(frozen=True)
class _Configuration:
    folds: int = 10
    epsilon: str = "1"
    words: int = 60
    data: tuple[str, ...] = ("tweets", "sms", "reuters")


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
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
        yield _WHOLE, "published", Filter(per_text=None), "All"
    yield _SAMPLED, "published", Filter(), "All"
    yield from private_bars(configuration.words)
    yield _OURS, "ours", Filter(model="l1-counts"), "All"


def _judge(rows: Rows) -> Verdict:
    ptt, cluster, noisy = (
        {panel: rows.value(panel, method, "TC") for panel in rows.panels}
        for method in (PTT, "cluster-published", "noisy-scores")
    )
    ours = {panel: rows.value(panel, _OURS, "All") for panel in rows.panels}
    ordered = [ptt[panel] >= cluster[panel] >= noisy[panel] for panel in rows.panels]
    best = {
        panel: max(row.value for row in rows.panel(panel) if row.role == "published")
        for panel in rows.panels
    }
    return Verdict(
        (
            _sampling(rows),
            _selecting(rows),
            Claim(
                "PTT with TC is more accurate than clustering with TC, and that more than noisy "
                "scores with TC.",
                all(ordered),
                _figures({"PTT": ptt, "cluster": cluster, "noisy scores": noisy}),
                "the paper prints neither its thresholds nor its number of clusters",
            ),
            _total_count(rows),
        ),
        "One release of weighted counts (l1-counts), from which no words need be selected, against "
        f"the best valid bar: {_figures({'ours': ours, 'published': best})}. PTT is not private.",
    )


def _sampling(rows: Rows) -> Claim:
    panels = [panel for panel in rows.panels if rows.curve(panel, _WHOLE)]
    sampled, whole = (
        {panel: rows.value(panel, method, "All") for panel in panels}
        for method in (_SAMPLED, _WHOLE)
    )
    return Claim(
        "Even though it throws data away, sampling raises the accuracy on all words.",
        all(sampled[panel] > whole[panel] for panel in panels),
        _figures({"sampled": sampled, "whole texts": whole}),
    )


def _selecting(rows: Rows) -> Claim:
    found = {panel: [row.value for row in _bars(rows, panel)] for panel in rows.panels}
    higher = {
        panel: sum(value > rows.value(panel, _SAMPLED, "All") for value in values)
        for panel, values in found.items()
    }
    return Claim(
        "Most ways to select words are more accurate than all words with 10 per text.",
        all(2 * count > len(found[panel]) for panel, count in higher.items()),
        "; ".join(f"{panel}: {n} of {len(found[panel])} bars" for panel, n in higher.items()),
    )


def _total_count(rows: Rows) -> Claim:
    """The paper: in all data sets and with all private ways to select."""
    pairs = {
        f"{row.method} with {row.x}, {panel}": (rows.value(panel, row.method, "TC"), row.value)
        for panel in rows.panels
        for row in _bars(rows, panel)
        if row.x != "TC"
    }
    better = {name: pair for name, pair in pairs.items() if not agree([pair], _AS_GOOD)[0]}
    count, of = len(pairs) - len(better), len(pairs)
    worst = "; ".join(
        f"{name} {other:.3f}, TC {total:.3f}" for name, (total, other) in better.items()
    )
    return Claim(
        "TC is as good as the other scores or better, with every way to select.",
        not better,
        f"in {count} of {of} comparisons" + (f"; {worst}" if better else ""),
        "DC has the same sensitivity as TC, and PTT perturbs no score",
    )


def _bars(rows: Rows, panel: str) -> list[Row]:
    """The paper's bars that select words."""
    return [
        row for row in rows.panel(panel) if row.method in (PTT, "cluster-published", "noisy-scores")
    ]


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
    claim="At a total epsilon of 1, sampling raises the accuracy of private naive Bayes and most "
    "ways to select features raise it more; PTT is better than clustering, clustering better than "
    "score perturbation; and the simple total count does as well as any other score.",
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
