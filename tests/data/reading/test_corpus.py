"""Files of real kinds are read right without help: all of the corpus."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from dpcore.data.reading import Predictions, read_and_suggest, read_predictions
from dpcore.data.reading.source import is_workbook
from dpcore.errors import IntakeError
from dpcore.evaluation import ExactScores
from dpcore.study import DataSource
from dpcore.study.sources import open_source
from tests.data.reading.corpus import LABELS, PROBABILITIES, Case
from tests.data.reading.corpus_predictions import predictions
from tests.data.reading.corpus_tables import tables

CASES = [*predictions(), *tables()]


@cache
def read_as_predictions(content: bytes) -> Predictions:
    return read_predictions(content, leave_out=True)


def reading(case: Case) -> dict[str, Any]:
    """What is found of a file, in the words of the corpus."""
    if case.is_table:
        upload, schema = read_and_suggest(case.content)
        dialect, label = upload.dialect, schema.label if schema.has_label else None
        found: dict[str, Any] = {
            "rows": len(upload.frame),
            "label": label and label.name,
            "positive": label and label.positive,
            "scores": (),
            "scale": "probability",
        }
    else:
        read = read_as_predictions(case.content)
        assert read.dialect is not None
        assert read.roles is not None
        dialect = read.dialect
        found = {
            "rows": read.y_true.size,
            "label": read.columns[0],
            "positive": read.classes[1],
            "scores": read.roles.scores,
            "scale": read.scale.name,
        }
    return found | {"delimiter": dialect.delimiter, "header": dialect.header,
                    "decimal": dialect.decimal}  # fmt: skip


def expected(case: Case) -> dict[str, Any]:
    names = ("rows", "label", "positive", "scores", "scale", "delimiter", "header", "decimal")
    return {name: getattr(case, name) for name in names}


def attempt(case: Case) -> dict[str, Any]:
    try:
        return reading(case)
    except IntakeError as error:
        return {"refused": str(error)}


def how(found: dict[str, Any]) -> str:
    """A reading as a line."""
    if "refused" in found:
        return str(found["refused"])
    label = f"{found['label']} = {found['positive']}"
    scores = f"; {'/'.join(found['scores'])}: {found['scale']}" if found["scores"] else ""
    return f"{found['rows']} rows, {found['delimiter']!r}; {label}{scores}"


def test_the_corpus_is_read_right() -> None:
    """Prints the table: what each file is, and how it was read."""
    wrong = []
    lines = [f"\n{'file':30} {'trap':45} how"]
    for case in CASES:
        found, wanted = attempt(case), expected(case)
        amiss = {name: told for name, told in wanted.items() if found.get(name) != told}
        lines.append(f"{case.name:30} {case.trap[:45]:45} {how(found)}")
        if amiss:
            wrong.append((case.name, amiss, found.get("refused")))
    sys.stdout.write("\n".join(lines))
    assert not wrong
    assert len(CASES) >= 140


def test_the_curve_is_the_same_whatever_the_scale() -> None:
    """The true AUC of every file with the one model is scikit-learn's, or its mirror image."""
    wanted = roc_auc_score(LABELS, PROBABILITIES)
    for name in ("plain", "decimal comma", "percent signs", "log-odds", "Excel", "single quotes"):
        case = next(case for case in CASES if case.name == name)
        read = read_predictions(case.content)
        found = ExactScores(read.y_true == 1, read.y_score, read.written).auc
        np.testing.assert_allclose(found, wanted, atol=0.0005, err_msg=name)


def test_what_was_found_out_of_a_file_reads_it_again(tmp_path: Path) -> None:
    """A study and *Copy as Python* declare what the page has guessed, and have its numbers."""
    for case in CASES:
        # Workbooks are slow.
        if case.is_table or is_workbook(case.content):
            continue
        found = read_as_predictions(case.content)
        assert found.roles is not None
        negative, positive = found.classes
        (tmp_path / "file").write_bytes(case.content)
        source = DataSource(
            predictions="file",
            label=found.roles.label,
            score=found.roles.score,
            scale=found.scale.name,
            bounds=found.scale.bounds,
            positive=positive,
            negative=negative if negative in found.choices else None,
            **DataSource.layout_of(found.dialect),
        )
        again = open_source(source, tmp_path).load()
        assert isinstance(again, Predictions)
        told = [read.y_true.tolist() for read in (found, again)]
        assert told[0] == told[1], case.name
        np.testing.assert_allclose(again.y_score, found.y_score, err_msg=case.name)
