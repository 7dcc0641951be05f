"""One text of JSON: an odd record changes no other, and what no writer wrote is nothing."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import read_dataset, read_predictions
from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.json_text import json_records, record_of
from dpcore.errors import IntakeError
from tests.data.reading.test_declared_forms import ODD, SCHEMA, WANTED, WHOLE


@given(
    st.sampled_from(
        ["[" * 5000 + "]" * 5000, '{"a":' * 5000 + "1" + "}" * 5000, "9" * 5000, "[1]", "null",
         '{"age": ' + "9" * 5000 + "}", '{"age": [1, {"town": "Bath"}], "ill": "\\"no"}', '"]},{["',
         '{"ill": "\\ud800"}', '{"age": 1e999}']
    )
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | ODD,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3),
    ).map(json.dumps),
    st.integers(0, 2),
)  # fmt: skip
def test_an_odd_record_of_one_text_changes_no_other(odd: str, place: int) -> None:
    rows = zip(*WANTED.values(), strict=True)
    records = [json.dumps(dict(zip(WANTED, row, strict=True))) for row in rows]
    records.insert(place, odd)
    columns = {name: [json.dumps(one) for one in cells] for name, cells in WANTED.items()}
    for cells in columns.values():
        cells.insert(place, odd)
    members = (f'"{name}": [{", ".join(cells)}]' for name, cells in columns.items())
    named = []
    for name, cells in columns.items():
        inner = ", ".join(f'"{at}": {one}' for at, one in enumerate(cells))
        named.append(f'"{name}": {{{inner}}}')
    cut = [json.dumps(list(row)) for row in zip(*WANTED.values(), strict=True)]
    cut.insert(place, odd)
    lines = [one.replace("\n", " ") for one in records]
    numbered = ", ".join(f'"{at}": {one}' for at, one in enumerate(records))
    by_polars = ", ".join(
        f'{{"name": "{name}", "values": [{", ".join(cells)}]}}' for name, cells in columns.items()
    )
    for text, dialect in (
        (f"{{{numbered}}}", WHOLE),
        (f'{{"columns": [{by_polars}]}}', WHOLE),
        (f"{{{', '.join(named)}}}", WHOLE),
        (f'{{"columns": {json.dumps([*WANTED])}, "index": [], "data": [{", ".join(cut)}]}}', WHOLE),
        (f"[{', '.join(records)}]", WHOLE),
        (f"{{{', '.join(members)}}}", WHOLE),
        ("\n".join(records), WHOLE),
        ("\n".join(lines), Dialect(format="json")),
    ):
        frame = read_dataset(text.encode(), schema=SCHEMA, dialect=dialect).frame
        others = frame.drop(index=place) if len(frame) == 3 else frame
        assert others.to_dict("list") == WANTED


@pytest.mark.parametrize(
    ("held", "parts"),
    [
        ({"config": {"seed": 1}, "y": [0, 1], "p": [0.5, 0.25]}, "'config', 'y' and 'p'"),
        ({"info": {"n": 60}, "results": {"y": [0, 1], "p": [0.5, 0.25]}}, "'info' and 'results'"),
    ],
)
def test_a_table_beside_other_things_is_refused_by_what_stands_there(
    held: dict[str, object], parts: str
) -> None:
    with pytest.raises(IntakeError, match=f", but one object of {parts}; save the table alone"):
        read_dataset(json.dumps(held).encode())


def test_where_rows_are_private_nothing_that_is_in_a_file_is_told() -> None:
    held = json.dumps({"config": {"seed": 1}, "y": [0, 1], "p": [0.5, 0.25]}).encode()
    with pytest.raises(IntakeError, match="no list of JSON objects, one for each row; write one"):
        read_dataset(held, schema=SCHEMA, dialect=WHOLE)


@pytest.mark.parametrize(
    "text",
    [b'[{"age": 1}, {"age": 2}', b'{"age": [1], "ill": []}', b"7", b"[1] x", b'{"age": 1',
     b"{7: [1]}", b'{"age": {"0": 1}, "ill": {"1": 1}}']
)  # fmt: skip
def test_one_text_that_no_writer_wrote_is_refused_as_a_whole(text: bytes) -> None:
    with pytest.raises(IntakeError, match="no list of JSON objects"):
        read_dataset(text, schema=SCHEMA, dialect=WHOLE)


def test_what_libraries_print_is_read_like_json() -> None:
    for printed, value in (
        ("tf.Tensor([[0.25 1.]], shape=(1, 2), dtype=float32)", [[0.25, 1.0]]),
        ("tensor(0.5, grad_fn=<SigmoidBackward0>)", 0.5),
        ("['not ill'\n 'ill']", ["not ill", "ill"]),
        ("{'p': (0.5)}", None),
        ("[1, <NA>, nan, -inf, True]", [1.0, None, None, -np.inf, True]),
        ("[0 1 ... 1]", None),
        ("12 people", None),
        ("2020-01-31", None),
    ):
        assert record_of(printed) == value, printed


def test_lists_with_names_are_columns() -> None:
    text = "y = [1, 0]\nscore: array([.5,\n 1.])\n"
    assert json_records(text) == [{"y": 1.0, "score": 0.5}, {"y": 0.0, "score": 1.0}]
    for odd in ("y = [1, 0]\nscore = [1]\n", "y = [1, 0]\nprint(y)", "y = [1, 0"):
        with pytest.raises(ValueError, match="neither"):
            json_records(odd)


HOSTILE = (
    "<",
    "'\\",
    '"\\',
    ", a=(",
    ", a=<",
    ", a='\\\"",
    "[",
    "1",
    "a(",
    " ",
    "a=\n",
    "'",
    "p=1,",
    "a.",
    "a",
)


@pytest.mark.parametrize(
    "text",
    [
        '{"dataframe_split": {"columns": ["p", "y"], "data": [[0.5, 1], [0.25, 0]]}}',
        '{"columns": [{"name": "p", "values": [0.5, 0.25]}, {"name": "y", "values": [1, 0]}]}',
        '{"7": {"p": 0.5, "y": 1}, "9": {"p": 0.25, "y": 0}}',
        '{"p": {"x1": 0.5, "x2": 0.25}, "y": {"x1": 1, "x2": 0}}',
    ],
    ids=["MLflow", "polars", "pandas by its index", "pandas by columns"],
)
def test_what_programs_put_around_a_table_is_taken_off(text: str) -> None:
    assert read_dataset(text.encode()).frame.to_dict("list") == {"p": [0.5, 0.25], "y": [1, 0]}


def test_many_records_that_are_called_by_words_are_records() -> None:
    held = {f"patient {at}": {"p": at / 8, "y": at % 2} for at in range(8)}
    assert json_records(json.dumps(held)) == [*held.values()]


@pytest.mark.parametrize("called", ["anna", "-1", "0.5", "", "ill", "7", "dataframe_split"])
@pytest.mark.parametrize("others", [["0", "1"], ["bob", "1"], ["bob", "eve"]])
def test_no_record_decides_by_its_name_whether_the_others_are_some(
    called: str, others: list[str]
) -> None:
    """Of a file by its index nothing was read if its first record was called by a word."""
    held = [dict(zip(WANTED, row, strict=True)) for row in zip(*WANTED.values(), strict=True)]
    for place in range(3):
        members = [*zip(others, held, strict=True)]
        members.insert(place, (called, {"age": 1}))
        frame = read_dataset(json.dumps(dict(members)).encode(), schema=SCHEMA, dialect=WHOLE).frame
        assert frame.drop(index=place).to_dict("list") == WANTED


@pytest.mark.parametrize("called", ["p", "y", "p.1", "x", "dataframe_split"])
def test_no_record_is_taken_for_several_columns_whose_values_lie_within_one(called: str) -> None:
    told = {"label": "y", "positive": "b", "classes": ("a", "b"), "class_scores": ("p.0", "p.1")}

    def read(records: dict[str, object]) -> list[list[float]]:
        content = json.dumps(records).encode()
        found = read_predictions(content, **told, dialect=WHOLE)  # type: ignore[arg-type]
        return [found.y_true.tolist(), found.y_score.tolist()]

    records: dict[str, object] = {"0": {"y": "a", "p": [0.75, 0.25]}, "1": {"y": "b", "p": [0, 1]}}
    assert read(records) == [[0, 1], [0.25, 1.0]]
    assert read(records | {called: {"y": "a", "p": [0.5, 0.5]}}) == [[0, 1, 0], [0.25, 1.0, 0.5]]


def test_columns_that_are_called_by_numbers_are_columns() -> None:
    assert json_records('{"0": {"0": 5, "1": 6}, "1": {"0": 7, "1": 8}}')[0] == {"0": 5, "1": 7}
    assert json_records('{"0": [5, 6], "1": [7, 8]}', ["0", "1"])[0] == {"0": 5, "1": 7}


@pytest.mark.parametrize("part", HOSTILE)
def test_whatever_does_not_end_is_looked_through_once(part: str) -> None:
    began = time.process_time()
    for end in ("", "a", "]"):
        assert record_of((part * 100_000)[:200_000] + end) is None
    assert record_of("{" + (part * 50_000)[:50_000] + " =") is None
    assert time.process_time() - began < 10
