"""Tables from which a model would be trained, each made of a trap."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.data.reading.corpus import (
    AGES,
    LABELS,
    SEXES,
    WEIGHTS,
    Case,
    people,
    rows_of,
    table,
    words,
    workbook,
)
from tests.data.reading.corpus_reports import REPORT_TABLES

latin = table(people(city=["Köln"] * 60, churn=words("no", "yes")), ";")
digits = people(y=LABELS)
wdbc = {"id": np.arange(60), "diag": words("B", "M"), "r": WEIGHTS, "t": AGES + 0.5}
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
        table(people(smoker=SEXES == "f", Churn=words("No", "Yes"), paperless=AGES % 2 == 0)),
        {"label": "Churn", "positive": "Yes"},
    ),
    (
        "attrition",
        "Attrition_Flag: the earlier in the alphabet",
        table(people(Attrition_Flag=words("Existing Customer", "Attrited Customer"))),
        {"label": "Attrition_Flag", "positive": "Attrited Customer"},
    ),
    (
        "default payment",
        "default.payment.next.month",
        table({**people(), "default.payment.next.month": LABELS}),
        {"label": "default.payment.next.month"},
    ),
    (
        "survived",
        "Survived in the second column",
        table({"PassengerId": np.arange(60), "Survived": 1 - LABELS, **people()}),
        {"label": "Survived"},
    ),
    (
        "ten-year risk",
        "TenYearCHD",
        table(people(currentSmoker=AGES % 2, TenYearCHD=LABELS)),
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
        table(people(income=words("<=50K", ">50K")), ", "),
        {"label": "income", "positive": ">50K"},
    ),
    (
        "question marks",
        "? for missing",
        table(
            {
                **people(y=LABELS),
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
        table(people(readmitted=np.where(LABELS == 1, "<30", np.where(AGES > 70, "NO", ">30")))),
        {"label": "readmitted", "positive": "<30"},
    ),
    (
        "Excel table",
        "numbers and words in a sheet",
        workbook(rows_of(people(died=LABELS))),
        {"label": "died"},
    ),
    (
        "report in a sheet",
        "a title and a line of two cells above three columns",
        workbook(
            [
                ["Ward 7"],
                ["exported", "May"],
                [],
                *rows_of({"age": AGES, "weight": WEIGHTS, "died": LABELS}),
            ]
        ),
        {"label": "died"},
    ),
    (
        "sums in a sheet",
        "a title above the table and its total below",
        workbook([["Ward 7"], *rows_of(people(died=LABELS)), ["Total", None, None, 18]]),
        {"label": "died"},
    ),
    (
        "unknown outcomes",
        "a third label that says nothing",
        table(people(readmitted=np.where(AGES < 30, "unknown", words("no", "yes")))),
        {"label": "readmitted", "positive": "yes"},
    ),
    (
        "species",
        "three kinds in the last column beside the sex",
        table(people(species=np.array(["setosa", "versicolor", "virginica"])[AGES % 3])),
        {"label": "species", "positive": "virginica"},
    ),
    (
        "quality",
        "a label of grades 3 to 8 with a usual name",
        table(people(class_=3 + AGES % 6)),
        {"label": "class_", "positive": "7"},
    ),
]


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
        for name, trap, text, how in (*_TABLES, *REPORT_TABLES)
    ]
