"""Files of labels and scores as people paste them: printed, drawn, or nested within cells."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tests.data.reading.corpus import (
    LABELS,
    PROBABILITIES,
    logits,
    rows_of,
    table,
    words,
    workbook,
)

_REST = (1 - PROBABILITIES).round(4)
_PAIRS = list(zip(LABELS.tolist(), PROBABILITIES.tolist(), strict=True))
_ROWS = rows_of({"label": LABELS, "score": PROBABILITIES})
_VECTORS = [f"[{low},{p}]" for low, p in zip(_REST, PROBABILITIES, strict=True)]
_SCORED = [
    # As a pipeline gives them: the surer class first.
    sorted(
        [{"label": "ok", "score": round(1 - p, 4)}, {"label": "toxic", "score": p}],
        key=lambda one: -one["score"],
    )
    for p in PROBABILITIES.tolist()
]


def _drawn(top: str, below: str, rows: str, end: str, bars: str = "│││") -> str:
    """A table in a frame, each kind of line as four letters: its ends, the line, and a crossing."""

    def line(marks: str) -> str:
        left, dash, cross, right = marks
        return f"{left}{dash * 7}{cross}{dash * 8}{right}\n" if marks.strip() else ""

    left, middle, right = bars
    body = line(rows).join(f"{left} {y:>5} {middle} {p:6.4f} {right}\n" for y, p in _PAIRS)
    head = f"{left} label {middle} score  {right}\n"
    return line(top) + head + line(below) + body + line(end)


def _lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


PASTED: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
    (
        "psql in Unicode",
        "drawn bars without a frame",
        " label │ score\n───────┼────────\n"
        + "".join(f"     {y} │ {p:.4f}\n" for y, p in _PAIRS)
        + "(60 rows)\n",
        {"delimiter": "|"},
    ),
    ("drawn grid", "a line between every two rows", _drawn("╒═╤╕", "╞═╪╡", "├─┼┤", "╘═╧╛"),
     {"delimiter": "|"}),
    ("drawn frame", "double lines", _drawn("╔═╦╗", "╠═╬╣", "    ", "╚═╩╝", "║║║"),
     {"delimiter": "|"}),
    (
        "rich",
        "a title above a frame, and heavier bars in the header",
        "      Predictions\n"
        + _drawn("┏━┳┓", "┡━╇┩", "    ", "└─┴┘").replace("│", "┃", 3),
        {"delimiter": "|"},
    ),
    (
        "polars",
        "the shape above, and types below the names",
        "shape: (60, 2)\n"
        + _drawn("┌─┬┐", "╞═╪╡", "    ", "└─┴┘", "│┆│").replace(
            "╞", "│ ---   ┆ ---    │\n│ i64   ┆ f64    │\n╞", 1
        ),
        {"delimiter": "|"},
    ),
    ("fence", "a table from a chat", "```csv\n" + table({"label": LABELS, "score": PROBABILITIES})
     + "```\n", {}),
    ("named numbers", "p=0.83 in every cell",
     table({"label": LABELS, "score": [f"p={p}" for p in PROBABILITIES]}), {}),
    (
        "tensors in cells",
        "what PyTorch prints of one number, and where it lies",
        table({"label": LABELS, "score": [f"'tensor({p}, device=0)'" for p in PROBABILITIES]}),
        {},
    ),
    ("Spark", "vectors in cells",
     table({"label": LABELS, "probability": [f'"{one}"' for one in _VECTORS]}),
     {"scores": ("probability.1",)}),
    (
        "dense vectors",
        "vectors under their name, and a decision beside them",
        table(
            {
                "label": LABELS,
                "probability": [f"DenseVector({one})" for one in _VECTORS],
                "prediction": (PROBABILITIES > 0.5).astype(int),
            },
            "\t",
        ),
        {"scores": ("probability.1",), "delimiter": "\t"},
    ),
    ("NumPy in cells", "vectors without commas",
     table({"label": LABELS, "proba": [one.replace(",", " ") for one in _VECTORS]}),
     {"scores": ("proba.1",)}),
    (
        "Python lists",
        "two lists, with their names",
        f"y_true = {LABELS.tolist()}\ny_score = {PROBABILITIES.tolist()}\n",
        {"label": "y_true", "scores": ("y_score",)},
    ),
    (
        "NumPy arrays",
        "two arrays as they are printed, over several lines and without commas",
        f"labels = np.array({LABELS})\nprobs = tensor({PROBABILITIES}, dtype=torch.float64)\n",
        {"label": "labels", "scores": ("probs",)},
    ),
    (
        "printed records",
        "a Python list of dictionaries",
        repr([{"label": bool(y), "score": p} for y, p in _PAIRS]),
        {"positive": "true"},
    ),
    (
        "objects in a row",
        "pretty JSON without an array around it",
        "\n".join(json.dumps({"label": y, "score": p}, indent=2) for y, p in _PAIRS),
        {},
    ),
    ("commas after lines", "JSON lines cut out of an array",
     _lines([{"label": y, "score": p} for y, p in _PAIRS]).replace("}", "},"), {}),
    (
        "scored classes",
        "each score says its class, in an order of its own",
        _lines(
            [
                {"gold": word, "prediction": one}
                for word, one in zip(words("ok", "toxic").tolist(), _SCORED, strict=True)
            ]
        ),
        {"label": "gold", "scores": ("prediction.toxic",), "positive": "toxic"},
    ),
    ("log-probabilities", "of both classes",
     table({"y": LABELS, "logprob_0": np.log(_REST), "logprob_1": np.log(PROBABILITIES)}),
     {"label": "y", "scores": ("logprob_1",), "scale": "any"}),
    (
        "logits of both classes",
        "which add up to nothing, the negative class's first",
        _lines(
            [
                {"label": y, "logits": [round(0.3 * at % 1 - z, 4), round(z, 4)]}
                for at, (y, z) in enumerate(zip(LABELS.tolist(), logits.tolist(), strict=True))
            ]
        ),
        {"scores": ("logits.1",), "scale": "log-odds"},
    ),
    ("pairs in JSON", "rows without names", json.dumps([[y, p] for y, p in _PAIRS]),
     {"label": "column_1", "scores": ("column_2",)}),
    ("tuples in lines", "pairs as Python prints them", "".join(f"{one}\n" for one in _PAIRS),
     {"label": "column_1", "scores": ("column_2",)}),
    ("vectors of R", "c() over a line each",
     f"y <- c({', '.join(map(str, LABELS))})\np <- c({', '.join(map(str, PROBABILITIES))})\n",
     {"label": "y", "scores": ("p",)}),
    ("Comprehend", "classes by name, the surer first",
     _lines([{"Gold": "SPAM" if y else "HAM", "Classes": sorted(
         ({"Name": "SPAM", "Score": p}, {"Name": "HAM", "Score": round(1 - p, 4)}),
         key=lambda one: -float(one["Score"]))} for y, p in _PAIRS]),
     {"label": "Gold", "scores": ("Classes.SPAM",), "positive": "SPAM"}),
    ("zero-shot", "names of classes in a list beside their scores, the surer first",
     _lines([{"gold": "bad" if y else "ok", "labels": ["bad", "ok"] if p > 0.5 else ["ok", "bad"],
              "scores": sorted((p, round(1 - p, 4)), reverse=True)} for y, p in _PAIRS]),
     {"label": "gold", "scores": ("scores.bad",), "positive": "bad"}),
    ("spaCy", "gold and predicted categories, each with one for every class",
     _lines([{"gold": {"POS": y, "NEG": 1 - y}, "cats": {"POS": p, "NEG": round(1 - p, 4)}}
             for y, p in _PAIRS]),
     {"label": "gold.POS", "scores": ("cats.POS",), "positive": "1"}),
    ("MATLAB", "columns of predict, counted from 1",
     table({"Y": LABELS, "scores_1": _REST, "scores_2": PROBABILITIES}),
     {"label": "Y", "scores": ("scores_2",)}),
    ("não", "no and yes in Portuguese, and more of yes",
     table({"evento": words("sim", "não"), "risco": _REST}),
     {"label": "evento", "scores": ("risco",), "positive": "sim"}),
    ("chat", "an answer of an assistant, with words around a fenced table",
     f"See:\n\n```csv\n{table({'label': LABELS, 'score': PROBABILITIES})}```\nHave fun!", {}),
    ("brackets", "an accountant's margins, those below zero in brackets",
     table({"label": LABELS, "margin": [f"({-x})" if x < 0 else x for x in logits.tolist()]}),
     {"scores": ("margin",), "scale": "log-odds"}),
    (
        "pivot first",
        "a sheet of sums before the data",
        workbook(_ROWS, ("Pivot", [["Row Labels", "Sum", "Mean"], [0, 40, 0.3], [1, 20, 0.6]])),
        {},
    ),
]  # fmt: skip
