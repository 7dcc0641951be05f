"""Tables as programs print them: aligned by spaces, with names of groups above the header."""

from __future__ import annotations

import pytest

from dpcore.data.reading import Dialect, read_predictions
from dpcore.data.reading.dialect import ALIGNED, WHITE_SPACE
from dpcore.data.reading.printed_tables import is_aligned, names_numbers, whose_columns

ROWS = [
    ("Ann Lee", "no event", 0.125),
    ("Bob van Dyk", "event seen", 0.75),
    ("Cy", "no event", 0.5),
]
HEAD = ("patient name", "true outcome", "risk score")
RIGHT = f"{'patient name':<16}{'true outcome':<14}{'risk score':>10}\n" + "".join(
    f"{name:<16}{event:<14}{p:>10}\n" for name, event, p in ROWS * 9
)
FORMS = {
    "right": RIGHT,
    "left": "".join(f"{a:<16}{b:<14}{c}  \n" for a, b, c in [HEAD, *ROWS * 9]),
    "titled": f"          The SAS System\n\n{RIGHT}",
    "counted": f"{RIGHT}\n(27 rows affected)\n",
    "index": "".join(f"{at or '':<4}{line}\n" for at, line in enumerate(RIGHT.splitlines())),
    "Windows": RIGHT.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("name", FORMS)
def test_two_spaces_part_cells_and_one_parts_words(name: str) -> None:
    """To whoever guesses, and to whoever declares what was guessed."""
    content = FORMS[name].encode()
    read = read_predictions(content)
    assert read.columns == ("true outcome", "risk score")
    assert read.classes == ("no event", "event seen")
    assert read.y_true.tolist() == [0, 1, 0] * 9
    assert read.y_score.tolist() == [0.125, 0.75, 0.5] * 9
    assert read.dialect is not None
    assert read.dialect.delimiter == ALIGNED
    columns = {"label": "true outcome", "score": "risk score"}
    classes = {"negative": "no event", "positive": "event seen"}
    again = read_predictions(content, **columns, **classes, dialect=read.dialect)
    assert again.y_true.tolist() == read.y_true.tolist()
    assert again.y_score.tolist() == read.y_score.tolist()


def test_one_odd_line_changes_no_other() -> None:
    odd = RIGHT + "Dee           event seen\n" + RIGHT.partition("\n")[2]
    told = {"label": "true outcome", "score": "risk score", "positive": "event seen"}
    read = read_predictions(odd.encode(), **told, dialect=Dialect(delimiter=ALIGNED))
    assert (read.y_true.tolist(), read.left_out) == ([0, 1, 0] * 18, 1)


def test_columns_of_single_words_are_white_space_as_before() -> None:
    text = "label   score\n" + "1   0.5\n0     0.25\n" * 5
    assert read_predictions(text.encode()).dialect == Dialect(delimiter=WHITE_SPACE)
    assert not is_aligned(["y p1   p2", "1 0.5  0.25", "0 0.25 0.5"])
    assert not is_aligned(["a b", "c d"])
    assert not is_aligned(["id    label  score", "a0 x  0.5", "a1 y  0.25"])


def test_it_is_said_whose_columns_of_one_name_are() -> None:
    rows = "".join(f"{at},{at % 2},0.{at},{at % 2},0.{9 - at},0\n" for at in range(1, 9))
    text = f",,Model A,,Model B,\nid,outcome,Prob,Pred,Prob,Pred\n{rows}"
    read = read_predictions(text.encode())
    assert read.roles is not None
    assert read.roles.scores == ("Prob", "Prob_2")
    wanted = "“Model A” has 'Prob' and 'Pred', “Model B” has 'Prob_2' and 'Pred_2'."
    assert any(one.sentence.endswith(wanted) for one in read.problems)
    assert whose_columns(["", "rf", "lr"], ["y", "p", "q"]) == []
    assert whose_columns(["rf", "2024"], ["p", "p"]) == []


def test_a_header_stands_above_numbers() -> None:
    rows = [["report", "", ""], ["id", "name", "p"], ["1", "a", "0.5"], ["2", "b", "0.25"]]
    assert names_numbers(rows, 1, 3)
    assert not names_numbers(rows, 2, 3)
