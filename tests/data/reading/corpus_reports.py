"""Tables with what people put around them: groups of names above, figures below, two tables."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from tests.data.reading.corpus import (
    AGES,
    LABELS,
    OTHERS,
    PROBABILITIES,
    ids,
    people,
    rows_of,
    scores_beside,
    table,
    words,
    workbook,
)

_ROWS = rows_of({"Label": LABELS, "Score": PROBABILITIES})
_PLAIN = table({"id": ids, "label": LABELS, "score": PROBABILITIES})
_LEVELS = {("proba", "0"): 1 - PROBABILITIES, ("proba", "1"): PROBABILITIES, ("truth", "y"): LABELS}
_MODELS = {"i": ids, "y": LABELS, "p": PROBABILITIES, "q": OTHERS}
_RATED = {"verdict": words("safe", "unsafe")[::-1], "human": words("safe", "unsafe")}
_RECORDS = pd.DataFrame(scores_beside("y", "p")).to_dict("records")
_NAMED = {"label": "Label", "scores": ("Score",)}

REPORTS: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
    (
        "columns of two levels",
        "pandas writes groups above the names, and an index without one",
        pd.DataFrame(_LEVELS).to_csv(),
        {"label": "y", "scores": ("1",)},
    ),
    (
        "merged groups",
        "models above columns that are called alike",
        workbook(
            [
                ["Patient", None, "Model A", "Model B"],
                ["ID", "Outcome", "Prob", "Prob"],
                *rows_of(_MODELS)[1:],
            ]
        ),
        {"label": "Outcome", "scores": ("Prob", "Prob_2")},
    ),
    (
        "a cover and an empty column",
        "names and their values above, and nothing in the first column",
        workbook(
            [["Run 7"], ["Author:", None, "Ada"], [], [None, "Label", "Score"]]
            + [[None, *row] for row in _ROWS[1:]]
        ),
        _NAMED,
    ),
    (
        "figures above",
        "rows of a figure each, without a line between",
        workbook([["AUC", 0.81], ["n", 60], ["Threshold", 0.5], *_ROWS]),
        _NAMED,
    ),
    (
        "settings above",
        "as many cells as the table has, and a blank line",
        "run,a7\nmodel,xgb\nauc,0.81\n\n" + table(scores_beside("label", "score")),
        {},
    ),
    (
        "a table below",
        "figures and a confusion matrix, each behind a blank row",
        workbook([*_ROWS, [], ["AUC", 0.8], [], ["Matrix"], [None, "pred 0"], ["true 0", 40]]),
        _NAMED,
    ),
    (
        "filters below",
        "a cell of several lines, as dashboards write it",
        table(scores_beside("label", "score")) + '\n"Filters:\nYear is 2026\nWard is A"\n',
        {},
    ),
    (
        "figures below",
        "mean, deviation and count, which do not say sum",
        _PLAIN + "Mean,0.3,0.4\nSD,0.4,0.2\nCount,60,60\n",
        {},
    ),
    (
        "the other class alone",
        "the only score is of class 0",
        table({"y": LABELS, "proba_0": 1 - PROBABILITIES}),
        {"label": "y", "positive": "0", "scores": ("proba_0",)},
    ),
    (
        "judged",
        "what a person said stands beside what a model said",
        table({**_RATED, "score": PROBABILITIES}),
        {"label": "human", "positive": "unsafe"},
    ),
    (
        "one object before the records",
        "how many there are, before a list of them",
        json.dumps({"meta": {"n": 60}, "records": _RECORDS}),
        {"label": "y", "scores": ("p",)},
    ),
]  # fmt: skip

REPORT_TABLES: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
    (
        "unsure beside the sex",
        "a label that a few rows leave unsaid is of two classes",
        table(people(frail=np.where(AGES < 30, "unknown", words("no", "yes")))),
        {"label": "frail", "positive": "yes"},
    ),
]
