"""One file, one reading: whoever counts the scores of the same bytes counts the same."""

from __future__ import annotations

import math
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpcore.cli import evaluate
from dpcore.cli.program import main
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading import read_predictions
from dpcore.data.reading.declared_lines import CODECS
from dpcore.data.reading.prediction_scores import SCALES
from dpcore.data.reading.problems import DEFAULT_LIMITS
from dpcore.data.reading.tables import read_table
from dpcore.desk import Request, read_blindly
from dpcore.errors import IntakeError
from dpcore.study import DataSource, Workflow, steps
from dpcore.study.sources import open_source

LABELS = st.sampled_from(["yes", "no", " yes", "no ", '"yes"', '" no "', "yés", "NA", "", "?", "x"])
# A decimal mark stands for "§", and for "¤" the mark that is none.
SCORES = st.sampled_from(
    ["0§5", " 0§25 ", '"0§75"', "1", "0", "1e-3", "NA", "", "high", "7", "50 %", "12§5%", '"0§5',
     '0"§5', '"0"§5', "1¤234§5", "0¤5", "-3", "inf", "007", "é"]
)  # fmt: skip
NOTES = st.sampled_from(
    ["n", "", '"a§b¤c;d\te|f"', '"said ""so"""', 'he "said', '"open', "x\ry", "\xa0", "  "]
)
ROWS = st.lists(
    st.tuples(LABELS, SCORES, NOTES).map(list)
    | st.lists(SCORES | NOTES, max_size=5)
    | st.sampled_from([[""], ["  "], ["yes", "0§5"], ["yes", "0§5", "n", ""]]),
    max_size=8,
)
# Rows of a table that may be opened without being told how it is written.
REGULAR = st.lists(
    st.tuples(
        st.sampled_from(["yes", "no", " yes", '"no"', '" yes "', "NA"]),
        st.sampled_from(["0§5", " 0§25 ", '"0§75"', "1", "0", "0§125", "NA", ""]),
        st.sampled_from(["n", "é", '"a§b¤c;d\te|f"', '"said ""so"""', 'he "said', "x\ry"]),
    ).map(list),
    min_size=3,
    max_size=8,
)


@st.composite
def files(
    draw: st.DrawFn, kinds: st.SearchStrategy[list[list[str]]] = ROWS
) -> tuple[bytes, DataSource]:
    """A file of predictions beside notes, and how its owner says that it is written."""
    delimiter = draw(st.sampled_from([",", ";", "\t", "|"]))
    decimal = draw(st.sampled_from([".", ","]))
    encoding = draw(st.sampled_from(list(CODECS)))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    names = draw(st.sampled_from(
        [["label", "score", "note"], ['"label"', '"score"', f'"no{delimiter}te"'],
         [" label ", "score", "é"]]
    ))  # fmt: skip
    start = draw(st.sampled_from(["", end, f"sep={delimiter}{end}"]))
    rows = [delimiter.join(row) for row in [names, *draw(kinds)]]
    text = start + end.join(rows) + draw(st.sampled_from(["", end, end + end]))
    text = text.replace("§", decimal).replace("¤", "." if decimal == "," else ",")
    mark = "\ufeff" if "mark" in encoding else ""
    source = DataSource(
        predictions="scores.csv",
        positive="yes",
        negative=draw(st.sampled_from([None, "no"])),
        scale=(scale := draw(st.sampled_from(SCALES))),
        bounds=(0.0, 100.0) if scale == "any" else None,
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
    )
    return (mark + text).encode(CODECS[encoding], "replace"), source


def by_evaluate(path: Path, told: DataSource, *options: str) -> ScoreHistogram:
    """What the command hands to its evaluations."""
    seen: list[ScoreHistogram] = []

    def evaluated(scores: ScoreHistogram, **_: object) -> None:
        seen.append(scores)

    negative = () if told.negative is None else ("--negative", told.negative)
    with (
        mock.patch.object(evaluate, "evaluate_scores", evaluated),
        mock.patch.object(evaluate, "_write"),
    ):
        code = main(
            ["evaluate", str(path), "--label", "label", "--score", "score", "--epsilon", "1",
             "--seed", "1", "--positive", "yes", *negative, "--scale", told.scale, "--quiet",
             *(["--bounds", "0", "100"] if told.bounds else []),
             "--decimal", told.decimal or ".", "--encoding", told.encoding or "utf-8",
             "--out", str(path.parent), "--workers", "1", *options]
        )  # fmt: skip
    assert code == 0
    return seen[-1]


def by_tally(source: DataSource, folder: Path) -> ScoreHistogram:
    """What `run` and the app count."""
    opened = open_source(source, folder)
    return steps.tally(opened, positive="yes", simulated=False).performance.scores


def counts(scores: ScoreHistogram) -> tuple[dict[int, int], dict[int, int], int]:
    both = scores.positives, scores.negatives
    filled = [{int(at): int(one[at]) for at in np.flatnonzero(one)} for one in both]
    return filled[0], filled[1], scores.left_out


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(file=files(), shown=st.booleans())
def test_every_reader_counts_the_same_bytes_alike(
    tmp_path: Path, file: tuple[bytes, DataSource], shown: bool
) -> None:
    """Whether `evaluate` is told the delimiter, or finds it in the header."""
    content, told = file
    mark = str(told.delimiter)
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    request = Request(what="roc", study=Workflow(data=told))
    blind = read_blindly(content, request)
    frame = read_predictions(
        content,
        scale=told.score_scale,
        positive="yes",
        negative=told.negative,
        dialect=told.dialect,
    )
    rules = {"positive": "yes", "negative": told.negative, "scale": told.score_scale}
    found = {
        "evaluate": by_evaluate(path, told, *(() if shown else ("--delimiter", mark))),
        "run": by_tally(told, tmp_path),
        "release": ScoreHistogram.of_read(blind.y_true == 1, blind.y_score, blind.left_out),
        "arrays": ScoreHistogram.from_arrays(
            *(
                np.append(one, np.full(frame.left_out, np.nan))
                for one in (frame.y_true, frame.y_score)
            )
        ),
        "files": ScoreHistogram.from_files(
            [path], label="label", score="score", dialect=told.dialect, workers=1, **rules
        ),
    }
    expected = counts(found["release"])
    assert {name: counts(scores) for name, scores in found.items()} == dict.fromkeys(
        found, expected
    )


@given(file=files(), odd=st.sampled_from([b'"', b'yes,"0.5', b'"yes;0,5', b"\xff\x00", b"a\rb"]))
def test_one_odd_line_changes_nothing_about_the_others(
    file: tuple[bytes, DataSource], odd: bytes
) -> None:
    content, told = file
    end = b"\r" if b"\n" not in content else b"\n"
    lines = content.rstrip(b"\r\n") + (b"\r\n" if b"\r\n" in content else end)
    asked = Request(what="roc", study=Workflow(data=told))
    less, more = (
        read_blindly(some, asked) for some in (lines, lines + odd.replace(b"\r", b"") + lines[-1:])
    )
    size = less.y_true.size
    np.testing.assert_array_equal(more.y_score[:size], less.y_score)
    np.testing.assert_array_equal(more.y_true[:size], less.y_true)
    assert more.y_true.size + more.left_out == size + less.left_out + 1


@given(file=files(REGULAR))
def test_what_is_guessed_and_accepted_is_what_is_declared(file: tuple[bytes, DataSource]) -> None:
    """Teach mode refuses more files; what it opens it counts as a release would."""
    content, told = file
    try:
        guessed = read_predictions(content, scale=told.score_scale, leave_out=True)
    except IntakeError:
        # Too many refusals make the test fail.
        assume(False)
    negative, positive = guessed.classes
    dialect = read_table(content, "", DEFAULT_LIMITS).dialect
    declared = read_predictions(
        content, scale=told.score_scale, positive=positive, negative=negative, dialect=dialect
    )
    np.testing.assert_array_equal(guessed.y_true, declared.y_true)
    np.testing.assert_array_equal(guessed.y_score, declared.y_score)


@pytest.mark.parametrize("mark, decimal", [(";", ","), ("\t", "."), ("|", ",")])
def test_percentages_with_a_sign_in_a_file_of_a_spreadsheet(
    tmp_path: Path, mark: str, decimal: str
) -> None:
    rows = [("yes", "97,5 %"), ("no", '"2,5%"'), ("no", "NA"), ("yes", "130 %"), ("", "50%")]
    text = "".join(f"{label}{mark}{score}\r\n".replace(",", decimal) for label, score in rows)
    path = tmp_path / "scores.csv"
    path.write_bytes(f'\ufeff"label"{mark}"score"\r\n{text}'.encode())
    told = DataSource(
        predictions="scores.csv", positive="yes", scale="percent", delimiter=mark, decimal=decimal
    )
    for found in (by_evaluate(path, told), by_tally(told, tmp_path)):
        assert (found.n_positive, found.n_negative, found.left_out) == (1, 1, 3)
        assert math.isclose(found.auc(), 1.0)
