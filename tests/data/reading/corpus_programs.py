"""Files of labels and scores as statistics programs, databases and scripts write them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np

from tests.data.reading.corpus import LABELS, OTHERS, PROBABILITIES, ids, logits, table, words

_REST = (1 - PROBABILITIES).round(4)
_GUESS = (PROBABILITIES > 0.5).astype(int)
_SCIENTIFIC = [f"{p:.18e}" for p in PROBABILITIES]
_PAIRS = list(zip(LABELS.tolist(), PROBABILITIES.tolist(), strict=True))
_PLAIN = table({"label": LABELS, "score": PROBABILITIES})


def zipped(content: str | bytes, name: str = "export/scores.csv") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(name, content)
    return held.getvalue()


def _behind_numbers(columns: dict[str, Any], mark: str = ",") -> str:
    """As R writes it: names of rows first, for which the header has a cell of nothing."""
    return table({'""': [f'"{at + 1}"' for at in range(60)], **columns}, mark)


PROGRAMS: list[tuple[str, str, str | bytes, dict[str, Any]]] = [
    ("zip", "one file in an archive", zipped(_PLAIN), {}),
    (
        "NumPy's own numbers",
        "savetxt as it comes: an exponent in every cell, no header",
        table({"a": [f"{y:.18e}" for y in LABELS], "b": _SCIENTIFIC}, " ", header=False),
        {"delimiter": " ", "header": False, "label": "column_1", "scores": ("column_2",)},
    ),
    (
        "NumPy's own numbers, named",
        "savetxt with a header: its mark, and exponents below",
        "# " + table({"y_true": [f"{y:.18e}" for y in LABELS], "y_score": _SCIENTIFIC}),
        {"label": "y_true", "scores": ("y_score",)},
    ),
    (
        "header behind remarks",
        "the last of several lines of comments names the columns",
        "\n# run 5\n# by hand\n#label\tscore\n"
        + table({"a": LABELS, "b": PROBABILITIES}, "\t", header=False)
        + "# end\n",
        {"delimiter": "\t"},
    ),
    (
        "header in between",
        "files that were put together, each with its header",
        _PLAIN[: _PLAIN.index("\n") + 1] + _PLAIN,
        {},
    ),
    (
        "psql",
        "a line that is drawn, and the rows counted below",
        " label | score  \n-------+--------\n"
        + "".join(f"     {y} | {p:.4f}\n" for y, p in _PAIRS)
        + "(60 rows)\n\n",
        {"delimiter": "|"},
    ),
    (
        "mysql",
        "a table in a frame",
        "+---+---+\n| label | score |\n+---+---+\n"
        + "".join(f"|     {y} | {p:.4f} |\n" for y, p in _PAIRS)
        + "+---+---+\n",
        {"delimiter": "|"},
    ),
    (
        "sqlplus",
        "names above drawn lines, rows counted in words",
        "\n     LABEL      SCORE\n---------- ----------\n"
        + "".join(f"{y:10d} {p:10.4f}\n" for y, p in _PAIRS)
        + "\n60 rows selected.\n",
        {"delimiter": " ", "label": "LABEL", "scores": ("SCORE",)},
    ),
    (
        "source below",
        "a remark on where the numbers are from",
        table({"id": ids, "label": LABELS, "score": PROBABILITIES}, ";")
        + "\nExported on 31.01.2023\n",
        {"delimiter": ";"},
    ),
    (
        "sums and means",
        "two rows below that are no records",
        table({"id": ids, "label": LABELS, "score": OTHERS})
        + f"Total,{LABELS.sum()},{OTHERS.sum():.4f}\nMean,0.3333,0.4127\n",
        {},
    ),
    (
        "Vertex",
        "the class in the middle of the name, the other one last",
        table({"label__true": LABELS, "label_1_scores": PROBABILITIES, "label_0_scores": _REST}),
        {"label": "label__true", "scores": ("label_1_scores",)},
    ),
    (
        "classes as names",
        "the positive class before the other one",
        table({"class": words("A", "B"), "p_B": PROBABILITIES, "p_A": _REST}),
        {"label": "class", "scores": ("p_B",), "positive": "B"},
    ),
    (
        "Azure",
        "a decision that is called a label",
        table(
            {
                "Scored Labels": np.where(_GUESS == 1, ">50K", "<=50K"),
                "Scored Probabilities": PROBABILITIES,
                "income": words("<=50K", ">50K"),
            }
        ),
        {"label": "income", "scores": ("Scored Probabilities",), "positive": ">50K"},
    ),
    (
        "lists beside a number",
        "JSON of y_true and y_score with an AUC",
        json.dumps({"y_true": LABELS.tolist(), "y_score": PROBABILITIES.tolist(), "auc": 0.8}),
        {"label": "y_true", "scores": ("y_score",)},
    ),
    (
        "R",
        "write.csv: quoted names of rows, TRUE and FALSE",
        _behind_numbers({'"truth"': words("FALSE", "TRUE"), '"estimate"': PROBABILITIES}),
        {"label": "truth", "scores": ("estimate",), "positive": "TRUE"},
    ),
    (
        "caret",
        "R's scores of both classes, named after them",
        _behind_numbers(
            {
                "obs": words("No", "Yes"),
                "pred": np.where(_GUESS == 1, "Yes", "No"),
                "No": _REST,
                "Yes": PROBABILITIES,
            }
        ),
        {"label": "obs", "scores": ("Yes",), "positive": "Yes"},
    ),
    (
        "SAS",
        "from, into and a dot for a missing score",
        table(
            {
                "ID": ids,
                "_FROM_": LABELS,
                "_INTO_": _GUESS,
                "IP_0": _REST,
                "IP_1": ["." if at == 7 else str(p) for at, p in enumerate(PROBABILITIES)],
            }
        ),
        {"label": "_FROM_", "scores": ("IP_1",), "rows": 59},
    ),
    (
        "SPSS",
        "numbers without their zero, Windows line ends",
        table(
            {"died": LABELS, "PRE_1": [str(p).lstrip("0") for p in PROBABILITIES], "PGR_1": _GUESS},
            "\t",
            end="\r\n",
        ),
        {"label": "died", "scores": ("PRE_1",), "delimiter": "\t"},
    ),
    (
        "German Excel",
        "WAHR and FALSCH",
        "\ufeff"
        + table(
            {"Nr": ids, "Zielwert": words("FALSCH", "WAHR"), "Wahrscheinlichkeit": PROBABILITIES},
            ";",
            decimal=",",
            end="\r\n",
        ),
        {
            "label": "Zielwert",
            "scores": ("Wahrscheinlichkeit",),
            "positive": "WAHR",
            "delimiter": ";",
            "decimal": ",",
        },
    ),
    (
        "Unicode text of Excel",
        "UTF-16 with tabs",
        table({"label": LABELS, "score": PROBABILITIES}, "\t", end="\r\n").encode("utf-16"),
        {"delimiter": "\t"},
    ),
    (
        "KNIME",
        "scores called P (churn=1)",
        table(
            {
                "row ID": [f"Row{at}" for at in range(60)],
                "churn": LABELS,
                "P (churn=0)": _REST,
                "P (churn=1)": PROBABILITIES,
                "Prediction (churn)": _GUESS,
            }
        ),
        {"label": "churn", "scores": ("P (churn=1)",)},
    ),
    (
        "RapidMiner",
        "the score of yes before that of no",
        table(
            {
                "label": words("no", "yes"),
                "prediction(label)": np.where(_GUESS == 1, "yes", "no"),
                "confidence(yes)": PROBABILITIES,
                "confidence(no)": _REST,
            },
            ";",
        ),
        {"scores": ("confidence(yes)",), "positive": "yes", "delimiter": ";"},
    ),
    (
        "proba of two classes",
        "predict_proba beside y_test, columns called 0 and 1",
        table({"y_test": LABELS, "0": _REST, "1": PROBABILITIES}),
        {"label": "y_test", "scores": ("1",)},
    ),
    (
        "proba without names",
        "two columns of predict_proba and the label",
        table({"a": _REST, "b": PROBABILITIES, "c": LABELS}, header=False),
        {"header": False, "label": "column_3", "scores": ("column_2",)},
    ),
    (
        "margins with signs",
        "+1 and -1, and a plus before what is positive",
        table(
            {
                "true": ["+1" if y else "-1" for y in LABELS],
                "decision_value": [f"{one:+.4f}" for one in logits],
            }
        ),
        {"label": "true", "scores": ("decision_value",), "scale": "log-odds"},
    ),
    (
        "mixed ends",
        "line ends of two kinds",
        "".join(
            line + ("\r\n" if at % 2 else "\n") for at, line in enumerate(_PLAIN.split("\n")[:-1])
        ),
        {},
    ),
    (
        "two indexes",
        "pandas saved the index twice",
        table({"Unnamed: 0.1": range(60), "Unnamed: 0": range(60), "y": LABELS, "p": OTHERS}),
        {"label": "y", "scores": ("p",)},
    ),
    (
        "floats as labels",
        "1.0 and 1 are one class",
        table(
            {
                "label": [str(float(y)) if at % 2 else str(y) for at, y in enumerate(LABELS)],
                "score": PROBABILITIES,
            }
        ),
        {},
    ),
    (
        "open quote",
        "a mark that no other closes",
        table(
            {
                "name": [('"' if at == 7 else "") + f"x{at}" for at in range(60)],
                "label": LABELS,
                "score": PROBABILITIES,
            }
        ),
        {},
    ),
    (
        "inches",
        "a mark at the end of a name",
        table({"item": [f'TV {at}"' for at in ids], "label": LABELS, "score": PROBABILITIES}),
        {},
    ),
]
