"""Units below a header and sums at the bottom are no records; what only looks like them is one."""

from __future__ import annotations

import pytest

from dpcore.data.reading import read_dataset


def read(content: bytes) -> tuple[dict[str, list[object]], list[str]]:
    """Cells by column, and what is said."""
    upload = read_dataset(content)
    return upload.frame.to_dict("list"), [one.sentence for one in upload.problems]


@pytest.mark.parametrize(
    "last, kept", [("Total,9,9", 9), ("sum:,,", 9), ("Tot,9,9", 10), (",Total,9", 9)]
)
def test_a_sum_below_the_table_is_no_record(last: str, kept: int) -> None:
    rows = "".join(f"a{row},{row},{row / 9}\n" for row in range(9))
    columns, told = read(f"who,n,share\n{rows}{last}\n".encode())
    assert len(columns["n"]) == kept
    assert any("and is left out" in sentence for sentence in told) is (kept == 9)


def test_a_record_among_totals_or_of_few_is_one() -> None:
    assert read(b"part,n\nleft,1\nright,2\ntotal,3\n")[0]["n"] == [1, 2, 3]
    assert len(read(b"part,n\n" + b"left,1\ntotal,2\n" * 6)[0]["n"]) == 12


@pytest.mark.parametrize(
    "first, kept",
    [
        ("-,years,kg", 6),
        (",[years],", 6),
        ("m,years,kg", 7),
        ("m,unknown,missing", 7),
        ("x,years,70.5", 7),
        ("x,40 %,kg", 7),
    ],
)
def test_a_row_of_units_is_no_record(first: str, kept: int) -> None:
    rows = "".join(f"{'mf'[row % 2]},{20 + row},{60.5 + row}\n" for row in range(6))
    columns, told = read(f"sex,age,weight\n{first}\n{rows}".encode())
    assert len(columns["age"]) == kept
    assert any("holds units" in sentence for sentence in told) is (kept == 6)


def test_units_above_a_few_rows_are_a_record() -> None:
    assert len(read(b"who,age\nx,years\ny,20\nz,30\n")[0]["age"]) == 3
