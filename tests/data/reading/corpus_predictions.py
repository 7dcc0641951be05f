"""Files of labels and scores, each made of a trap."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tests.data.reading.corpus import (
    AGES,
    LABELS,
    NAMED,
    NAMES,
    OTHERS,
    PROBABILITIES,
    SEXES,
    WEIGHTS,
    Case,
    credit,
    ids,
    logits,
    percent,
    rows_of,
    scores_beside,
    table,
    words,
    workbook,
)
from tests.data.reading.corpus_exports import EXPORTS
from tests.data.reading.corpus_pasted import PASTED
from tests.data.reading.corpus_programs import PROGRAMS
from tests.data.reading.corpus_reports import REPORTS

_OTHERS: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
    (
        "percent signs",
        '"50.50%"',
        table({"label": LABELS, "score": percent}),
        {"scale": "percent"},
    ),
    (
        "percent signs and commas",
        '"50,50 %"',
        table(
            {
                "label": LABELS,
                "score": [one.replace(".", ",").replace("%", " %") for one in percent],
            },
            ";",
        ),
        {"scale": "percent", "delimiter": ";", "decimal": ","},
    ),
    (
        "percent",
        "0 to 100",
        table({"label": LABELS, "score": (100 * PROBABILITIES).round(2)}),
        {"scale": "percent"},
    ),
    (
        "small percent",
        "a column called pct",
        table({"label": LABELS, "score_pct": PROBABILITIES.round(3)}),
        {"scale": "percent", "scores": ("score_pct",)},
    ),
    ("log-odds", "-3 to 4", table({"label": LABELS, "score": logits}), {"scale": "log-odds"}),
    (
        "decision function",
        "a margin",
        table({"label": LABELS, "decision_function": 2 * logits}),
        {"scale": "log-odds", "scores": ("decision_function",)},
    ),
    (
        "credit scores",
        "300 to 850",
        table({"default": LABELS, "score": credit}),
        {"label": "default", "scale": "any"},
    ),
    (
        "points",
        "0 to 9 points",
        table({"label": LABELS, "points": (9 * PROBABILITIES).round().astype(int)}),
        {"scores": ("points",), "scale": "any"},
    ),
    (
        "large numbers",
        "a score of millions",
        table({"label": LABELS, "score": (1e6 * PROBABILITIES).round(1)}),
        {"scale": "any"},
    ),
    (
        "hard decisions",
        "0 and 1 only",
        table({"y_true": LABELS, "y_pred": (PROBABILITIES > 0.5).astype(int)}),
        {"label": "y_true", "scores": ("y_pred",)},
    ),
    (
        "yes and no",
        "words for labels",
        table({"label": words("no", "yes"), "score": PROBABILITIES}),
        {"positive": "yes"},
    ),
    ("minus one", "-1 and 1", table({"label": 2 * LABELS - 1, "score": PROBABILITIES}), {}),
    (
        "benign and malignant",
        "the event comes later in the alphabet by luck",
        table({"diagnosis": words("benign", "malignant"), "prob": PROBABILITIES}),
        {"label": "diagnosis", "scores": ("prob",), "positive": "malignant"},
    ),
    (
        "good and bad",
        "the event comes earlier in the alphabet",
        table({"class": words("good", "bad"), "prob": PROBABILITIES}),
        {"label": "class", "scores": ("prob",), "positive": "bad"},
    ),
    (
        "case and control",
        "the event comes earlier in the alphabet",
        table({"status": words("control", "case"), "p": PROBABILITIES}),
        {"label": "status", "scores": ("p",), "positive": "case"},
    ),
    (
        "one and two",
        "German credit: 2 is the rarer, bad class",
        table({"class": LABELS + 1, "p": PROBABILITIES}),
        {"label": "class", "scores": ("p",), "positive": "2"},
    ),
    (
        "truth values",
        "Python's True",
        table({"label": LABELS.astype(bool), "score": PROBABILITIES}),
        {"positive": "True"},
    ),
    (
        "five models",
        "nine columns",
        table(
            {
                "id": ids,
                "age": AGES,
                "sex": SEXES,
                "y": LABELS,
                "prob_lr": PROBABILITIES,
                "prob_rf": OTHERS,
                "prob_nb": PROBABILITIES[::-1],
                "prob_gb": OTHERS[::-1],
                "prob_nn": [*PROBABILITIES[1:], PROBABILITIES[0]],
            }
        ),
        {"label": "y", "scores": ("prob_lr", "prob_rf", "prob_nb", "prob_gb", "prob_nn")},
    ),
    (
        "unnamed models",
        "scores named by their models",
        table({"label": LABELS, "forest": PROBABILITIES, "boosting": OTHERS}),
        {"scores": ("forest", "boosting")},
    ),
    (
        "both classes",
        "predict_proba: two columns that add up to one",
        table({"y": LABELS, "prob_0": (1 - PROBABILITIES).round(4), "prob_1": PROBABILITIES}),
        {"label": "y", "scores": ("prob_1",)},
    ),
    (
        "twelve missing",
        "labels are missing",
        table(
            {
                "label": ["" if at < 12 else str(one) for at, one in enumerate(LABELS)],
                "score": PROBABILITIES,
            }
        ),
        {"rows": 48},
    ),
    (
        "marks for missing",
        "a dash for a missing score",
        table(
            {
                "label": LABELS,
                "score": ["-" if at % 9 == 0 else str(p) for at, p in enumerate(PROBABILITIES)],
            }
        ),
        {"rows": 53},
    ),
    (
        "empty rows",
        "a spreadsheet's rows of semicolons",
        table(scores_beside("label", "score", site=SEXES), ";") + ";;\n" * 5,
        {"delimiter": ";"},
    ),
    (
        "thousands",
        "groups of three in quotes",
        table({"label": LABELS, "score": [f'"{1e6 * p:,.0f}"' for p in PROBABILITIES]}),
        {"scale": "any"},
    ),
    (
        "German names",
        "Ziel and Wahrscheinlichkeit",
        table(scores_beside("Ziel", "Wahrscheinlichkeit"), ";", decimal=","),
        {"label": "Ziel", "scores": ("Wahrscheinlichkeit",), "delimiter": ";", "decimal": ","},
    ),
    (
        "French names",
        "accents in names",
        table({"étiquette": LABELS, "probabilité": PROBABILITIES}, ";", decimal=","),
        {"label": "étiquette", "scores": ("probabilité",), "delimiter": ";", "decimal": ","},
    ),
    (
        "single quotes",
        "SQL's quotation marks",
        table(
            {"label": words("no", "yes"), "score": PROBABILITIES},
            spell=lambda cell: f"'{cell}'",
        ),
        {"positive": "yes"},
    ),
    (
        "row names",
        "R's write.table: a header of one name fewer",
        "label score\n"
        + "".join(
            f'"{at}" {y} {p}\n'
            for at, (y, p) in enumerate(zip(LABELS, PROBABILITIES, strict=True), 1)
        ),
        {"delimiter": " "},
    ),
    (
        "mark at the end",
        "each row ends in a comma",
        "label,score\n"
        + "".join(f"{y},{p},\n" for y, p in zip(LABELS, PROBABILITIES, strict=True)),
        {},
    ),
    (
        "JSON lines",
        "one object a line",
        "".join(
            json.dumps({"label": int(y), "score": float(p)}) + "\n"
            for y, p in zip(LABELS, PROBABILITIES, strict=True)
        ),
        {},
    ),
    (
        "JSON list",
        "a list of records",
        json.dumps(
            [
                {"label": int(y), "score": float(p)}
                for y, p in zip(LABELS, PROBABILITIES, strict=True)
            ],
            indent=1,
        ),
        {},
    ),
    ("Excel", "a workbook", workbook(rows_of(scores_beside("label", "score"))), {}),
    (
        "second sheet",
        "the first sheet is a cover",
        workbook(rows_of(scores_beside("label", "score")), ("cover", [["Scores of the model"]])),
        {},
    ),
    (
        "title in a sheet",
        "a title above two columns, and when it was made",
        workbook(
            [
                ["Scores of 2024"],
                ["as of", "2024-01-31"],
                [],
                *rows_of(scores_beside("label", "score")),
            ]
        ),
        {},
    ),
    (
        "remarks in a sheet",
        "the first sheet holds two lines of remarks",
        workbook(
            rows_of(scores_beside("label", "score")),
            ("read me", [["made by Ann"], ["on", "Monday"]]),
        ),
        {},
    ),
    (
        "comments between rows",
        "two files put together, and a last line",
        table(scores_beside("label", "score")).replace("\n", "\n# second half\n", 31)[:-1]
        + "\n# end\n",
        {},
    ),
    (
        "UTF-16",
        "Excel's Unicode text",
        table(scores_beside("label", "score"), "\t").encode("utf-16"),
        {"delimiter": "\t"},
    ),
    (
        "UTF-16 bare",
        "the same without its mark",
        table(scores_beside("label", "score"), "\t").encode("utf-16-le"),
        {"delimiter": "\t"},
    ),
    (
        "grades",
        "a label of five grades, cut above 0",
        table({"num": LABELS * (1 + AGES % 4), "prob": PROBABILITIES}),
        {"label": "num", "scores": ("prob",), "positive": "at least 1"},
    ),
    (
        "no names help",
        "a label in the middle of other yes and no",
        table(
            {
                "smoker": SEXES == "f",
                "urban": AGES % 2 == 0,
                "relapsed": LABELS,
                "m1": PROBABILITIES,
            }
        ),
        {"label": "relapsed", "scores": ("m1",)},
    ),
    (
        "scores as ranks",
        "a score called x beside another number",
        table({"flag": LABELS, "amount": WEIGHTS, "x": credit}),
        {"label": "flag", "scores": ("x",), "scale": "any"},
    ),
    (
        "unknown labels",
        "some records whose outcome nobody knows",
        table({"relapse": np.where(AGES < 30, "Unknown", words("No", "Yes")), "risk": OTHERS}),
        {"label": "relapse", "scores": ("risk",), "positive": "Yes", "rows": sum(AGES >= 30)},
    ),
    (
        "totals below",
        "a last row of sums",
        table({"account": AGES, "churned": LABELS, "score": OTHERS}) + "Total,18,0.41\n",
        {"label": "churned"},
    ),
    (
        "money",
        "scores in groups of three digits beside a column of amounts",
        table(
            {
                "paid": [f"{19 + age}.500 €" for age in AGES],
                "default": LABELS,
                "score": [f"{1 + place}.{100 + place},5" for place in range(60)],
            },
            ";",
        ),
        {"label": "default", "scale": "any", "delimiter": ";", "decimal": ","},
    ),
    (
        "coded columns",
        "names that say nothing",
        table({"c1": SEXES == "f", "c2": LABELS, "c3": PROBABILITIES}),
        {"label": "c2", "scores": ("c3",)},
    ),
]


def predictions() -> list[Case]:
    """Files of labels and scores."""
    cases = []
    for name, trap, text, how in NAMED:
        label, score = NAMES.get(name, ("label", "score"))
        told = {"label": label, "scores": (score,), "positive": "1", "rows": 60} | how
        cases.append(Case(name=name, trap=trap, content=text.encode(), **told))
    base = {"label": "label", "scores": ("score",), "rows": 60, "positive": "1"}
    for name, trap, text, how in (*_OTHERS, *EXPORTS, *PROGRAMS, *PASTED, *REPORTS):
        content = text if isinstance(text, bytes) else text.encode()
        cases.append(Case(name=name, trap=trap, content=content, **{**base, **how}))
    return cases
