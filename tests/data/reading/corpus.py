"""Small files, each made of a trap that real files set, and how each is to be read.

Every case names its trap, where it comes from, and the whole of the expected reading.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Case:
    """A file, the trap in it, and what reading it should find."""

    name: str
    trap: str
    content: bytes
    rows: int
    delimiter: str = ","
    header: bool = True
    decimal: str = "."
    label: str | None = None
    positive: str | None = None
    scores: tuple[str, ...] = ()
    scale: str = "probability"
    # What one press must say, where no guess can know it.
    choice: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_table(self) -> bool:
        return not self.scores


_NOISE = np.random.default_rng(19)
LABELS = (_NOISE.random(60) < 0.3).astype(int)
PROBABILITIES = np.clip(0.3 * LABELS + 0.1 + 0.55 * _NOISE.random(60), 0.001, 0.999).round(4)
OTHERS = np.clip(0.2 * LABELS + 0.1 + 0.65 * _NOISE.random(60), 0.001, 0.999).round(4)
AGES = _NOISE.integers(21, 90, 60)
WEIGHTS = (50 + 45 * _NOISE.random(60)).round(1)
SEXES = np.where(_NOISE.random(60) < 0.5, "f", "m")


def table(
    columns: Mapping[str, Any],
    mark: str = ",",
    *,
    decimal: str = ".",
    header: bool = True,
    end: str = "\n",
    spell: Callable[[Any], str] = str,
) -> str:
    """Columns as delimited text."""
    rows = [list(columns)] if header else []
    rows += [
        [
            spell(cell).replace(".", decimal) if isinstance(cell, float) else spell(cell)
            for cell in row
        ]
        for row in zip(*(np.asarray(cells).tolist() for cells in columns.values()), strict=True)
    ]
    return "".join(mark.join(row) + end for row in rows)


def _scores(label: str, score: str, **more: Any) -> dict[str, Any]:
    return {**more, label: LABELS, score: PROBABILITIES}


def _words(negative: str, positive: str) -> np.ndarray:
    return np.where(LABELS == 1, positive, negative)


def _table(**more: Any) -> dict[str, Any]:
    return {"age": AGES, "weight": WEIGHTS, "sex": SEXES, **more}


def _excel(rows: list[list[Any]], *sheets: tuple[str, list[list[Any]]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for at, (title, held) in enumerate([*sheets, ("data", rows)]):
        sheet = book.active if at == 0 else book.create_sheet()
        sheet.title = title
        for row in held:
            sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _rows(columns: Mapping[str, Any]) -> list[list[Any]]:
    lists = [np.asarray(cells).tolist() for cells in columns.values()]
    return [list(columns), *map(list, zip(*lists, strict=True))]


logits = np.log(PROBABILITIES / (1 - PROBABILITIES)).round(4)
credit = (850 - 550 * PROBABILITIES).round().astype(int)
percent = [f"{100 * p:.2f}%" for p in PROBABILITIES]
ids = np.arange(1000, 1060)
_NAMED = [
    ("plain", "the plain file", table(_scores("label", "score")), {}),
    (
        "id column",
        "a record number comes first",
        table(_scores("y_true", "y_score", id=ids)),
        {},
    ),
    (
        "Kaggle",
        "upper case and an id: TARGET",
        table(_scores("TARGET", "Probability", SK_ID=ids)),
        {},
    ),
    ("dots in names", "R writes true.class", table(_scores("true.class", "pred.prob")), {}),
    (
        "spaces in names",
        "spreadsheets write True Label",
        table(_scores("True Label", "Predicted Probability")),
        {},
    ),
    ("camel case", "names of programs", table(_scores("trueLabel", "predProba")), {}),
    (
        "Actual",
        "a hard decision beside the score",
        table(
            {
                "Actual": LABELS,
                "Predicted": (PROBABILITIES > 0.5).astype(int),
                "Probability": PROBABILITIES,
            }
        ),
        {},
    ),
    (
        "outcome and risk",
        "a clinical file with features",
        table({"patient_id": ids, "age": AGES, "risk": PROBABILITIES, "outcome": LABELS}),
        {},
    ),
    (
        "score first",
        "the score stands before the label",
        table({"score": PROBABILITIES, "label": LABELS}),
        {},
    ),
    (
        "no header",
        "no names at all",
        table(_scores("a", "b"), header=False),
        {"header": False, "label": "column_1", "scores": ("column_2",)},
    ),
    (
        "unnamed index",
        "pandas saved the index",
        table({"": np.arange(60), **_scores("y", "p")}),
        {},
    ),
    ("Windows line ends", "CR LF", table(_scores("label", "score"), end="\r\n"), {}),
    ("old Mac line ends", "CR alone", table(_scores("label", "score"), end="\r"), {}),
    (
        "announced",
        "Excel's sep= line",
        "sep=;\n" + table(_scores("label", "score"), ";"),
        {"delimiter": ";"},
    ),
    ("tabs", "a TSV", table(_scores("label", "score"), "\t"), {"delimiter": "\t"}),
    (
        "decimal comma",
        "a European export",
        table(_scores("label", "score"), ";", decimal=","),
        {"delimiter": ";", "decimal": ","},
    ),
    (
        "quoted decimal comma",
        "commas, with decimal commas in quotes",
        table(
            _scores("label", "score"),
            spell=lambda cell: (
                f'"{cell}"'.replace(".", ",") if isinstance(cell, float) else str(cell)
            ),
        ),
        {"decimal": ","},
    ),
    ("bars", "a database's dump", table(_scores("label", "score"), "|"), {"delimiter": "|"}),
    (
        "comments",
        "a script's remarks above",
        "# model: rf\n# date: 2024\n" + table(_scores("label", "score")),
        {},
    ),
    (
        "header behind #",
        "NumPy's savetxt",
        "# " + table(_scores("label", "score"), " "),
        {"delimiter": " "},
    ),
    (
        "aligned columns",
        "spaces that align",
        table(_scores("label", "score"), "   "),
        {"delimiter": " "},
    ),
    (
        "titles",
        "a report's title above the table",
        "Scores of the model\nSeptember\n\n" + table(_scores("label", "score", site=SEXES)),
        {},
    ),
    ("UTF-8 mark", "Excel's UTF-8", "\ufeff" + table(_scores("label", "score")), {}),
]
_NAMES = {
    "id column": ("y_true", "y_score"),
    "Kaggle": ("TARGET", "Probability"),
    "dots in names": ("true.class", "pred.prob"),
    "spaces in names": ("True Label", "Predicted Probability"),
    "camel case": ("trueLabel", "predProba"),
    "Actual": ("Actual", "Probability"),
    "outcome and risk": ("outcome", "risk"),
    "unnamed index": ("y", "p"),
}
_OTHERS: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
    (
        "percent signs",
        '"50.50%"',
        table({"label": LABELS, "score": percent}),
        {"scale": "percent"},
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
        table({"label": _words("no", "yes"), "score": PROBABILITIES}),
        {"positive": "yes"},
    ),
    ("minus one", "-1 and 1", table({"label": 2 * LABELS - 1, "score": PROBABILITIES}), {}),
    (
        "benign and malignant",
        "the event comes later in the alphabet by luck",
        table({"diagnosis": _words("benign", "malignant"), "prob": PROBABILITIES}),
        {"label": "diagnosis", "scores": ("prob",), "positive": "malignant"},
    ),
    (
        "good and bad",
        "the event comes earlier in the alphabet",
        table({"class": _words("good", "bad"), "prob": PROBABILITIES}),
        {"label": "class", "scores": ("prob",), "positive": "bad"},
    ),
    (
        "case and control",
        "the event comes earlier in the alphabet",
        table({"status": _words("control", "case"), "p": PROBABILITIES}),
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
                "prob_nn": PROBABILITIES,
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
        table(_scores("label", "score", site=SEXES), ";") + ";;\n" * 5,
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
        table(_scores("Ziel", "Wahrscheinlichkeit"), ";", decimal=","),
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
            {"label": _words("no", "yes"), "score": PROBABILITIES},
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
    ("Excel", "a workbook", _excel(_rows(_scores("label", "score"))), {}),
    (
        "second sheet",
        "the first sheet is a cover",
        _excel(_rows(_scores("label", "score")), ("cover", [["Scores of the model"]])),
        {},
    ),
    (
        "UTF-16",
        "Excel's Unicode text",
        table(_scores("label", "score"), "\t").encode("utf-16"),
        {"delimiter": "\t"},
    ),
    (
        "UTF-16 bare",
        "the same without its mark",
        table(_scores("label", "score"), "\t").encode("utf-16-le"),
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
        "coded columns",
        "names that say nothing",
        table({"c1": SEXES == "f", "c2": LABELS, "c3": PROBABILITIES}),
        {"label": "c2", "scores": ("c3",), "choice": {"label": "c2"}},
    ),
]

latin = table(_table(city=["Köln"] * 60, churn=_words("no", "yes")), ";")
digits = _table(y=LABELS)
wdbc = {"id": np.arange(60), "diag": _words("B", "M"), "r": WEIGHTS, "t": AGES + 0.5}
_TABLES: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
    (
        "label at the end",
        "no header: the last column",
        table({"a": AGES, "b": WEIGHTS, "c": LABELS}, header=False),
        {"header": False, "label": "column_3"},
    ),
    (
        "WDBC",
        "no header, letters in the first row",
        table(wdbc, header=False),
        {"header": False, "label": "column_2", "positive": "M"},
    ),
    (
        "white space",
        "Statlog: spaces and no header",
        table({"a": AGES, "b": WEIGHTS, "c": LABELS + 1}, " ", header=False),
        {"delimiter": " ", "header": False, "label": "column_3", "positive": "2"},
    ),
    (
        "churn",
        "a yes and no in the middle",
        table(_table(smoker=SEXES == "f", Churn=_words("No", "Yes"), paperless=AGES % 2 == 0)),
        {"label": "Churn", "positive": "Yes"},
    ),
    (
        "attrition",
        "Attrition_Flag: the earlier in the alphabet",
        table(_table(Attrition_Flag=_words("Existing Customer", "Attrited Customer"))),
        {"label": "Attrition_Flag", "positive": "Attrited Customer"},
    ),
    (
        "default payment",
        "default.payment.next.month",
        table({**_table(), "default.payment.next.month": LABELS}),
        {"label": "default.payment.next.month"},
    ),
    (
        "survived",
        "Survived in the second column",
        table({"PassengerId": np.arange(60), "Survived": 1 - LABELS, **_table()}),
        {"label": "Survived"},
    ),
    (
        "ten-year risk",
        "TenYearCHD",
        table(_table(currentSmoker=AGES % 2, TenYearCHD=LABELS)),
        {"label": "TenYearCHD"},
    ),
    (
        "semicolons",
        "decimal commas and umlauts in Latin-1",
        latin.replace(".", ",").encode("latin-1"),
        {"delimiter": ";", "decimal": ",", "label": "churn", "positive": "yes"},
    ),
    (
        "single spaces after commas",
        "Adult: ' >50K'",
        table(_table(income=_words("<=50K", ">50K")), ", "),
        {"label": "income", "positive": ">50K"},
    ),
    (
        "question marks",
        "? for missing",
        table(
            {
                **_table(y=LABELS),
                "age": ["?" if at % 9 == 0 else str(a) for at, a in enumerate(AGES)],
            }
        ),
        {},
    ),
    (
        "units row",
        "a date and a total above",
        "Ward 7\nExported 2024-05-01\n" + table(digits),
        {},
    ),
    (
        "readmitted",
        "three values, one of them rare",
        table(_table(readmitted=np.where(LABELS == 1, "<30", np.where(AGES > 70, "NO", ">30")))),
        {"label": "readmitted", "positive": "<30"},
    ),
    (
        "Excel table",
        "numbers and words in a sheet",
        _excel(_rows(_table(died=LABELS))),
        {"label": "died"},
    ),
    (
        "quality",
        "a label of grades 3 to 8 with a usual name",
        table(_table(class_=3 + AGES % 6)),
        {"label": "class_", "positive": "7"},
    ),
]


def predictions() -> list[Case]:
    """Files of labels and scores."""
    cases = []
    for name, trap, text, how in _NAMED:
        label, score = _NAMES.get(name, ("label", "score"))
        told = {"label": label, "scores": (score,), "positive": "1", "rows": 60} | how
        cases.append(Case(name=name, trap=trap, content=text.encode(), **told))
    base = {"label": "label", "scores": ("score",), "rows": 60, "positive": "1"}
    for name, trap, text, how in _OTHERS:
        content = text if isinstance(text, bytes) else text.encode()
        cases.append(Case(name=name, trap=trap, content=content, **{**base, **how}))
    return cases


def tables() -> list[Case]:
    """Tables from which a model would be trained."""
    base = {"rows": 60, "label": "y", "positive": "1"}
    return [
        Case(
            name=f"{name} (table)",
            trap=trap,
            content=text if isinstance(text, bytes) else text.encode(),
            **{**base, **how},
        )
        for name, trap, text, how in _TABLES
    ]
