"""Small files, each made of a trap that real files set, and how each is to be read.

Every case names its trap, where it comes from, and the whole of the expected reading.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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


def scores_beside(label: str, score: str, **more: Any) -> dict[str, Any]:
    return {**more, label: LABELS, score: PROBABILITIES}


def words(negative: str, positive: str) -> np.ndarray:
    return np.where(LABELS == 1, positive, negative)


def people(**more: Any) -> dict[str, Any]:
    return {"age": AGES, "weight": WEIGHTS, "sex": SEXES, **more}


def workbook(rows: list[list[Any]], *sheets: tuple[str, list[list[Any]]]) -> bytes:
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


def rows_of(columns: Mapping[str, Any]) -> list[list[Any]]:
    lists = [np.asarray(cells).tolist() for cells in columns.values()]
    return [list(columns), *map(list, zip(*lists, strict=True))]


logits = np.log(PROBABILITIES / (1 - PROBABILITIES)).round(4)
credit = (850 - 550 * PROBABILITIES).round().astype(int)
percent = [f"{100 * p:.2f}%" for p in PROBABILITIES]
ids = np.arange(1000, 1060)
NAMED = [
    ("plain", "the plain file", table(scores_beside("label", "score")), {}),
    (
        "id column",
        "a record number comes first",
        table(scores_beside("y_true", "y_score", id=ids)),
        {},
    ),
    (
        "Kaggle",
        "upper case and an id: TARGET",
        table(scores_beside("TARGET", "Probability", SK_ID=ids)),
        {},
    ),
    ("dots in names", "R writes true.class", table(scores_beside("true.class", "pred.prob")), {}),
    (
        "spaces in names",
        "spreadsheets write True Label",
        table(scores_beside("True Label", "Predicted Probability")),
        {},
    ),
    ("camel case", "names of programs", table(scores_beside("trueLabel", "predProba")), {}),
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
        table(scores_beside("a", "b"), header=False),
        {"header": False, "label": "column_1", "scores": ("column_2",)},
    ),
    (
        "unnamed index",
        "pandas saved the index",
        table({"": np.arange(60), **scores_beside("y", "p")}),
        {},
    ),
    ("Windows line ends", "CR LF", table(scores_beside("label", "score"), end="\r\n"), {}),
    ("old Mac line ends", "CR alone", table(scores_beside("label", "score"), end="\r"), {}),
    (
        "announced",
        "Excel's sep= line",
        "sep=;\n" + table(scores_beside("label", "score"), ";"),
        {"delimiter": ";"},
    ),
    ("tabs", "a TSV", table(scores_beside("label", "score"), "\t"), {"delimiter": "\t"}),
    (
        "decimal comma",
        "a European export",
        table(scores_beside("label", "score"), ";", decimal=","),
        {"delimiter": ";", "decimal": ","},
    ),
    (
        "quoted decimal comma",
        "commas, with decimal commas in quotes",
        table(
            scores_beside("label", "score"),
            spell=lambda cell: (
                f'"{cell}"'.replace(".", ",") if isinstance(cell, float) else str(cell)
            ),
        ),
        {"decimal": ","},
    ),
    ("bars", "a database's dump", table(scores_beside("label", "score"), "|"), {"delimiter": "|"}),
    (
        "comments",
        "a script's remarks above",
        "# model: rf\n# date: 2024\n" + table(scores_beside("label", "score")),
        {},
    ),
    (
        "header behind #",
        "NumPy's savetxt",
        "# " + table(scores_beside("label", "score"), " "),
        {"delimiter": " "},
    ),
    (
        "aligned columns",
        "spaces that align",
        table(scores_beside("label", "score"), "   "),
        {"delimiter": " "},
    ),
    (
        "titles",
        "a report's title above the table",
        "Scores of the model\nSeptember\n\n" + table(scores_beside("label", "score", site=SEXES)),
        {},
    ),
    ("UTF-8 mark", "Excel's UTF-8", "\ufeff" + table(scores_beside("label", "score")), {}),
]
NAMES = {
    "id column": ("y_true", "y_score"),
    "Kaggle": ("TARGET", "Probability"),
    "dots in names": ("true.class", "pred.prob"),
    "spaces in names": ("True Label", "Predicted Probability"),
    "camel case": ("trueLabel", "predProba"),
    "Actual": ("Actual", "Probability"),
    "outcome and risk": ("outcome", "risk"),
    "unnamed index": ("y", "p"),
}
