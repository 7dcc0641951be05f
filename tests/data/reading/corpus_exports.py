"""Files of labels and scores as programs write them."""

from __future__ import annotations

import json
from typing import Any

from tests.data.reading.corpus import LABELS, OTHERS, PROBABILITIES, ids, table, words

EXPORTS: list[tuple[str, str, str, dict[str, Any]]] = [
    (
        "Swiss numbers",
        "apostrophes between groups of three",
        table(
            {"default": LABELS, "score": [f"{1e6 * p:,.1f}".replace(",", "'") for p in OTHERS]}, ";"
        ),
        {"label": "default", "scale": "any", "delimiter": ";"},
    ),
    (
        "percent behind a space",
        "French Excel: decimal commas, and spaces that do not break before the sign",
        table(
            {
                "Décès": words("non", "oui"),
                "Score": [f"{100 * p:.1f}\u00a0%".replace(".", ",") for p in PROBABILITIES],
            },
            ";",
        ),
        {
            "label": "Décès",
            "scores": ("Score",),
            "positive": "oui",
            "scale": "percent",
            "delimiter": ";",
            "decimal": ",",
        },
    ),
    (
        "marks of all kinds",
        "four ways of saying that a score is missing",
        table(
            {
                "label": LABELS,
                "score": [
                    ("-", "None", "k.A.", ".")[at % 4] if at < 12 else str(p)
                    for at, p in enumerate(PROBABILITIES)
                ],
            }
        ),
        {"rows": 48},
    ),
    (
        "two decimal marks",
        "every third score has a comma: it is no number of groups",
        table(
            {
                "label": LABELS,
                "score": [
                    f"{p:.3f}".replace(".", "," if at % 3 == 0 else ".")
                    for at, p in enumerate(PROBABILITIES)
                ],
            },
            ";",
        ),
        {"delimiter": ";", "rows": 40},
    ),
    (
        "units below the header",
        "no number where all others are",
        "id,readmitted,risk\n-,0/1,%\n"
        + table({"id": ids, "y": LABELS, "p": (100 * PROBABILITIES).round(1)}, header=False),
        {"label": "readmitted", "scores": ("risk",), "scale": "percent"},
    ),
    (
        "mean row",
        "a last row of means",
        table({"customer": ids, "actual": LABELS, "predicted": PROBABILITIES})
        + "Mean,0.3333,0.4127\n",
        {"label": "actual", "scores": ("predicted",)},
    ),
    (
        "two cases",
        "a few labels in small letters",
        table(
            {
                "label": ["n" if at in (3, 50) else one for at, one in enumerate(words("N", "Y"))],
                "score": PROBABILITIES,
            }
        ),
        {"positive": "Y", "rows": 58},
    ),
    (
        "pandas JSON",
        "to_json: objects of columns by the names of rows",
        json.dumps(
            {
                name: {str(at): cell for at, cell in enumerate(cells.tolist())}
                for name, cells in (("label", LABELS), ("score", PROBABILITIES))
            }
        ),
        {},
    ),
]
