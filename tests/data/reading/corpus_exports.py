"""Files of labels and scores as programs write them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tests.data.reading.corpus import (
    AGES,
    LABELS,
    OTHERS,
    PROBABILITIES,
    ids,
    logits,
    percent,
    rows_of,
    table,
    words,
    workbook,
)
from tests.data.reading.corpus_programs import zipped

_REST = (1 - PROBABILITIES).round(4)
_GUESS = np.where(PROBABILITIES > 0.5, "ja", "nein")
_PLAIN = {"label": LABELS, "score": PROBABILITIES}
_LISTS = [cells.tolist() for cells in _PLAIN.values()]
_FRENCH = str.maketrans(",.", "\u202f,")

EXPORTS: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
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
        {"positive": "Y"},
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
    (
        "classes of one word",
        "caret calls the classes Class1 and Class2, the event first",
        table({"obs": words("Class2", "Class1"), "Class1": PROBABILITIES, "Class2": _REST}),
        {"label": "obs", "scores": ("Class1",), "positive": "Class1"},
    ),
    (
        "percent of both classes",
        "two columns that add up to 100",
        table(
            {
                "actual": words("No", "Yes"),
                "P(No)": [f"{100 - float(one[:-1]):.2f}%" for one in percent],
                "P(Yes)": percent,
            }
        ),
        {"label": "actual", "scores": ("P(Yes)",), "positive": "Yes", "scale": "percent"},
    ),
    (
        "logits of both classes",
        "two columns that add up to nothing",
        table({"label": LABELS, "logit_0": -logits, "logit_1": logits}),
        {"scores": ("logit_1",), "scale": "log-odds"},
    ),
    (
        "probability of the good",
        "the one score is called after the class that is no event",
        table({"class": words("bad", "good"), "prob_good": PROBABILITIES}),
        {"label": "class", "scores": ("prob_good",), "positive": "good"},
    ),
    (
        "deals",
        "an event that is won, and one that is lost",
        table({"stage": words("Closed Lost", "Closed Won"), "win_probability": percent}),
        {
            "label": "stage",
            "scores": ("win_probability",),
            "positive": "Closed Won",
            "scale": "percent",
        },
    ),
    (
        "bounds beside",
        "ends of an interval and a weight, between 0 and 1 as the score is",
        table(
            {
                "y": LABELS,
                "risk": PROBABILITIES,
                "risk_lower": (0.8 * PROBABILITIES).round(4),
                "risk_upper": (0.8 * PROBABILITIES + 0.2).round(4),
                "ipw": OTHERS,
            }
        ),
        {"label": "y", "scores": ("risk",)},
    ),
    (
        "standard errors",
        "predict.glm: a link that crosses zero, and its error between 0 and 1",
        table({"y": LABELS, "fit.link": logits, "se.fit": OTHERS}),
        {"label": "y", "scores": ("fit.link",), "scale": "log-odds"},
    ),
    (
        "features beside",
        "features between 0 and 1 are no models where one column is called a score",
        table({"f1": OTHERS, "f2": OTHERS[::-1], "label": LABELS, "prob": PROBABILITIES}),
        {"scores": ("prob",)},
    ),
    (
        "habits before the label",
        "of columns that no word tells apart the last is the label",
        table({"age": AGES, "smoker": AGES % 2, "CVD_10y": LABELS, "QRISK3": PROBABILITIES}),
        {"label": "CVD_10y", "scores": ("QRISK3",)},
    ),
    (
        "decisions in German",
        "what the score decides is no label, whatever it is called",
        table(
            {
                "Tatsächlich": words("nein", "ja"),
                "Vorhersage": _GUESS,
                "Ausfallwahrscheinlichkeit": PROBABILITIES,
            },
            ";",
            decimal=",",
        ),
        {
            "label": "Tatsächlich",
            "scores": ("Ausfallwahrscheinlichkeit",),
            "positive": "ja",
            "delimiter": ";",
            "decimal": ",",
        },
    ),
    (
        "how sure a model is",
        "the probability of its answer comes before that of the class",
        table(
            {
                "churn": words("False", "True"),
                "probability": np.maximum(PROBABILITIES, _REST),
                "False probability": _REST,
                "True probability": PROBABILITIES,
            }
        ),
        {
            "label": "churn",
            "scores": ("True probability",),
            "positive": "True",
        },
    ),
    (
        "narrow spaces",
        "French Excel: spaces between groups of three and a decimal comma",
        table(
            {
                "défaut": LABELS,
                "note": [f"{1e5 * p:,.1f}".translate(_FRENCH) for p in PROBABILITIES],
            },
            ";",
        ),
        {
            "label": "défaut",
            "scores": ("note",),
            "scale": "any",
            "delimiter": ";",
            "decimal": ",",
        },
    ),
    (
        "sums of floats",
        "means of trees, one of them a last digit beyond 1",
        table({"label": LABELS, "score": [*PROBABILITIES[:-1], 1.0000000000000002]}),
        {"scale": "any"},
    ),
    (
        "spaced quotes",
        "a space between a comma and the mark that encloses a cell",
        table(
            {"age": AGES, "outcome": [f'"{one}"' for one in words("no, alive", "dead")]}
            | {"risk": PROBABILITIES},
            ", ",
        ),
        {"label": "outcome", "scores": ("risk",), "positive": "dead"},
    ),
    ("two marks", "a mark of UTF-8 before another", "\ufeff\ufeff" + table(_PLAIN), {}),
    (
        "titles with commas",
        "a title of as many cells as the table",
        'Report, Q3, 2024\n"Model: rf, v2"\n\n' + table({"id": ids, **_PLAIN}),
        {},
    ),
    (
        "packed workbook",
        "a workbook in an archive",
        zipped(workbook(rows_of(_PLAIN)), "a.xlsx"),
        {},
    ),
    (
        "MLflow",
        "names of columns beside rows of values",
        json.dumps({"columns": list(_PLAIN), "data": list(zip(*_LISTS, strict=True))}),
        {},
    ),
    (
        "lists in records",
        "predict_proba as it comes, and an object that says nothing",
        "".join(
            json.dumps({"label": y, "proba": [round(1 - p, 4), p], "model": {"name": "rf"}}) + "\n"
            for y, p in zip(*_LISTS, strict=True)
        ),
        {"scores": ("proba.1",)},
    ),
]
