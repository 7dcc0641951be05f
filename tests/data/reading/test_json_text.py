"""One text of JSON: an odd record changes no other, and what no writer wrote is nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import read_dataset
from dpcore.data.reading.dialect import Dialect
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
    for text, dialect in (
        (f"{{{', '.join(named)}}}", WHOLE),
        (f'{{"columns": {json.dumps([*WANTED])}, "index": [], "data": [{", ".join(cut)}]}}', WHOLE),
        (f"[{', '.join(records)}]", WHOLE),
        (f"{{{', '.join(members)}}}", WHOLE),
        ("\n".join(lines), Dialect(format="json")),
    ):
        frame = read_dataset(text.encode(), schema=SCHEMA, dialect=dialect).frame
        others = frame.drop(index=place) if len(frame) == 3 else frame
        assert others.to_dict("list") == WANTED


@pytest.mark.parametrize(
    "text",
    [b'[{"age": 1}, {"age": 2}', b'{"age": [1], "ill": []}', b"7", b"[1] 2", b'{"age": 1',
     b"{7: [1]}", b'{"age": {"0": 1}, "ill": {"1": 1}}']
)  # fmt: skip
def test_one_text_that_no_writer_wrote_is_refused_as_a_whole(text: bytes) -> None:
    with pytest.raises(IntakeError, match="no list of JSON objects"):
        read_dataset(text, schema=SCHEMA, dialect=WHOLE)
