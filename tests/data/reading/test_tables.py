"""Any upload becomes a table or one sentence, never a traceback."""

from __future__ import annotations

import gzip
import inspect
import io
import time
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore.data.reading
from dpcore.data.reading import Dialect, Limits, read_dataset
from dpcore.data.reading import tables as module
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.problems import DEFAULT_LIMITS
from dpcore.data.reading.source import form_of
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema import Categorical, Numeric, Schema, encode
from tests._real_data import real_data

CSV = b"age,sex\n30,f\n41,m\n"
WORD = st.text("ab1,;|\t\"'\n\r .-=<é", max_size=8)


def test_csv_parquet_and_gzip_give_the_same_frame() -> None:
    frame = pd.DataFrame({"age": [30, 41], "sex": ["f", "m"]})
    stream = io.BytesIO()
    frame.to_parquet(stream)
    for content in (CSV, stream.getvalue()):
        for source in (content, gzip.compress(content)):
            upload = read_dataset(source)
            pd.testing.assert_frame_equal(upload.frame, frame)
            assert upload.dialect.compressed is (source != content)
            assert upload.problems == ()


@given(st.binary(max_size=300) | st.binary(max_size=60).map(gzip.compress))
def test_any_bytes_become_a_table_or_one_sentence(content: bytes) -> None:
    check(content)


@given(st.lists(st.lists(WORD, max_size=4).map(",".join), max_size=6).map("\n".join))
def test_any_text_becomes_a_table_or_one_sentence(text: str) -> None:
    check(text.encode())


@given(
    st.sampled_from([b"PAR1", b"\x1f\x8b", b"\xff\xfe", b"\xef\xbb\xbf"]), st.binary(max_size=80)
)
def test_any_false_start_becomes_a_table_or_one_sentence(start: bytes, rest: bytes) -> None:
    check(start + rest)


def check_sentence(sentence: str) -> None:
    assert "; " in sentence
    assert "\n" not in sentence


def check(content: bytes) -> None:
    try:
        upload = read_dataset(content)
    except IntakeError as error:
        check_sentence(str(error))
    else:
        frame = upload.frame
        assert len(frame) > 0
        assert frame.columns.is_unique
        assert {str(kind) for kind in frame.dtypes} <= {"int64", "float64", "str"}
        for problem in upload.problems:
            assert problem.sentence.endswith(".")
            assert "\n" not in problem.sentence


@given(
    st.data(),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_pandas_writes_is_read_back(data: st.DataObject, mark: str, encoding: str) -> None:
    texts = st.text('abcé ,;|\t"\n', max_size=9).map(lambda text: f"x{text}y")
    rows = data.draw(st.integers(2, 6))
    frame = pd.DataFrame(
        {
            "number": data.draw(st.lists(st.floats(-1e6, 1e6), min_size=rows, max_size=rows)),
            "count": data.draw(st.lists(st.integers(-99, 99), min_size=rows, max_size=rows)),
            "word": data.draw(st.lists(texts, min_size=rows, max_size=rows)),
        }
    )
    decimal = "," if mark == ";" else "."
    text = frame.to_csv(index=False, sep=mark, decimal=decimal)
    upload = read_dataset(text.encode(encoding))
    pd.testing.assert_frame_equal(upload.frame, frame.astype({"word": "str"}), check_dtype=False)


def test_an_unforeseen_error_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "read_clean", broken)
    with pytest.raises(IntakeError, match=r"cannot be read as a table \(ZeroDivisionError\); open"):
        read_dataset(CSV)


def test_mistakes_of_the_caller_are_not_hidden() -> None:
    with pytest.raises(InvalidArgument, match="^source must be"):
        read_dataset("age,sex\n")  # type: ignore[arg-type]


def test_the_name_appears_in_sentences() -> None:
    with pytest.raises(IntakeError, match="^the file heart.csv is a PNG picture"):
        read_dataset(b"\x89PNG\r\n\x1a\n", name="heart.csv")


def test_ten_thousand_columns_are_the_limit() -> None:
    row = ",".join(map(str, range(10_001)))
    names = ",".join(f"c{number}" for number in range(10_001))
    with pytest.raises(IntakeError, match="has 10,001 columns, more than the limit of 10,000"):
        read_dataset(f"{names}\n{row}\n".encode())
    wide = read_dataset(f"{names}\n{row}\n".encode(), limits=Limits(columns=10_001))
    assert wide.frame.shape == (1, 10_001)


def test_a_million_rows_are_read_in_a_few_seconds() -> None:
    rng = np.random.default_rng(0)
    lines = [
        f"{x:.4f},{k},word{k % 7}" for x, k in zip(rng.random(10**6), range(10**6), strict=True)
    ]
    content = ("x,k,w\n" + "\n".join(lines)).encode()
    start = time.perf_counter()
    assert len(read_dataset(content).frame) == 10**6
    assert time.perf_counter() - start < 5.0


@pytest.mark.parametrize(
    "name, shape",
    [
        ("adult.csv.gz", (48_842, 16)),
        ("bank-full.csv.gz", (45_211, 17)),
        ("mushroom.csv.gz", (8124, 23)),
        ("framingham.csv.gz", (4240, 16)),
        ("SMSSpamCollection.gz", (5574, 2)),
        ("sentiment140_sample20k.csv.gz", (20_000, 2)),
        ("seeds.csv.gz", (210, 8)),
        ("skin.csv.gz", (245_057, 4)),
    ],
)
def test_real_files_lose_no_row(name: str, shape: tuple[int, int]) -> None:
    assert read_dataset(real_data(name)).frame.shape == shape


def test_missing_cells_of_a_real_file_are_counted() -> None:
    upload = read_dataset(real_data("framingham.csv.gz"))
    missing = [problem for problem in upload.problems if "missing cell" in problem.sentence]
    assert int(upload.frame.isna().to_numpy().sum()) == 645
    assert {name for problem in missing for name in problem.about} == {
        name for name in upload.frame.columns if upload.frame[name].isna().any()
    }


def test_exported_names() -> None:
    for name in dpcore.data.reading.__all__:
        assert hasattr(dpcore.data.reading, name)


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(CSV.replace(b",", b"\t"))
    assert read_dataset(path).frame["age"].tolist() == [30, 41]


DECLARED = Schema((Categorical("code", ("1.50", "2", "Münster")), Numeric("w", (0, 10_000))))


@pytest.mark.parametrize(
    "rows, odd, dialect",
    [
        (b"1.50,3\n2,4\n", b"x,1\n", Dialect()),
        ("Münster,3\n2,4\n".encode(), b"K\xf6ln,1\n", Dialect()),
        (b"2;1,234\n2;2,500\n", b"2;0.5\n", Dialect(delimiter=";", decimal=",")),
        (b'2,"1,234.5"\n2,"2,500"\n', b"2,x\n", Dialect()),
        (b"2\t1,234.5\n1.50\t2,500.0\n", b"2\tabc\n", Dialect(delimiter="\t")),
        (b"2,3\n1.50,4\n", b"2\n", Dialect()),
        (b"2,3\n1.50,4\n", b"2,3,4,5\n", Dialect()),
        (b"2,3\n1.50,4\n", b"\x00\x01\x02\x03\x04\x05\x06\x07,1\n", Dialect()),
    ],
)
def test_one_odd_row_changes_no_other_row(rows: bytes, odd: bytes, dialect: Dialect) -> None:
    """Each of these changed what was read of all others, or stopped it, while it was guessed."""
    header = f"code{dialect.delimiter}w\n".encode()
    less, more = (
        encode(read_dataset(header + part, schema=DECLARED, dialect=dialect).frame, DECLARED).matrix
        for part in (rows, rows + odd)
    )
    np.testing.assert_array_equal(more[:-1], less)
    assert less.shape[0] == 2
    assert less.any(axis=1).all()


@given(st.binary(max_size=12), st.booleans())
def test_appending_any_line_changes_no_other_row(line: bytes, quoted: bool) -> None:
    rows = 'code,w\n1.50,"1,234.5"\nMünster,\n2,0.5\nx,true\n'.encode()
    dialect = Dialect(quoted=quoted)
    less = read_dataset(rows, schema=DECLARED, dialect=dialect).frame
    more = read_dataset(rows + line, schema=DECLARED, dialect=dialect).frame
    pd.testing.assert_frame_equal(more.iloc[: len(less)], less)


def test_declared_tables_say_nothing_about_their_rows() -> None:
    upload = read_dataset(b"code,w\n,NA\n,NA\n", schema=DECLARED, dialect=Dialect())
    assert (upload.problems, upload.taken_from_data) == ((), frozenset())
    assert read_dataset(CSV).taken_from_data == {"dialect", "types"}


def test_parquet_is_read_by_its_own_types() -> None:
    stream = io.BytesIO()
    pd.DataFrame({"code": ["2"], "w": [7]}).to_parquet(stream)
    upload = read_dataset(stream.getvalue(), schema=DECLARED, dialect=Dialect())
    assert upload.frame["w"].tolist() == [7]
    assert (upload.dialect.format, upload.taken_from_data) == ("parquet", frozenset())


def test_schema_and_dialect_go_together() -> None:
    with pytest.raises(InvalidArgument, match="^dialect must be given"):
        read_dataset(CSV, schema=DECLARED)
    with pytest.raises(InvalidArgument, match="^schema must be given"):
        read_dataset(CSV, dialect=Dialect())
    with pytest.raises(InvalidArgument, match="^dialect.encoding must be one of"):
        read_dataset(CSV, schema=DECLARED, dialect=Dialect(encoding="utf-7"))


def workbook(*rows: list[object], sheets: tuple[str, ...] = ("rows",)) -> bytes:
    """The rows in the last sheet."""
    book = openpyxl.Workbook()
    book.active.title = sheets[0]
    for name in sheets[1:]:
        book.create_sheet(name)
    for row in rows:
        book[sheets[-1]].append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_the_header_of_a_container_is_one_of_no_rows() -> None:
    """What its process does, in this one."""
    header_of, stream = inspect.unwrap(module.read_header), io.BytesIO()
    pd.DataFrame({"age": [30], "sex": ["f"]}).to_parquet(stream)
    header = header_of(stream.getvalue(), Dialect(format="parquet"), limits=DEFAULT_LIMITS)
    read = pd.read_parquet(io.BytesIO(header))
    assert (list(read), len(read)) == (["age", "sex"], 0)
    excel, content = Dialect(format="excel"), workbook(["age", "sex"], [30, "f"])
    header = header_of(content, excel, limits=DEFAULT_LIMITS)
    bare = module.read_texts(header, "", DEFAULT_LIMITS, excel).frame
    assert (list(bare), len(bare)) == (["age", "sex"], 0)


def test_a_table_of_a_sheet_is_as_wide_as_its_header() -> None:
    content = workbook(["age", "sex", " "], [30, "f"], [41, "m"])
    frame = module.read_texts(content, "", DEFAULT_LIMITS, Dialect(format="excel")).frame
    assert list(frame) == ["age", "sex"]
    assert frame.iloc[0].tolist() == ["30", "f"]


def test_a_refused_workbook_says_its_sheets() -> None:
    content = workbook(["age"], sheets=("about", "rows"))
    assert form_of(content) == "excel"
    with pytest.raises(IntakeError) as told:
        module.read_table(content, "", DEFAULT_LIMITS, Stated(sheet="rows"))
    assert told.value.found["sheets"] == ("about", "rows")
