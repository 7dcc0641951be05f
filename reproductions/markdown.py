"""Results as text: a Markdown report and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from math import isfinite

from reproductions.experiment import Experiment
from reproductions.result import Result
from reproductions.rows import ROLES, Rows, X

Pair = tuple[Experiment, Result]


def shown_number(value: float) -> str:
    """A number with three digits that matter.

    Examples
    --------
    >>> shown_number(0.93712), shown_number(1234.5), shown_number(0.00071)
    ('0.937', '1,234', '0.00071')
    """
    if not isfinite(value):
        return "infinite"
    if value != 0.0 and abs(value) < 0.01:
        return f"{value:.2g}"
    digits = 3 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{digits}f}"


def panel_table(rows: Rows, panel: str) -> tuple[list[str], list[list[str]]]:
    """One part of a figure as a table: a line for each method, a column for each place.

    Examples
    --------
    >>> from reproductions.rows import Row
    >>> panel_table(Rows((Row("SMS", "best", "ours", 1.0, 0.5),)), "SMS")[0]
    ['method', '', '1']
    """
    part = rows.panel(panel)
    places = part.places(panel)
    found = {(row.method, row.x): row for row in part}
    lines = []
    for method in part.methods():
        role = next(row.role for row in part if row.method == method)
        cells = [
            shown_number(found[method, x].value) if (method, x) in found else "" for x in places
        ]
        lines.append([method, ROLES[role], *cells])
    return ["method", "", *(_place(x) for x in places)], lines


def _place(x: X) -> str:
    return x if isinstance(x, str) else f"{x:g}"


def markdown_section(experiment: Experiment, result: Result) -> str:
    """Everything about one experiment, as a section of a report."""
    judgement = experiment.judge(result.rows)
    lines = [
        f"## {experiment.paper.name}, {experiment.figures}: {experiment.title}",
        "",
        f"`{experiment.name}`: {judgement.verdict}, {result.seconds:.0f} s.",
        "",
        f"**The paper's claim.** {experiment.claim}",
        "",
        f"**Published, run again.** {experiment.published}.",
        "",
        f"**Sound.** {experiment.sound}.",
        "",
        *_table(
            ["trend", "here", "figure"],
            [[trend.claim, f"**{trend.word}**", trend.finding] for trend in judgement.trends],
        ),
        "",
        f"**The gap.** {judgement.gap}",
        "",
    ]
    for panel in () if experiment.chart.kind == "curves" else result.rows.panels:
        header, cells = panel_table(result.rows, panel)
        header[0] = f"{panel} ({experiment.chart.y}; {experiment.chart.x} to the right)"
        lines += [*_table(header, cells), ""]
    settings = "quick" if result.quick else "full"
    lines += [
        (
            f"Settings ({settings}): {experiment.settings(result.quick)}. "
            f"Configuration {result.digest}. All noise is simulated."
        ),
        "",
        f"Data. {' '.join(result.sources) or 'Generated, as in the paper.'}",
        "",
    ]
    return "\n".join(lines)


def markdown_report(pairs: Sequence[Pair]) -> str:
    """All experiments: one table of every trend, then a section for each.

    Parameters
    ----------
    pairs : sequence of (Experiment, Result)
    """
    judged = [(experiment, experiment.judge(result.rows)) for experiment, result in pairs]
    trends = [trend for _, judgement in judged for trend in judgement.trends]
    count = sum(trend.seen for trend in trends)
    rows = [
        [f"{experiment.paper.name}, {experiment.figures}", trend.claim, trend.word, trend.finding]
        for experiment, judgement in judged
        for trend in judgement.trends
    ]
    return "\n".join(
        [
            "# Reproductions of the papers",
            "",
            (
                f"{len(pairs)} {'experiment' if len(pairs) == 1 else 'experiments'}, {count} of "
                f"{len(trends)} trends seen. Every verdict is computed from the numbers below; all "
                "noise is simulated from fixed seeds."
            ),
            "",
            *_table(["experiment", "the paper's claim", "here", "figure"], rows),
            "",
            *(markdown_section(*pair) for pair in pairs),
        ]
    )


def csv_text(experiment: Experiment, result: Result) -> str:
    """All rows of a result, with the columns named by its chart."""
    chart, text = experiment.chart, io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((chart.panel, "method", "role", chart.x, chart.y))
    for row in result.rows:
        writer.writerow((row.panel, row.method, ROLES[row.role], _place(row.x), repr(row.value)))
    return text.getvalue()


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [_line(header), _line(["---"] * len(header))]
    return lines + [_line(row) for row in rows]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
