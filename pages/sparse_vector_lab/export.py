"""What can be taken away from the sparse vector laboratory."""

import json
from dataclasses import asdict
from operator import attrgetter

from dpcore.publications.publication import csv_text
from pages.sparse_vector_lab import algorithms, choices, errors, run
from pages.sparse_vector_lab.choices import LabChoice
from pages.widgets.score_pages import File

Rows = list[tuple[object, ...]]


def files(choice: LabChoice) -> list[File]:
    """Buttons for the present view."""
    stem = f"sparse-vector-{choice.view}-simulation"
    return [
        ("CSV", f"{stem}.csv", lambda: csv_text(*_table(choice))),
        ("JSON", f"{stem}.json", lambda: as_json(choice)),
    ]


def as_json(choice: LabChoice) -> str:
    """The choices and the rows."""
    header, rows = _table(choice)
    told = {name: str(value) for name, value in asdict(choice).items()}
    document = {
        "simulation": True,
        "seed": choices.seed(),
        "choices": told,
        "rows": [dict(zip(header, row, strict=True)) for row in rows],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _table(choice: LabChoice) -> tuple[tuple[str, ...], Rows]:
    return {"run": _run, "algorithms": _algorithms, "errors": errors.rows}[choice.view](choice)


def _run(choice: LabChoice) -> tuple[tuple[str, ...], Rows]:
    drawn = ("score", "query_noise", "threshold_noise", "noisy_score", "noisy_threshold")
    header = ("query", "item", *drawn, "answer", "budget_left", "round")
    rows: Rows = []
    for place, query in enumerate(run.trace(choice).queries, start=1):
        numbers, answer = attrgetter(*drawn)(query), "yes" if query.passed else "no"
        left = float(query.budget_left)
        rows.append((place, query.index + 1, *numbers, answer, left, query.round))
    return header, rows


def _algorithms(choice: LabChoice) -> tuple[tuple[str, ...], Rows]:
    header = ("algorithm", choice.across, "log_probability_d", "log_probability_d2", "loss")
    rows: Rows = [
        # A logarithm of zero is written as a word: JSON has no infinity.
        (algorithm, *(_finite(value) for value in point))
        for algorithm, one in algorithms.series(choice).items()
        for point in zip(
            one.at.tolist(),
            one.log_here.tolist(),
            one.log_there.tolist(),
            one.loss.tolist(),
            strict=True,
        )
    ]
    return header, rows


def _finite(value: float) -> float | str:
    return value if abs(value) != float("inf") else ("infinite" if value > 0 else "-infinite")
